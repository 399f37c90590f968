import Encodings
import Pico
import Testing

@testable import Wallet

/// Sessions that stay open while the wallet answers.
@Suite("A wallet that stays", .timeLimit(.minutes(5)))
struct PicoStayTests {
    /// A session as both sides have it after Status 1.
    private static func session() throws -> PicoSession {
        try PicoSession(sessionID: 0, key: Bytes(repeating: 7, count: 16))
    }

    private static let timings = PicoTimings(active: 10_000, paused: 50_000, grace: 5_000, first: 30_000)

    @Test("says so again before the service would give up, pauses, goes on and stops at once")
    func states() async throws {
        let stage = try PicoStage()
        let stay = PicoStay(over: stage.channel, clock: stage.clock, timings: Self.timings)
        let presence = PicoPresence()
        let (states, report) = AsyncStream.makeStream(of: PicoContinuousState.self)
        let session = try Self.session()
        async let service = outcome { try await stay.watch(session) { _ in } }
        async let pico = outcome {
            try await stay.prove(session, presence: presence) { report.yield($0) }
        }
        var next = states.makeAsyncIterator()
        #expect(await next.next() == .active)
        await stage.time.wait(forSleeperUntil: 5_000)
        stage.time.move(to: 5_000)
        #expect(await next.next() == .active)
        presence.want(.paused)
        #expect(await next.next() == .paused)
        // Paused it waits longer: 50 seconds less five.
        await stage.time.wait(forSleeperUntil: 50_000)
        presence.want(.active)
        #expect(await next.next() == .active)
        presence.want(.stopped)
        #expect(await next.next() == .stopped)
        presence.want(.active)
        #expect(presence.wish == .stopped)
        _ = try await pico.get()
        _ = try await service.get()
    }

    @Test("a service whose wallet has gone knows it when the time and the grace are over, and not before")
    func lost() async throws {
        let stage = try PicoStage()
        let stay = PicoStay(over: stage.channel, clock: stage.clock, timings: Self.timings)
        let session = try Self.session()
        let (states, report) = AsyncStream.makeStream(of: PicoContinuousState.self)
        let pico = Task {
            await outcome { try await stay.prove(session, presence: PicoPresence()) { report.yield($0) } }
        }
        async let service = outcome { try await stay.watch(session) { _ in } }
        var next = states.makeAsyncIterator()
        #expect(await next.next() == .active)
        await stage.time.wait(forSleeperUntil: 15_000)
        await stage.time.wait(forSleeperUntil: 5_000)
        // Gone without a word: no message, and no closing.
        pico.cancel()
        #expect(await pico.value.runError == .cancelled)
        stage.time.move(to: 15_000)
        #expect(await service.hasLostPeer)
    }

    @Test("a service that does not answer ends the session for the wallet")
    func silent() async throws {
        let stage = try PicoStage()
        let stay = PicoStay(over: stage.channel, clock: stage.clock, timings: Self.timings)
        let session = try Self.session()
        async let pico = outcome { try await stay.prove(session, presence: PicoPresence()) { _ in } }
        _ = try await stage.channel.receive(before: 60_000)
        await stage.rendezvous.waitForSomebody()
        await stage.time.wait(forSleeperUntil: 35_000)
        stage.time.move(to: 35_000)
        #expect(await pico.runError == .noAnswer)
    }

    @Test("a message of another session ends it")
    func foreign() async throws {
        let stage = try PicoStage()
        let stay = PicoStay(over: stage.channel, clock: stage.clock, timings: Self.timings)
        let (session, other) = (try Self.session(), try PicoSession(sessionID: 0, key: Bytes(repeating: 8, count: 16)))
        async let pico = outcome { try await stay.prove(other, presence: PicoPresence()) { _ in } }
        let service = await outcome(freeing: stage.time) { try await stay.watch(session) { _ in } }
        #expect(service.runError == .refused(.cannotOpen))
        #expect(await pico.hasLostPeer)
    }
}
