import Foundation
import Interface
import Synchronization
import Testing

@testable import Server

/// Attacks on the way out: the attacker asks this server to fetch something that only the server can reach.
@Suite("The way to other servers", .timeLimit(.minutes(5)))
struct EgressTests {
    /// A resolver that answers as an attacker's would: another answer each time it is asked.
    private final class FakeLookup: NameLookup {
        private let answers: Mutex<[[String]]>
        let asked = Mutex(0)

        init(_ answers: [String]...) { self.answers = Mutex(answers) }

        func addresses(of name: String) async throws -> [String] {
            asked.withLock { $0 += 1 }
            return answers.withLock { $0.count > 1 ? $0.removeFirst() : $0.first ?? [] }
        }
    }

    /// Remembers where it was sent.
    private final class FakeTransport: EgressTransport {
        let sent = Mutex<[String]>([])
        private let answer: (status: Int, body: [UInt8])

        init(status: Int = 200, body: [UInt8] = [1]) { answer = (status, body) }

        func get(
            _ path: String, of name: String, at address: String, limit: Int
        ) async throws -> (status: Int, body: [UInt8]) {
            sent.withLock { $0.append("\(name)\(path) at \(address)") }
            return answer
        }
    }

    private static let domain = DomainName("example.edu")

    @Test(
        "addresses that are not everybody's are not public, however they are written",
        arguments: [
            "127.0.0.1", "127.255.255.254", "0.0.0.0", "10.0.0.1", "172.16.0.1", "172.31.255.255", "192.168.1.1",
            "169.254.169.254", "100.64.0.1", "192.0.0.1", "192.0.2.1", "192.88.99.1", "198.18.0.1", "198.51.100.1",
            "203.0.113.1", "224.0.0.1", "240.0.0.1", "255.255.255.255", "::", "::1", "::ffff:127.0.0.1",
            "::ffff:169.254.169.254", "::127.0.0.1", "64:ff9b::10.0.0.1", "64:ff9b:1::1", "fe80::1", "fc00::1",
            "fd12::1",
            "ff02::1", "2001:db8::1", "2001::1", "2002:7f00:1::", "100::1", "3fff::1", "fec0::1", "fe80::1%eth0",
            "2130706433", "0x7f000001", "0177.0.0.1", "127.1", "", "example.edu",
        ])
    func notPublic(address: String) { #expect(PublicAddress(address) == nil) }

    @Test(
        "addresses of everybody's network are",
        arguments: [
            "93.184.215.14", "8.8.8.8", "172.32.0.1", "100.128.0.1", "169.253.0.1", "192.0.1.1", "2606:4700::6810:84e5",
            "::ffff:8.8.8.8", "2001:4860:4860::8888", "64:ff9b::8.8.8.8",
        ])
    func isPublic(address: String) { #expect(PublicAddress(address)?.description == address) }

    @Test(
        "a domain is a name, and never an address in any spelling",
        arguments: [
            "127.0.0.1", "[::1]", "::1", "169.254.169.254", "2130706433", "0x7f000001", "0x7f.0.0.0x1", "0177.0.0.1",
            "localhost", "intranet", "example.edu:8443", "example.edu/path", "example.edu?x", "example.edu#x",
            "user@example.edu", "http://example.edu", "ftp://example.edu", "https://", "example..edu", ".edu", "edu.",
            "-a.edu", "a-.edu", "exämple.edu", "example.edu\r\nhost: a", "a b.edu", "example.123", "example.0x1f", "",
            "\(String(repeating: "a", count: 64)).edu", String(repeating: "a.", count: 130) + "edu", "example.edu\u{0}",
        ])
    func noDomain(typed: String) { #expect(DomainName(typed) == nil) }

    @Test(
        "a domain as people type it",
        arguments: ["example.edu", "Example.EDU", "https://example.edu/", "https://example.edu"])
    func domain(typed: String) { #expect(DomainName(typed)?.text == "example.edu") }

    @Test("a name that leads inside is not asked, nor one with an address inside beside a public one")
    func inside() async throws {
        let domain = try #require(Self.domain)
        for addresses in [["127.0.0.1"], ["::1"], ["169.254.169.254"], ["93.184.215.14", "10.0.0.1"], ["fe80::1%lo"]] {
            let transport = FakeTransport()
            let egress = Egress(isOn: true, lookup: FakeLookup(addresses), transport: transport)
            await #expect(throws: Egress.Failure.notPublic) { try await egress.fetch(.organisation, from: domain) }
            #expect(transport.sent.withLock(\.self).isEmpty)
        }
        let nobody = Egress(isOn: true, lookup: FakeLookup([]), transport: FakeTransport())
        await #expect(throws: Egress.Failure.unknownName) { try await nobody.fetch(.organisation, from: domain) }
    }

    @Test("a name that changes between check and connection: it is resolved once, and that address is connected to")
    func rebinding() async throws {
        let domain = try #require(Self.domain)
        let (lookup, transport) = (FakeLookup(["93.184.215.14"], ["127.0.0.1"]), FakeTransport())
        let egress = Egress(isOn: true, lookup: lookup, transport: transport)
        #expect(try await egress.fetch(.organisation, from: domain) == [1])
        #expect(lookup.asked.withLock(\.self) == 1)
        #expect(
            transport.sent.withLock(\.self) == ["example.edu/.well-known/countersign.json at 93.184.215.14"])
        await #expect(throws: Egress.Failure.notPublic) { try await egress.fetch(.statusList(7), from: domain) }
    }

    /// A resolver for names whose servers do not answer.
    private struct SilentLookup: NameLookup {
        func addresses(of name: String) async throws -> [String] {
            try await Task.sleep(for: .seconds(86_400))
            return []
        }
    }

    private struct FakeSender: EgressSender {
        func send(
            _ message: EgressMessage, to address: EgressAddress, at place: String
        ) async throws -> EgressAnswer { EgressAnswer(status: 201) }
    }

    @Test("names that strangers give, and nobody answers for, keep no message waiting")
    func silent() async throws {
        let domain = try #require(Self.domain)
        let egress = Egress(
            isOn: true, lookup: FakeLookup(["93.184.215.14"]), fetchLookup: SilentLookup(),
            transport: FakeTransport(), sender: FakeSender())
        let address = try #require(EgressAddress("https://push.example/a", allowsPrivate: false))
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<Egress.most { group.addTask { _ = try? await egress.fetch(.organisation, from: domain) } }
            let message = EgressMessage(fields: [], body: [])
            let answer = try await egress.send(message, to: address, isAdministrators: false)
            #expect(answer.status == 201)
            group.cancelAll()
        }
        // The system's resolver waits on a thread, so it needs others for these.
        #expect(SystemNameLookup.messages.threads !== SystemNameLookup.fetches.threads)
    }

    @Test("off is off, errors and redirects are no answers, and one that is too long is none either")
    func refused() async throws {
        let domain = try #require(Self.domain)
        func fetch(_ transport: FakeTransport, isOn: Bool = true) async throws(Egress.Failure) {
            _ = try await Egress(isOn: isOn, lookup: FakeLookup(["8.8.8.8"]), transport: transport)
                .fetch(.organisation, from: domain)
        }
        let off = FakeTransport()
        await #expect(throws: Egress.Failure.off) { try await fetch(off, isOn: false) }
        #expect(off.sent.withLock(\.self).isEmpty)
        for status in [301, 302, 307, 308, 404, 500, 204] {
            await #expect(throws: Egress.Failure.refused(status: status)) {
                try await fetch(FakeTransport(status: status))
            }
        }
        let long = FakeTransport(body: [UInt8](repeating: 1, count: PublishedOrganisation.maximumSize + 1))
        await #expect(throws: Egress.Failure.tooLong) { try await fetch(long) }
    }

    // MARK: Real connections

    /// A transport that reaches a server of the test under a name that leads elsewhere.
    ///
    /// - Parameter patience: short only for a server that gives no answer: a busy machine takes a while for any.
    private func get(
        _ server: DrippingServer, limit: Int = 1_000, patience: Duration = .seconds(30)
    ) async throws -> (status: Int, body: [UInt8]) {
        try await HTTPEgressTransport(scheme: "http", port: server.port, patience: patience)
            .get("/x", of: "nobody.invalid", at: "127.0.0.1", limit: limit)
    }

    @Test("the connection goes to the address that was checked, and not where the name leads")
    func pinned() async throws {
        let server = try DrippingServer({ _ in "HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nhi" }, drips: false)
        defer { server.stop() }
        #expect(try await get(server).body == Array("hi".utf8))
    }

    @Test("a redirect inside is not followed", arguments: [301, 302, 303, 307, 308])
    func redirect(status: Int) async throws {
        let server = try DrippingServer(
            { "HTTP/1.1 \(status) Elsewhere\r\nlocation: http://127.0.0.1:\($0)/secret\r\ncontent-length: 0\r\n\r\n" },
            drips: false)
        defer { server.stop() }
        #expect(try await get(server).status == status)
        #expect(server.asked == 1)
    }

    @Test("an answer that is longer than allowed is given up, whatever length it claims")
    func huge() async throws {
        let body = String(repeating: "x", count: 200_000)
        for head in ["content-length: 200000", "connection: close"] {
            let server = try DrippingServer({ _ in "HTTP/1.1 200 OK\r\n\(head)\r\n\r\n\(body)" }, drips: false)
            defer { server.stop() }
            await #expect(throws: Egress.Failure.tooLong) { _ = try await get(server) }
        }
    }

    @Test("an answer that never ends, and one that never begins, are given up in time")
    func slow() async throws {
        for head in ["HTTP/1.1 200 OK\r\ncontent-length: 900\r\n\r\n", "HTTP/1.1 200"] {
            let server = try DrippingServer({ _ in head }, drips: true)
            defer { server.stop() }
            await #expect(throws: (any Error).self) { _ = try await get(server, patience: .milliseconds(500)) }
        }
    }

    @Test("plain http is not spoken: a server without a certificate gives nothing")
    func onlyTLS() async throws {
        let server = try DrippingServer({ _ in "HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nhi" }, drips: false)
        defer { server.stop() }
        let transport = HTTPEgressTransport(scheme: "https", port: server.port, patience: .milliseconds(500))
        await #expect(throws: (any Error).self) {
            _ = try await transport.get("/x", of: "nobody.invalid", at: "127.0.0.1", limit: 1_000)
        }
    }
}
