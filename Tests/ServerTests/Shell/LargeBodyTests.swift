import Encodings
import HTTPTypes
import Interface
import Testing

@testable import Server

/// Attacks with large bodies: many of them, and such as do not go on coming.
@Suite("Large bodies", .timeLimit(.minutes(5)))
struct LargeBodyTests {
    @Test("have a few places for each account and for all, and give them back")
    func places() throws {
        let bodies = LargeBodies()
        let own = (0..<Limits.largeBodiesPerAccount).map { _ in bodies.place(.whole, for: "eve") }
        for place in own { try place.take() }
        // A request has one place, however often it takes it.
        try own[0].take()
        #expect(throws: Problem.self) { try bodies.place(.whole, for: "eve").take() }
        for number in 0..<(Limits.largeBodies - own.count) {
            try bodies.place(.whole, for: "account \(number)").take()
        }
        let waiting = bodies.place(.whole, for: "one more")
        #expect(throws: Problem.self) { try waiting.take() }
        // Those that are stored while they come have others.
        try bodies.place(.inPieces, for: "one more").take()
        own[0].giveBack()
        own[0].giveBack()
        #expect(bodies.count(.whole) == Limits.largeBodies - 1)
        try waiting.take()
        #expect(throws: Problem.self) { try bodies.place(.whole, for: "eve").take() }
    }

    /// Everybody whose token is their name.
    private struct Anybody: SessionAuthenticator {
        func authenticate(token: String, evenLocked: Bool) async throws -> Principal? {
            Principal(account: token, role: .member, session: "s-" + token, device: "d")
        }
    }

    private static func routes() -> RouteTable {
        var routes = RouteTable()
        routes.secured(
            .post, "/api/whole", "Takes it whole", nil, takes: Sample.self, limit: .document, answers: NoContent.self,
            status: .noContent
        ) { _, _, _ in NoContent() }
        routes.securedBytes(
            .put, "/api/part", "Takes it in pieces", nil, limit: .part, answers: NoContent.self, status: .noContent
        ) { pieces, _, _ in
            _ = try await pieces.collect()
            return NoContent()
        }
        return routes
    }

    /// The head of a request, and what comes of its body.
    private static func request(
        _ line: String, _ type: String, from account: String, length: Int, _ body: Bytes
    ) -> [Bytes] {
        let head =
            "\(line) HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer \(account)\r\nContent-Type: \(type)\r\n"
            + "Content-Length: \(length)\r\n\r\n"
        return [Bytes(text: head), body]
    }

    private static func whole(from account: String) -> [Bytes] {
        let body = Bytes(text: Sample.valid) + Bytes(repeating: 0x20, count: Limits.bodyWithoutPlace)
        return request("POST /api/whole", "application/json", from: account, length: body.count, body)
    }

    @Test("four members whose bodies stop coming hold nobody's part up, and after a while nobody's change")
    func stalled() async throws {
        let manual = ManualClock()
        let shell = Shell(clock: manual.clock, authenticator: Anybody(), publicURL: "https://sign.example.test")
        try await withLiveServer(shell, routes: Self.routes()) { port in
            // So much that they have places, and then nothing more.
            let body = Bytes(repeating: 0x20, count: Limits.bodyWithoutPlace + 1)
            let stalled = (0..<Limits.largeBodies).map { number in
                let parts = Self.request(
                    "POST /api/whole", "application/json", from: "eve-\(number / Limits.largeBodiesPerAccount)",
                    length: 16_000_000, body)
                return Task { try await exchange(port, parts, until: ProblemKind.requestTimeout.path) }
            }
            while shell.largeBodies.count(.whole) < Limits.largeBodies, !Task.isCancelled { await Task.yield() }
            let refused = try await exchange(port, Self.whole(from: "alice"), until: ProblemKind.busy.path)
            #expect(refused.hasPrefix("HTTP/1.1 503 "), "\(refused)")
            let bytes = Bytes(repeating: 7, count: 1_000_000)
            let part = Self.request(
                "PUT /api/part", "application/octet-stream", from: "alice", length: bytes.count, bytes)
            #expect(try await exchange(port, part, until: "\r\n\r\n").hasPrefix("HTTP/1.1 204 "))
            await manual.waitForSleeper(ofExactly: Limits.bodyPause)
            manual.advance(Limits.bodyPause)
            for one in stalled { #expect(try await one.value.hasPrefix("HTTP/1.1 408 ")) }
            #expect(shell.largeBodies.count(.whole) == 0)
            let taken = try await exchange(port, Self.whole(from: "alice"), until: "\r\n\r\n")
            #expect(taken.hasPrefix("HTTP/1.1 204 "), "\(taken)")
        }
    }
}

/// The time in which more has to move, second by second.
@Suite("The pace of a body or a download")
struct PaceTests {
    private static let second = Duration.seconds(1)

    @Test("is lost by who does nothing for so long, or drips, and kept by who goes on")
    func drips() {
        let manual = ManualClock()
        func pace() -> Pace { Pace(pause: .seconds(20), rate: 1_000, within: .seconds(270), clock: manual.clock) }
        let (silent, dripping, steady) = (pace(), pace(), pace())
        for one in [silent, dripping, steady] { one.begin() }
        for _ in 0..<19 {
            manual.advance(Self.second)
            dripping.move(1)
            steady.move(1_000)
        }
        let now = manual.clock.uptime()
        #expect(silent.deadline == now + Self.second)
        #expect(dripping.deadline > now && dripping.deadline < now + .seconds(2))
        #expect(steady.deadline == now + .seconds(20))
    }

    @Test("gives nobody more than the pause for what came at once, nor more than the whole time")
    func ahead() {
        let manual = ManualClock()
        let pace = Pace(pause: .seconds(20), rate: 1_000, within: .seconds(30), clock: manual.clock)
        pace.begin()
        pace.move(16_000_000)
        #expect(pace.deadline == .seconds(20))
        manual.advance(.seconds(15))
        pace.move(16_000_000)
        #expect(pace.deadline == .seconds(30))
    }

    @Test("does not run while the server has work")
    func rest() {
        let manual = ManualClock()
        let pace = Pace(pause: .seconds(20), rate: 1_000, within: nil, clock: manual.clock)
        pace.begin()
        manual.advance(.seconds(5))
        pace.rest()
        manual.advance(.seconds(100))
        #expect(pace.deadline == .seconds(125))
        pace.begin()
        #expect(pace.deadline == .seconds(120))
    }

    @Test("a watch calls once the pace is lost, and not before")
    func watched() async {
        let manual = ManualClock()
        let limits = TimeLimits(clock: manual.clock)
        let pace = Pace(pause: .seconds(20), rate: 1_000, within: nil, clock: manual.clock)
        let (ends, end) = AsyncStream.makeStream(of: Duration.self)
        pace.begin()
        let watch = limits.watch(pace) {
            end.yield(manual.clock.uptime())
            end.finish()
        }
        await manual.waitForSleeper(ofExactly: .seconds(20))
        manual.advance(.seconds(10))
        pace.move(1_000_000)
        manual.advance(.seconds(10))
        // It looks again when the pace may be lost.
        await manual.waitForSleeper(ofExactly: .seconds(10))
        manual.advance(.seconds(10))
        var calls: [Duration] = []
        for await call in ends { calls.append(call) }
        #expect(calls == [.seconds(30)])
        limits.forget(watch)
    }
}
