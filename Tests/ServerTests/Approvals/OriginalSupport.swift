import Approvals
import Certificates
import CryptoProvider
import Encodings
import HTTPTypes
import HummingbirdTesting
import Interface
import NIOCore
import Storage
import Testing

@testable import Server

/// The original's app: one key for everything, and no session anywhere.
struct TestApp: Sendable {
    let key: OriginalSigningKey
    var token = String(repeating: "ab", count: 32)

    init() throws { key = try OriginalSigningKey(rawRepresentation: try SigningKey().rawRepresentation) }

    init(_ key: SigningKey) throws {
        self.key = try OriginalSigningKey(rawRepresentation: key.rawRepresentation)
    }

    /// What it posts.
    func reply(_ challenge: OriginalChallenge) throws -> Bytes {
        try OriginalReply.body(
            messageID: challenge.messageID, signature: try key.sign(challenge.canonical()), publicKey: key.publicKey,
            token: Bytes(text: token))
    }

    /// What it posts when somebody has put other things in.
    func reply(_ challenge: OriginalChallenge, _ changes: [(String, JSON)]) throws -> Bytes {
        guard case .object(var members) = try JSON.parse(try reply(challenge)) else { return [] }
        for (name, value) in changes {
            let name = Bytes(text: name)
            members = members.map { $0.name == name ? JSON.Member(name, value) : $0 }
        }
        return JSON.object(members).serialized()
    }
}

extension TestClient {
    /// Posts a reply as the app does: without a content type.
    func callback(_ body: Bytes) async throws -> Answer {
        try await client.execute(
            uri: "/api/authreq/callback", method: .post, headers: HTTPFields(), body: ByteBuffer(bytes: body)
        ) { response in
            Answer(
                status: response.status.code, body: Array(response.body.readableBytesView),
                mediaType: response.headers[.contentType] ?? "", retryAfter: response.headers[.retryAfter])
        }
    }
}

extension TestClient.Answer {
    /// Whether an app believes that it was accepted: it reads this and nothing else.
    var isSuccess: Bool { (try? JSON.parse(body))?["success"] == .bool(true) }
}

extension TestBank {
    /// Made once: to find two primes takes long.
    private static let serverKey: String = {
        guard let key = try? RSASigningKey() else { return "" }
        return String(decoding: PEM.encode(key.derRepresentation, label: "RSA PRIVATE KEY"), as: UTF8.self)
    }()

    /// An administrator lets the bank speak version 1, or no longer.
    @discardableResult
    func setOriginal(_ accepts: Bool = true, key pem: String? = serverKey) async throws -> ApprovalServiceInfo {
        try await client.send(
            .put, "/api/services/\(key.service.id)/version-1", OriginalAcceptance(accepts: accepts, key: pem),
            token: owner.token
        ).decode(ApprovalServiceChange.self).service
    }

    func beginOriginal(_ user: String) async throws -> OriginalEnrolment {
        try await send(
            .post, "authreq/enrolments", NewOriginalEnrolment(user: user, session: Self.session)
        ).decode(OriginalEnrolment.self)
    }

    func original(_ id: String) async throws -> OriginalEnrolment {
        try await send(.get, "authreq/enrolments/\(id)").decode(OriginalEnrolment.self)
    }

    func askWallet(_ id: String, session: String = session) async throws -> TestClient.Answer {
        try await send(.post, "authreq/enrolments/\(id)/ask", ApprovalEnrolmentEnd(session: session))
    }

    /// The challenge that an app has to answer next.
    static func challenge(_ link: String?) throws -> OriginalChallenge {
        try OriginalLink.parse(Bytes(text: try #require(link))).challenge
    }

    /// An app answers both links.
    func prove(_ begun: OriginalEnrolment, _ app: TestApp) async throws -> OriginalEnrolment {
        #expect(try await client.callback(app.reply(Self.challenge(begun.link))).isSuccess)
        let taken = try await original(begun.id)
        #expect(try await client.callback(app.reply(Self.challenge(taken.link))).isSuccess)
        return try await original(begun.id)
    }

    /// An app is enrolled for a user, and the user's wallet agrees.
    func enrol(_ app: TestApp, for user: String, by approver: TestApprover) async throws {
        let proven = try await prove(try await beginOriginal(user), app)
        let asked = try await askWallet(proven.id).decode(OriginalEnrolment.self)
        let agreed = try await client.decide(
            try #require(asked.question), .allow(code: Bytes(text: try #require(asked.code))), approver)
        #expect(agreed.status == 200, "\(String(decoding: agreed.body, as: UTF8.self))")
        #expect(try await original(proven.id).state == .completed)
    }

    func originalRequest(
        _ user: String = "alice", lines: [String] = ["Paying £30.00 to Purple Plumbing."], lifetime: Int64 = 120
    ) -> NewOriginalChallenge {
        NewOriginalChallenge(user: user, title: "Payment", lines: lines, lifetime: lifetime)
    }

    func askOriginal(_ request: NewOriginalChallenge) async throws -> (OriginalRequest, OriginalChallenge) {
        let asked = try await send(.post, "authreq/challenges", request).decode(OriginalRequest.self)
        return (asked, try Self.challenge(asked.link))
    }

    func isSigned(_ challenge: OriginalChallenge, user: String? = nil) async throws -> Bool {
        let user = user.map { "&user=\($0)" } ?? ""
        return try await client.send(
            .get, "/api/authreq/isSigned?message_id=\(challenge.messageID)\(user)", token: key.apiKey
        ).decode(OriginalSigned.self).signed
    }
}

/// A bank that speaks version 1, and a member with a wallet and an old app.
struct OriginalStage: Sendable {
    let bank: TestBank
    let wallet: TestApprover
    let app: TestApp

    init(_ client: TestClient) async throws {
        bank = try await client.bank()
        try await bank.setOriginal()
        let alice = try await client.join(client.organisation.person("alice"))
        wallet = try await bank.enrol("alice", alice)
        app = try TestApp()
    }

    /// The same with the app enrolled.
    static func enrolled(_ client: TestClient) async throws -> OriginalStage {
        let stage = try await OriginalStage(client)
        try await stage.bank.enrol(stage.app, for: "alice", by: stage.wallet)
        return stage
    }

    /// The old apps that may answer for alice.
    func apps(_ organisation: TestOrganisation) async throws -> [OriginalDeviceStore.Use] {
        try await organisation.server.environment.database.read {
            try OriginalDeviceStore(transaction: $0).active(account: wallet.session.account.id)
        }
    }
}
