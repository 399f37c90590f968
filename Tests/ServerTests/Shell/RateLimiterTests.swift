import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Interface
import NIOCore
import Testing

@testable import Server

@Suite("Rates are limited by address and account")
struct RateLimiterTests {
    private let rate = Limits.Rate(name: "test", burst: 3, perMinute: 6)

    private func spends(_ limiter: RateLimiter, _ subject: RateLimiter.Subject) -> Int {
        (0..<100).prefix { _ in (try? limiter.spend(rate, for: subject)) != nil }.count
    }

    @Test("a burst, then one token every ten seconds, and never more than the burst")
    func refill() {
        let manual = ManualClock()
        let limiter = RateLimiter(clock: manual.clock)
        #expect(spends(limiter, .account("a")) == 3)
        manual.advance(.seconds(9))
        #expect(spends(limiter, .account("a")) == 0)
        manual.advance(.seconds(1))
        #expect(spends(limiter, .account("a")) == 1)
        manual.advance(.seconds(100_000))
        #expect(spends(limiter, .account("a")) == 3)
    }

    @Test("the refusal says how long to wait")
    func retryAfter() throws {
        let limiter = RateLimiter(clock: ManualClock().clock)
        _ = spends(limiter, .account("a"))
        let problem = #expect(throws: Problem.self) { try limiter.spend(rate, for: .account("a")) }
        #expect(problem?.retryAfter == 10)
        #expect(problem?.kind == .tooManyRequests)
    }

    @Test("subjects do not share, nor do an address, an account, a device and a session of the same name")
    func separate() {
        let limiter = RateLimiter(clock: ManualClock().clock)
        #expect(spends(limiter, .account("a")) == 3)
        #expect(spends(limiter, .address("a")) == 3)
        #expect(spends(limiter, .account("b")) == 3)
        #expect(spends(limiter, .device("a")) == 3 && spends(limiter, .session("a")) == 3)
    }

    @Test("one host cannot use all addresses of its IPv6 network")
    func network() {
        let limiter = RateLimiter(clock: ManualClock().clock)
        #expect(spends(limiter, .address("2001:db8::1")) == 3)
        #expect(spends(limiter, .address("2001:db8:0:0:ffff::2")) == 0)
        #expect(spends(limiter, .address("2001:db8:0:1::1")) == 3)
        #expect(spends(limiter, .address("192.0.2.1")) == 3)
        #expect(spends(limiter, .address("::ffff:192.0.2.1")) == 0)
    }

    static let networks: [(String, String?)] = [
        ("::", "0:0:0:0::/64"), ("::1", "0:0:0:0::/64"), ("2001:db8::", "2001:db8:0:0::/64"),
        ("FE80::1%eth0", "fe80:0:0:0::/64"), ("1:2:3:4:5:6:7:8", "1:2:3:4::/64"), ("::ffff:1.2.3.4", "1.2.3.4"),
        ("1:2:3", nil), ("1::2::3", nil), (":::", nil), ("12345::", nil), ("x::", nil), ("1:2:3:4:5:6:7:8:9", nil),
        ("+1::", nil), ("1:2:3:4:5:6:7:+8", nil), ("-1::", nil), (":1:2:3:4:5:6:7", nil), ("1:2:3:4:5:6:7:", nil),
        ("1:2:3:4:5:6:7::8", nil), ("1:2:3:4:5:6:7::", "1:2:3:4::/64"), ("::2:3:4:5:6:7:8", "0:2:3:4::/64"), (":", nil),
        ("", nil), ("::ffff:1.2.3", nil), ("::ffff:1.2.3.256", nil), ("::ffff:+1.2.3.4", nil), ("::ffff:01.2.3.4", nil),
        ("::ffff:1:1.2.3.4", nil),
    ]

    @Test("IPv6 addresses are read as networks", arguments: networks)
    func parsing(_ text: String, _ network: String?) {
        #expect(IPv6Network.prefix64(of: text) == network)
    }

    @Test("memory is bounded, and the one unused for longest is forgotten first")
    func bounded() {
        let limiter = RateLimiter(clock: ManualClock().clock, capacity: 3)
        for name in ["a", "b", "c"] { #expect(spends(limiter, .account(name)) == 3) }
        #expect(spends(limiter, .account("a")) == 0)
        #expect(spends(limiter, .account("d")) == 3)
        #expect(limiter.count == 3)
        #expect(spends(limiter, .account("a")) == 0)
        #expect(spends(limiter, .account("b")) == 3)
    }

    @Test("an endless row of new subjects does not grow the table")
    func flood() {
        var table = LeastRecentlyUsed<Int, Int>(capacity: 10)
        for number in 0..<10_000 { table.insert(number, for: number) }
        #expect(table.count == 10)
        #expect((9_990..<10_000).allSatisfy { table.removeValue(for: $0) == $0 })
        #expect(table.count == 0)
        table.insert(1, for: 1)
        #expect(table.removeValue(for: 1) == 1)
    }

    @Test("an open route refuses with 429 and recovers with time")
    func route() async throws {
        let manual = ManualClock()
        try await withServer(makeShell(manual.clock)) { client in
            let send: @Sendable (HTTPResponse.Status) async throws -> Void = { status in
                try await client.execute(
                    uri: "/api/sample", method: .post, headers: [.contentType: "application/json"],
                    body: ByteBuffer(string: Sample.valid)
                ) { response in
                    #expect(response.status == status)
                    guard status == .tooManyRequests else { return }
                    let details = try problem(response)
                    #expect(details.type == ProblemKind.tooManyRequests.path)
                    #expect(response.headers[.retryAfter] == "3")
                }
            }
            for _ in 0..<Int(Limits.Rate.signUp.burst) { try await send(.ok) }
            try await send(.tooManyRequests)
            manual.advance(.seconds(3))
            try await send(.ok)
        }
    }

    @Test("guessing tokens is limited by address")
    func tokens() async throws {
        try await withServer { client in
            for attempt in 0...Int(Limits.Rate.badToken.burst) {
                try await client.execute(uri: "/api/me", method: .get, headers: [.authorization: "Bearer x"]) {
                    let isLast = attempt == Int(Limits.Rate.badToken.burst)
                    #expect($0.status == (isLast ? .tooManyRequests : .unauthorized))
                }
            }
        }
    }

    @Test(
        "a proxy is believed only if it is to be, and only for the address that it added itself",
        arguments: [
            (false, "192.0.2.9", "unknown"), (true, "192.0.2.9", "192.0.2.9"),
            (true, "10.0.0.1, 192.0.2.9", "192.0.2.9"), (true, "2001:db8::1", "2001:db8::1"),
            (true, "rubbish", "unknown"), (true, "", "unknown"), (true, "1.2.3.4.5", "unknown"),
        ])
    func proxy(_ isTrusted: Bool, _ field: String, _ address: String) throws {
        let name = try #require(HTTPField.Name("X-Forwarded-For"))
        let head = HTTPRequest(method: .get, scheme: nil, authority: nil, path: "/", headerFields: [name: field])
        let request = Request(head: head, body: .init(buffer: ByteBuffer()))
        #expect(ClientAddress.of(request, peer: nil, trustsProxy: isTrusted) == address)
    }
}
