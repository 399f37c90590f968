import BrowserCalls
import Encodings
import Pico

extension PicoBrowser {
    /// Staying signed in, message by message.
    ///
    /// Between two calls the page keeps `kept`, which holds counters and no secret; the session's key lies beside it.
    static let sessions = [
        Function("announce", members + ["random", "state"], announce),
        Function("announced", members + ["message"], announced),
    ]

    private static let members: [StaticString] = ["id", "key", "kept", "time", "answers"]

    /// `{id, key, kept?, time, random, state}`, where the state is `active`, `paused` or `stopped` →
    /// `{step: "send", message, kept, deadline}`, or `need`.
    private static func announce(_ call: Call) throws(BrowserError) -> Answer {
        let name = try call.text("state", maximum: 16)
        guard let state = PicoContinuousState.allCases.first(where: { name.equals($0.name) }), state != .failed else {
            throw BrowserError("wrong_type", member: "state", "is not active, paused or stopped.")
        }
        return try turn(call) { prover, time, suite throws(PicoError) in
            [
                ("step", .literal("send")), ("message", .base64URL(try prover.send(state, at: time, suite: suite))),
                ("deadline", .integer(prover.deadline)),
            ]
        }
    }

    /// `{id, key, kept, time, message}`, the service's answer → `{step: "turn", state, send_at, kept}`, or `need`.
    private static func announced(_ call: Call) throws(BrowserError) -> Answer {
        _ = try call.value("kept")
        let message = try Call.messageBytes(call.value("message"), "message")
        return try turn(call) { prover, time, suite throws(PicoError) in
            let answer = try prover.receive(message, at: time, suite: suite)
            return [
                ("step", .literal("turn")), ("state", .literal(answer.state.name)),
                ("send_at", answer.sendAt.map { .integer($0) } ?? .null),
            ]
        }
    }

    private static func turn(
        _ call: Call,
        _ act: (inout PicoContinuousProver, Int64, ReplaySuite) throws(PicoError) -> [(String, JSON)]
    ) throws(BrowserError) -> Answer {
        let suite = try ReplaySuite(call)
        let time = try call.number("time")
        guard time <= 1 << 53 else { throw BrowserError("wrong_type", member: "time", "is too late.") }
        let id = try call.sessionID("id")
        let key = try call.bytes("key", count: 16)
        let kept = call.optional("kept") == nil ? nil : try call.bytes("kept")
        do throws(PicoError) {
            let session = try PicoSession(sessionID: id, key: key)
            var prover: PicoContinuousProver
            if let kept {
                prover = try PicoContinuousProver(session, kept: kept)
            } else {
                prover = try PicoContinuousProver(session, at: time, suite: suite)
            }
            let members = try act(&prover, time, suite)
            return Answer(members + [("kept", .base64URL(prover.kept))])
        } catch {
            if let need = suite.need { return need }
            throw BrowserError(error)
        }
    }
}

extension PicoContinuousState {
    /// The name of the state in a page.
    fileprivate var name: StaticString {
        switch self {
        case .active: "active"
        case .paused: "paused"
        case .stopped: "stopped"
        case .failed: "failed"
        }
    }
}
