import Encodings
import HTTPTypes
import HummingbirdTesting
import Interface
import NIOCore
import Synchronization
import Testing

@testable import Server

/// An organisation's published document under its domain, and look-ups of verifiers through a server.
@Suite("Organisations that are looked up by their domain")
struct LookupTests {
    private struct Everywhere: NameLookup {
        func addresses(of name: String) async throws -> [String] { ["8.8.8.8"] }
    }

    private final class Elsewhere: EgressTransport {
        private let body: Mutex<[UInt8]>
        init(_ body: [UInt8]) { self.body = Mutex(body) }
        func set(_ body: [UInt8]) { self.body.withLock { $0 = body } }
        func get(
            _ path: String, of name: String, at address: String, limit: Int
        ) async throws -> (status: Int, body: [UInt8]) { (200, body.withLock(\.self)) }
    }

    private func service(_ transport: Elsewhere) -> LookupService {
        LookupService(egress: Egress(isOn: true, lookup: Everywhere(), transport: transport))
    }

    private func published() async throws -> (bytes: [UInt8], headers: HTTPFields) {
        let organisation = try await TestOrganisation()
        let found = Mutex<([UInt8], HTTPFields)>(([], [:]))
        try await organisation.serve { client in
            try await client.client.execute(uri: PublishedOrganisation.path, method: .get) { response in
                #expect(response.status == .notFound)
            }
            _ = try await client.setUp(try organisation.person("owner"))
            try await client.client.execute(uri: PublishedOrganisation.path, method: .get) { response in
                #expect(response.status == .ok)
                found.withLock { $0 = (response.bytes, response.headers) }
            }
        }
        let (bytes, headers) = found.withLock(\.self)
        return (bytes, headers)
    }

    @Test("the document names organisation, root and log key, and any page may read it")
    func document() async throws {
        let (bytes, headers) = try await published()
        #expect(headers[.accessControlAllowOrigin] == "*")
        #expect(headers[.resourcePolicy] == "cross-origin")
        let json = try JSON.parse(bytes)
        #expect(json["format"]?.isString("countersign-organisation-v1") == true)
        #expect(json["versions"]?.array == [.text("countersign-presentation-v1")])
        let read = try #require(PublishedOrganisation(bytes))
        #expect(!read.name.isEmpty && read.rootFingerprint.count == 64 && read.logKey.contains("+"))
    }

    @Test("what a domain publishes is handed on when it holds together, and not when its root is another's")
    func lookup() async throws {
        let (bytes, _) = try await published()
        let transport = Elsewhere(bytes)
        let found = try await service(transport).organisation(DomainLookup(domain: "Example.edu"))
        #expect(found == PublishedOrganisation(bytes))
        // A newer server may say more.
        let text = String(decoding: bytes, as: UTF8.self)
        transport.set(Array(text.replacing("{\"format\"", with: "{\"extra\":1,\"format\"").utf8))
        #expect(try await service(transport).organisation(DomainLookup(domain: "example.edu")).name == found.name)
        let forged = [
            text.replacing(found.rootFingerprint, with: String(repeating: "0", count: 64)),
            text.replacing("\"public_url\":\"", with: "\"public_url\":\"https://bank.example/"),
            text.replacing("countersign-organisation-v1", with: "countersign-organisation-v9"), "<html>", "", "[]",
        ]
        for text in forged {
            transport.set(Array(text.utf8))
            let problem = await #expect(throws: Problem.self) {
                try await service(transport).organisation(DomainLookup(domain: "example.edu"))
            }
            #expect(problem?.kind == .notFound, "\(text.prefix(60))")
        }
        let problem = await #expect(throws: Problem.self) {
            try await service(transport).organisation(DomainLookup(domain: "127.0.0.1"))
        }
        #expect(problem?.kind == .invalidMember)
    }

    @Test("status lists: of one server, under their own addresses, and tokens only")
    func status() async throws {
        let transport = Elsewhere(Array("e30.e30.sig\n".utf8))
        let asked = try await service(transport).status(
            StatusLookup(lists: ["https://a.example/status/1", "https://a.example/status/2"]))
        #expect(asked.tokens == ["e30.e30.sig", "e30.e30.sig"])
        let wrong = [
            [], ["https://a.example/status/1", "https://b.example/status/1"], ["http://a.example/status/1"],
            ["https://a.example/admin/1"], ["https://a.example:22/status/1"], ["https://127.0.0.1/status/1"],
            ["https://a.example/status/x"], ["https://a.example/status/1?x"], ["https://a.example/status/../x"],
            Array(repeating: "https://a.example/status/1", count: 5),
        ]
        for lists in wrong {
            let problem = await #expect(throws: Problem.self) {
                try await service(transport).status(StatusLookup(lists: lists))
            }
            #expect(problem?.kind == .invalidMember, "\(lists)")
        }
        transport.set(Array("<html>a secret of the inside</html>".utf8))
        let problem = await #expect(throws: Problem.self) {
            try await service(transport).status(StatusLookup(lists: ["https://a.example/status/1"]))
        }
        #expect(problem?.kind == .notFound && problem?.detail.contains("secret") == false)
    }

    @Test("one address may look up twenty times in a minute, and no more")
    func rate() async throws {
        let organisation = try await TestOrganisation()
        try await organisation.serve { client in
            for number in 0...20 {
                try await client.client.execute(
                    uri: "/api/lookups/organisation", method: .post, headers: [.contentType: "application/json"],
                    body: .init(string: "{\"domain\":\"localhost\"}")
                ) { response in
                    #expect(response.status.code == (number < 20 ? 422 : 429))
                }
            }
        }
    }
}
