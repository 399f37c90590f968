import BrowserCalls
import EllipticCurves
import Encodings
import Pico
import Testing

@testable import PicoBrowser

@Suite("Staying signed in from a page")
struct SessionCallTests {
    let service: Service

    init() throws { service = try Service() }

    /// A call that is repeated until nothing is needed.
    private func turn(_ name: String, _ arguments: [(String, JSON)]) throws -> JSON {
        var answers: [JSON] = []
        for _ in 0..<3 {
            let value = try call(name, arguments + [("answers", .array(answers))])
            guard value.text("step") == "need" else { return value }
            answers.append(try computed(value))
        }
        throw Refused(code: "it always needs more")
    }

    private func kept(_ session: JSON, _ kept: JSON?) throws -> [(String, JSON)] {
        [("id", try #require(session["id"])), ("key", try #require(session["key"]))]
            + (kept.map { [("kept", $0)] } ?? [])
    }

    private func announce(_ session: JSON, _ last: JSON?, _ state: String, at time: Int64) throws -> JSON {
        let random = ServiceSuite("announce \(time)").randomBytes(64)
        return try turn(
            "announce",
            kept(session, last) + [
                ("time", .integer(time)), ("state", .text(state)), ("random", .base64URL(random)),
            ])
    }

    private func announced(_ session: JSON, _ last: JSON?, _ message: Bytes, at time: Int64) throws -> JSON {
        try turn(
            "announced", kept(session, last) + [("time", .integer(time)), ("message", .base64URL(message))])
    }

    @Test("goes on from what was kept, through pauses, until it ends")
    func whole() throws {
        let (session, other) = try service.session()
        var verifier = try PicoContinuousVerifier(other, at: 0, suite: service.suite)
        var last: JSON?
        var time: Int64 = 1_000
        for (state, pause) in [("active", 5_000), ("active", 5_000), ("paused", 45_000), ("active", 5_000)] {
            let sent = try announce(session, last, state, at: time)
            _ = try verifier.receive(sent.bytes("message"), at: time, suite: service.suite)
            let answer = try verifier.reply(at: time, suite: service.suite)
            let heard = try announced(session, sent["kept"], answer, at: time)
            #expect(heard.text("state") == state && heard["send_at"] == .integer(time + Int64(pause)))
            last = heard["kept"]
            time += 1_000
        }
        let sent = try announce(session, last, "stopped", at: time)
        #expect(try verifier.receive(sent.bytes("message"), at: time, suite: service.suite) == .stopped)
        let heard = try announced(session, sent["kept"], verifier.reply(at: time, suite: service.suite), at: time)
        #expect(heard.text("state") == "stopped" && heard["send_at"] == .null)
        #expect(try refusal { try announce(session, heard["kept"], "active", at: time) } == "forbidden_move")
    }

    @Test("ends with an answer that is late, came before, or belongs to another session")
    func attacks() throws {
        let (session, other) = try service.session()
        var verifier = try PicoContinuousVerifier(other, at: 0, suite: service.suite)
        let sent = try announce(session, nil, "active", at: 0)
        _ = try verifier.receive(sent.bytes("message"), at: 0, suite: service.suite)
        let answer = try verifier.reply(at: 0, suite: service.suite)
        #expect(try refusal { try announced(session, sent["kept"], answer, at: 40_001) } == "timed_out")
        let heard = try announced(session, sent["kept"], answer, at: 40_000)
        #expect(try refusal { try announced(session, heard["kept"], answer, at: 0) } == "out_of_order")
        let again = try announce(session, heard["kept"], "active", at: 0)
        #expect(try refusal { try announced(session, again["kept"], answer, at: 0) } == "wrong_sequence")
        #expect(try refusal { try announce(session, sent["kept"], "active", at: 0) } == "out_of_order")
        #expect(
            try refusal { try announced(session, sent["kept"], sent.bytes("message"), at: 0) } == "malformed")
        let stranger = JSON.members([("id", .integer(7)), ("key", .base64URL(Bytes(repeating: 1, count: 16)))])
        #expect(try refusal { try announced(stranger, sent["kept"], answer, at: 0) } == "cannot_open")
    }

    @Test("takes what was kept, and nothing else for it")
    func spoiled() throws {
        let (session, _) = try service.session()
        let sent = try announce(session, nil, "active", at: 0)
        let whole = try sent.bytes("kept")
        #expect(whole.count == 83)
        for spoiled in [
            [], Array(whole.dropLast()), whole + [0], [9] + whole.dropFirst(), [0, 2] + whole.dropFirst(2),
            [0, 0, 0] + whole.dropFirst(3).prefix(32) + Bytes(repeating: 1, count: 32) + whole.suffix(16),
            whole.dropLast(8) + Bytes(repeating: 0xFF, count: 8), whole.dropLast(12) + Bytes(repeating: 0, count: 12),
            whole.dropLast(16) + Bytes(repeating: 0x7F, count: 4) + whole.suffix(12),
        ] as [Bytes] {
            #expect(
                try refusal { try announce(session, .base64URL(spoiled), "active", at: 0) } == "malformed",
                "\(Hex.encode(spoiled).count / 2)")
        }
        #expect(try refusal { try announce(session, nil, "failed", at: 0) } == "wrong_type")
        #expect(try refusal { try announced(session, nil, [], at: 0) } == "missing_member")
    }
}
