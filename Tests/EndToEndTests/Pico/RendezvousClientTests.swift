import Encodings
import Pico
import Synchronization
import Testing

@testable import Wallet
@testable import countersign

/// The rendezvous client against points that answer as they please, and against the real one.
@Suite("A rendezvous client", .timeLimit(.minutes(15)))
struct RendezvousClientTests {
    private typealias Answer = ScriptedServer.Answer

    private static let taken = Answer(body: Bytes(text: "{\"status\":\"ok\",\"code\":0}\n"))
    private static let closed = Answer(body: Bytes(text: "{\"status\":\"ok\",\"code\":-1}\n"))
    private static let timedOut = Answer(body: Bytes(text: "{\"status\":\"error\",\"code\":2}\n"))
    private static func data(_ bytes: Bytes) -> Answer { Answer(type: "application/octet-stream", body: bytes) }

    private static func client(_ url: String) throws -> RendezvousClient {
        RendezvousClient(try PicoAddress.parse(Bytes(text: "\(url)/channel/test"), accepting: .rendezvous))
    }

    /// Only a test that hangs meets it.
    private static var soon: Int64 { PicoClock.system.now() + 240_000 }

    private static let deadline: Int64 = 30_000

    /// A clock that goes as far as somebody waits, however slow the machine is.
    ///
    /// The deadline never comes.
    ///
    /// - Parameter step: how far it goes, too, whenever somebody looks at it.
    private static func patientClock(_ time: TestTime, step: Int64 = 0) -> PicoClock {
        let read: @Sendable () -> Int64 = {
            time.now.withLock { now in
                now += step
                return now
            }
        }
        return PicoClock(now: read) { until in
            guard until < deadline else { return try await Task.sleep(for: .seconds(3_600)) }
            let pause = time.now.withLock { now in
                let pause = until - now
                now = max(now, until)
                return pause
            }
            time.pauses.withLock { $0.append(pause) }
        }
    }

    private final class TestTime: Sendable {
        let now = Mutex<Int64>(0)
        let pauses = Mutex<[Int64]>([])
    }

    /// What becomes of a read or a write.
    private static func ask(
        _ script: [Answer], reading: Bool, clock: PicoClock? = nil
    ) async throws -> (message: Bytes?, error: PicoRunError?, methods: [String]) {
        let server = try await ScriptedServer.start(script)
        let client = RendezvousClient(
            try PicoAddress.parse(Bytes(text: "\(server.url)/channel/test"), accepting: .rendezvous),
            clock: clock ?? patientClock(TestTime()))
        var (message, error): (Bytes?, PicoRunError?)
        do throws(PicoRunError) {
            if reading {
                message = try await client.receive(before: deadline)
            } else {
                try await client.send([1], before: deadline)
            }
        } catch let caught {
            error = caught
        }
        let methods = server.methods
        try await server.stop()
        return (message, error, methods)
    }

    @Test("asks again after a time-out, when it was too quick, and when another request is still there")
    func again() async throws {
        let pause = Answer(status: 429, fields: ["retry-after": "1"])
        let busy = Answer(status: 404)
        let read = try await Self.ask(
            [Self.timedOut, pause, busy, Self.timedOut, Self.data(PicoFrame.encode([7, 8]))], reading: true)
        #expect(read.message == [7, 8] && read.methods == Array(repeating: "GET", count: 5))
        let write = try await Self.ask([Self.timedOut, busy, Self.taken], reading: false)
        #expect(write.error == nil && write.methods == Array(repeating: "POST", count: 3))
    }

    @Test("a rendezvous point that says at once that nobody came is asked again after pauses that grow")
    func hasty() async throws {
        let script = Array(repeating: Self.timedOut, count: 8) + [Self.data(PicoFrame.encode([1]))]
        let hasty = TestTime()
        #expect(try await Self.ask(script, reading: true, clock: Self.patientClock(hasty)).message == [1])
        #expect(hasty.pauses.withLock(\.self) == [100, 200, 400, 800, 1_600, 3_200, 5_000, 5_000])
        // One that has waited for somebody is asked again without a pause.
        let patient = TestTime()
        let clock = Self.patientClock(patient, step: 1_000)
        #expect(try await Self.ask(script, reading: true, clock: clock).message == [1])
        #expect(patient.pauses.withLock(\.self) == [])
    }

    @Test("a channel that stays taken, or was closed, is told")
    func told() async throws {
        let busy = try await Self.ask(Array(repeating: Answer(status: 404), count: 100), reading: false)
        #expect(busy.error == .channelTaken && busy.methods.count == 21)
        #expect(try await Self.ask([Self.closed], reading: true).error == .channelClosed)
        #expect(try await Self.ask([Self.closed], reading: false).error == .channelClosed)
    }

    @Test("anything else is no rendezvous point, and no message")
    func others() async throws {
        let message = PicoFrame.encode([1])
        let bad: [(Answer, PicoRunError)] = [
            (Answer(status: 307, fields: ["location": "/elsewhere"]), .noRendezvous("127.0.0.1")),
            (Answer(status: 500), .noRendezvous("127.0.0.1")),
            (Answer(type: "application/octet-stream; charset=utf-8", body: message), .noRendezvous("127.0.0.1")),
            (Answer(type: nil, body: message), .noRendezvous("127.0.0.1")),
            (Answer(body: Bytes(text: "{\"code\":7}")), .noRendezvous("127.0.0.1")),
            (Self.taken, .noRendezvous("127.0.0.1")),
            (Self.data([]), .refused(.malformed)), (Self.data([0, 0, 0, 0]), .refused(.malformed)),
            (Self.data([0, 0, 0, 2, 1]), .refused(.malformed)), (Self.data(message + [1]), .refused(.malformed)),
            (Self.data(Bytes(repeating: 1, count: 65_541)), .refused(.tooLarge)),
        ]
        for (answer, error) in bad {
            #expect(try await Self.ask([answer], reading: true).error == error, "\(answer.status) \(answer.type ?? "")")
        }
        #expect(try await Self.ask([Self.data(message)], reading: false).error == .noRendezvous("127.0.0.1"))
    }

    @Test("nobody at the address, and nobody who answers")
    func nobody() async throws {
        let server = try await ScriptedServer.start([])
        let client = try Self.client(server.url)
        await #expect(throws: PicoRunError.noAnswer) {
            _ = try await client.receive(before: PicoClock.system.now() + 200)
        }
        try await server.stop()
        let gone = try Self.client("http://127.0.0.1:\(try DemoServer.freePort())")
        await #expect(throws: PicoRunError.unreachable("127.0.0.1")) { _ = try await gone.receive(before: Self.soon) }
    }

    @Test("a read that is cancelled lets the channel go, and closing ends the wait of the other side")
    func cancelled() async throws {
        let place = try await PicoPlace()
        let (one, other) = (try Self.client(place.server.url), try Self.client(place.server.url))
        let reading = Task { try await one.receive(before: Self.soon) }
        // Written and read: the first reader was there.
        try await other.send([5], before: Self.soon)
        #expect(try await reading.value == [5])
        let waiting = Task { try await one.receive(before: Self.soon) }
        waiting.cancel()
        #expect(await waiting.result.isCancelled)
        // The slot is free again: another reader gets the next message. A server that has not heard yet that the first one is
        // gone gives it to that one: then it comes again.
        let sending = Task { while !Task.isCancelled { try? await one.send([6], before: Self.soon) } }
        defer { sending.cancel() }
        #expect(try await other.receive(before: Self.soon) == [6])
    }
}

extension Result where Failure == any Error {
    fileprivate var isCancelled: Bool {
        guard case .failure(let error) = self else { return false }
        return error as? PicoRunError == .cancelled
    }
}
