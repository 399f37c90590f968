import CryptoProvider
import Encodings
import Fuzzing
import HTTPTypes
import HandSignatures
import Hummingbird
import HummingbirdTesting
import Interface
import Logging
import Testing

@testable import Server

/// Everything at the desk.
///
/// One after the other: without the optimiser a comparison keeps a processor for a while.
@Suite("The desk", .serialized)
enum DeskTests {
    /// A desk of an organisation of its own.
    static func atDesk(_ body: @escaping @Sendable (Desk) async throws -> Void) async throws {
        try await TestOrganisation().serve { try await body(try await Desk($0)) }
    }

    /// A desk with a client and a document.
    static func withDocument(
        _ body: @escaping @Sendable (Desk, Client, WorkspaceDocument, SyntheticHand) async throws -> Void
    ) async throws {
        try await atDesk { desk in
            let hand = SyntheticHand(seed: 1)
            let person = try await desk.register(hand).decode(ClientAct.self).client
            try await body(desk, person, try await desk.addDocument(), hand)
        }
    }
}

/// A desk with its people: sessions of the main administrator, an operator and a member, and a forensic key.
struct Desk: Sendable {
    let client: TestClient
    let owner: NewSession
    let operatorSession: NewSession
    let operatorPerson: TestPerson
    let member: NewSession
    /// Its private half, which the server never sees.
    let forensic: EncryptionKey

    var organisation: TestOrganisation { client.organisation }

    init(_ client: TestClient) async throws {
        self.client = client
        owner = try await client.setUp(client.organisation.person("owner"))
        operatorPerson = try client.organisation.person("desk")
        operatorSession = try await client.join(
            operatorPerson, invitation: try await client.invite(.operator, token: owner.token))
        member = try await client.join(client.organisation.person("member"))
        forensic = try EncryptionKey()
        let answer = try await client.send(
            .put, "/api/desk/forensic-key", ForensicKey(key: forensic.publicKey.x963.base64URL), token: owner.token)
        #expect(answer.status == 200)
    }

    private init(_ desk: Desk, _ client: TestClient, _ session: NewSession) {
        (self.client, owner, operatorSession, operatorPerson) = (client, desk.owner, session, desk.operatorPerson)
        (member, forensic) = (desk.member, desk.forensic)
    }

    /// The same with another session of the operator.
    func with(_ session: NewSession) -> Desk { Desk(self, client, session) }

    /// The same as a server has it that starts now: it reads its models when it does.
    ///
    /// - Parameter keys: others than before, if they were rotated.
    func afterStart(
        with keys: ServerKeys? = nil, _ body: @escaping @Sendable (Desk) async throws -> Void
    ) async throws {
        let server = organisation.server
        var routes = RouteTable()
        let judge = try await SignatureJudge.current(in: server.environment.database)
        let environment = keys.map(server.environment.with) ?? server.environment
        HandSignatureRoutes(environment: environment, judge: judge).add(to: &routes)
        try await Application(router: routes.router(server.shell, logLevel: .critical)).test(.router) { raw in
            let later = TestClient(client: raw, organisation: organisation)
            try await body(Desk(self, later, operatorSession))
        }
    }

    /// All rows of a list, page by page.
    func pages<Row: Codable & Sendable>(_ path: String) async throws -> [Row] {
        var (rows, next) = ([Row](), String?.none)
        for number in 0... {
            let page = try await client.send(
                .get, path + (next.map { "&cursor=\($0)" } ?? ""), token: owner.token
            ).decode(Listing<Row>.self)
            (rows, next) = (rows + page.items, page.next)
            guard next != nil, number < 50 else { break }
        }
        #expect(next == nil)
        return rows
    }

    /// Signatures of a hand as a page would send them.
    static func texts(_ hand: SyntheticHand, _ numbers: Range<UInt64>, tool: Capture.Tool = .pen) throws -> [String] {
        try numbers.map { number in
            String(decoding: CaptureJSON.write(try hand.signature(number, tool: tool)), as: UTF8.self)
        }
    }

    /// Registers a client with the first six signatures of a hand.
    func register(
        _ hand: SyntheticHand, number: String = "AB123456", check: String? = nil, tool: Capture.Tool = .pen
    ) async throws -> TestClient.Answer {
        let texts = try Self.texts(hand, 0..<6, tool: tool)
        return try await client.send(
            .post, "/api/clients",
            NewClient(
                number: number, givenName: "Ada", familyName: "Lovelace", paper: "passport",
                circumstances: .seen,
                signatures: NewSignatures(references: Array(texts[0..<5]), check: check ?? texts[5])),
            token: operatorSession.token)
    }

    /// A text with every field.
    func addDocument(_ name: String = "Consent") async throws -> WorkspaceDocument {
        let text = """
            {"blocks":[{"kind":"heading","level":1,"runs":[{"text":"Consent"}]},{"kind":"paragraph","runs":[\
            {"text":"I, "},{"bold":true,"field":"given_name"},{"text":" "},{"field":"family_name"},{"text":" ("},\
            {"field":"number"},{"text":"), agree on "},{"field":"date"},{"text":" <at> "},{"field":"organisation"}]}],\
            "format":"countersign-text-1"}
            """
        return try await client.send(
            .post, "/api/workspace", WorkspaceContent(name: name, text: text), token: operatorSession.token
        ).decode(WorkspaceDocument.self)
    }

    /// What a client signs, with its digest.
    func rendering(_ document: WorkspaceDocument, _ person: Client) async throws -> Rendering {
        try await client.send(
            .post, "/api/workspace/\(document.id)/rendering", RenderingRequest(client: person.id),
            token: operatorSession.token
        ).decode(Rendering.self)
    }

    func sign(
        _ document: WorkspaceDocument, _ person: Client, _ capture: String, digest: String? = nil,
        change: (inout NewSigning) -> Void = { _ in }
    ) async throws -> TestClient.Answer {
        var request = NewSigning(
            client: person.id, document: document.id, digest: "", ticket: "", identified: true,
            field: "Signature of the client", capture: capture, device: "test")
        let rendering = try await rendering(document, person)
        request.digest = digest ?? rendering.digest
        request.ticket = rendering.ticket
        change(&request)
        return try await client.send(.post, "/api/signings", request, token: operatorSession.token)
    }
}

extension Circumstances {
    /// As a page says it.
    static let seen = Circumstances(identified: true, device: "test")
}
