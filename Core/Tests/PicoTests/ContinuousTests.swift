import EllipticCurves
import Encodings
import Testing

@testable import Pico

@Suite("Continuous authentication")
struct ContinuousTests {
    private let suite = TestSuite()

    private func session() throws -> PicoSession { try PicoSession(sessionID: 0, key: Bytes(0..<16)) }

    private func both() throws -> (pico: PicoContinuousProver, service: PicoContinuousVerifier) {
        (
            try PicoContinuousProver(session(), at: 0, suite: suite),
            try PicoContinuousVerifier(session(), at: 0, suite: suite)
        )
    }

    @Test("takes a session of libpico's service, on both sides")
    func recorded() throws {
        let file = try Fixture.json("continuous-basic")
        let key = try PicoSession(sessionID: 0, key: file.hex("shared_key"))
        var pico = try PicoContinuousProver(key, at: 0, suite: suite)
        var service = try PicoContinuousVerifier(key, at: 0, suite: suite)
        let messages = try file.list("messages")
        let meanings = try file.list("meaning")
        #expect(messages.count == 2 * meanings.count)
        for (index, message) in messages.enumerated() {
            let meaning = meanings[index / 2]
            if try message.text("from").equals("pico") {
                let state = try service.receive(message.text("wire"), at: 0, suite: suite)
                #expect(Int64(state.rawValue) == (try meaning.number("pico_state")))
                _ = try service.reply(at: 0, suite: suite)
            } else {
                _ = try pico.send(.active, at: 0, suite: suite)
                let answer = try pico.receive(message.text("wire"), at: 0, suite: suite)
                #expect(Int64(answer.state.rawValue) == (try meaning.number("service_state")))
                let timeout = try meaning.number("timeout_ms")
                #expect(answer.sendAt == max(timeout - 5_000, timeout / 2))
            }
        }
    }

    @Test("writes the plaintexts and the messages of that session, byte for byte")
    func layouts() throws {
        let file = try Fixture.json("continuous-basic")
        let key = SecretBytes(try file.hex("shared_key"))
        for message in try file.list("messages") {
            let plaintext = try message.hex("plaintext")
            let isPico = try message.text("from").equals("pico")
            #expect(
                try isPico
                    ? PicoReauth.parse(plaintext).encoded() == plaintext
                    : ServiceReauth.parse(plaintext).encoded() == plaintext)
            let sealed = try SealedMessage.seal(
                plaintext, key: key, sessionID: 0, suite: TestSuite([message.hex("iv")]))
            let wire = try message.text("wire")
            // The order of members is libpico's in its own messages.
            #expect(try isPico ? sealed.encoded() == wire : sealed == SealedMessage.parse(wire))
        }
    }

    @Test("refuses what the vectors say, and nothing before")
    func sequences() throws {
        let file = try Fixture.json("continuous-messages")
        let key = try PicoSession(sessionID: 0, key: file.hex("shared_key"))
        let cases = try file.list("cases")
        #expect(cases.count == 7)
        for vector in cases {
            var pico = try PicoContinuousProver(key, at: 0, suite: suite)
            var service = try PicoContinuousVerifier(key, at: 0, suite: suite)
            let isPico = try vector.text("receiver").equals("pico")
            var rejected: Int64?
            for (index, wire) in try vector.list("wire").enumerated() {
                let message = try #require(wire.string)
                let error = refusal {
                    if isPico {
                        _ = try pico.send(.active, at: 0, suite: suite)
                        _ = try pico.receive(message, at: 0, suite: suite)
                    } else {
                        _ = try service.receive(message, at: 0, suite: suite)
                        _ = try service.reply(at: 0, suite: suite)
                    }
                }
                if error != nil {
                    rejected = Int64(index)
                    break
                }
            }
            let id = string(try vector.text("id"))
            #expect(rejected == vector["first_rejected"]?.integer, "\(id)")
        }
    }

    @Test("pauses, goes on and stops")
    func life() throws {
        var (pico, service) = try both()
        let moves: [(PicoContinuousState, Int64?)] = [
            (.active, 5_000), (.paused, 45_000), (.paused, 45_000), (.active, 5_000), (.stopped, nil),
        ]
        for (state, wait) in moves {
            #expect(try service.receive(pico.send(state, at: 0, suite: suite), at: 0, suite: suite) == state)
            let answer = try pico.receive(service.reply(at: 0, suite: suite), at: 0, suite: suite)
            #expect(answer == PicoContinuousProver.Answer(state: state, sendAt: wait))
        }
        #expect(pico.state.isOver && service.state.isOver)
        #expect(throws: PicoError.forbiddenMove) { try pico.send(.active, at: 0, suite: suite) }
    }

    @Test("the service may pause and stop too")
    func serviceDecides() throws {
        var (pico, service) = try both()
        for state in [PicoContinuousState.paused, .stopped] {
            _ = try service.receive(pico.send(.active, at: 0, suite: suite), at: 0, suite: suite)
            let answer = try pico.receive(service.reply(state, at: 0, suite: suite), at: 0, suite: suite)
            #expect(answer.state == state)
        }
        #expect(pico.state == .stopped)
    }

    @Test("a Pico that is late is lost, and so is a service")
    func lost() throws {
        var (pico, service) = try both()
        let first = try pico.send(.active, at: 0, suite: suite)
        #expect(service.deadline == 30_000 && pico.deadline == 40_000)
        var late = service
        #expect(throws: PicoError.timedOut) { try late.receive(first, at: 30_001, suite: suite) }
        #expect(throws: PicoError.outOfOrder) { try late.receive(first, at: 0, suite: suite) }
        #expect(late.state == .failed)
        _ = try service.receive(first, at: 30_000, suite: suite)
        let answer = try service.reply(at: 30_000, suite: suite)
        #expect(service.deadline == 50_000)
        try service.check(at: 50_000)
        #expect(throws: PicoError.timedOut) { try service.check(at: 50_001) }
        #expect(service.state == .failed)
        #expect(throws: PicoError.timedOut) { try pico.receive(answer, at: 40_001, suite: suite) }
        #expect(throws: PicoError.outOfOrder) { try pico.send(.active, at: 0, suite: suite) }
    }

    @Test("a paused session may be silent for longer")
    func pausedTime() throws {
        var (pico, service) = try both()
        _ = try service.receive(pico.send(.paused, at: 0, suite: suite), at: 0, suite: suite)
        _ = try service.reply(at: 0, suite: suite)
        #expect(service.deadline == 60_000)
    }

    @Test("sends and receives by turns")
    func turns() throws {
        var (pico, service) = try both()
        var impatient = service
        #expect(throws: PicoError.outOfOrder) { try impatient.reply(at: 0, suite: suite) }
        let first = try pico.send(.active, at: 0, suite: suite)
        var twice = pico
        #expect(throws: PicoError.outOfOrder) { try twice.send(.active, at: 0, suite: suite) }
        _ = try service.receive(first, at: 0, suite: suite)
        #expect(throws: PicoError.outOfOrder) { try service.receive(first, at: 0, suite: suite) }
        #expect(service.state == .failed)
    }

    @Test("knows exactly the moves of the specification")
    func moves() {
        for state in PicoContinuousState.allCases {
            for next in PicoContinuousState.allCases {
                let expected: Bool =
                    switch (state, next) {
                    case (.active, .failed), (.paused, .failed), (.failed, _): false
                    case (.active, _), (.paused, _): true
                    case (.stopped, _): next == .stopped
                    }
                #expect(state.allows(next) == expected)
            }
        }
    }

    @Test("the peer's error ends the session")
    func peerError() throws {
        var (pico, service) = try both()
        let failing = try pico.send(.failed, at: 0, suite: suite)
        #expect(throws: PicoError.peerFailed) { try service.receive(failing, at: 0, suite: suite) }
        #expect(service.state == .failed && pico.state == .failed)
    }

    @Test("a number of all ones is followed by zero")
    func wrapping() throws {
        let last = try PicoSequence(Bytes(repeating: 0xFF, count: 32))
        #expect(last.next.bytes == Bytes(repeating: 0, count: 32))
        #expect(last.next.next.bytes == Bytes(repeating: 0, count: 31) + [1])
        #expect(throws: PicoError.malformed) { try PicoSequence(Bytes(repeating: 0, count: 31)) }
    }

    @Test("a service's time that no service means is refused")
    func times() throws {
        for timeout: Int32 in [0, -1, .min, .max] {
            var (pico, _) = try both()
            _ = try pico.send(.active, at: 0, suite: suite)
            let plaintext = ServiceReauth(
                state: .active, timeout: timeout, sequence: try PicoSequence(Bytes(repeating: 9, count: 32))
            ).encoded()
            let message = try SealedMessage.seal(
                plaintext, key: SecretBytes(Bytes(0..<16)), sessionID: 0, suite: suite)
            #expect(throws: PicoError.malformed) { try pico.receive(message.encoded(), at: 0, suite: suite) }
        }
        #expect(PicoTimings(active: 1, paused: .max, grace: 0, first: -1).active == 1_000)
        #expect(PicoTimings(active: 1, paused: .max, grace: 0, first: -1).paused == 3_600_000)
    }
}
