import Approvals
import CryptoProvider
import Encodings
import HTTPTypes
import Interface
import Testing

@testable import Server

extension TestClient {
    /// Adds a service that asks for approvals.
    func addService(_ domain: String, _ owner: NewSession) async throws -> ApprovalServiceKey {
        try await send(
            .post, "/api/services", NewApprovalService(domain: domain, name: "Example Bank"), token: owner.token
        ).decode(ApprovalServiceKey.self)
    }

    func services(_ administrator: NewSession) async throws -> [ApprovalServiceInfo] {
        try await send(.get, "/api/services", token: administrator.token)
            .decode(Listing<ApprovalServiceInfo>.self).items
    }

    /// The service whose API key this is.
    func service(_ apiKey: String) async throws -> ApprovalServiceInfo {
        try await send(.get, "/api/service", token: apiKey).decode(ApprovalServiceInfo.self)
    }

    /// An organisation with one service and one member.
    func bank() async throws -> TestBank {
        let owner = try await setUp(organisation.person("owner"))
        return TestBank(client: self, key: try await addService("bank.example", owner), owner: owner)
    }

    /// An organisation with one service, and a member who has enrolled a device for it.
    func enrolled() async throws -> (bank: TestBank, alice: NewSession, approver: TestApprover) {
        let bank = try await self.bank()
        let alice = try await join(organisation.person("alice"))
        return (bank, alice, try await bank.enrol("alice", alice))
    }
}

/// A service that asks, as its own server would.
struct TestBank: Sendable {
    let client: TestClient
    let key: ApprovalServiceKey
    let owner: NewSession
    static let session = "a session of the bank"

    func send(
        _ method: HTTPRequest.Method, _ path: String, _ body: (any Encodable)? = nil
    ) async throws
        -> TestClient.Answer
    {
        try await client.send(method, "/api/service/\(path)", body, token: key.apiKey)
    }

    /// A second service of the same organisation.
    func shop() async throws -> TestBank {
        TestBank(client: client, key: try await client.addService("shop.example", owner), owner: owner)
    }

    func begin(_ user: String, session: String = session) async throws -> ApprovalEnrolment {
        try await send(.post, "enrolments", NewApprovalEnrolment(user: user, session: session))
            .decode(ApprovalEnrolment.self)
    }

    func enrolment(_ id: String) async throws -> ApprovalEnrolment {
        try await send(.get, "enrolments/\(id)").decode(ApprovalEnrolment.self)
    }

    func confirm(_ id: String, _ code: String, session: String = session) async throws -> TestClient.Answer {
        try await send(
            .post, "enrolments/\(id)/confirm", ApprovalEnrolmentConfirmation(session: session, code: code))
    }

    /// A member's device, enrolled for a user of the bank.
    func enrol(
        _ user: String, _ member: NewSession, name: String = "phone", by voucher: TestApprover? = nil
    ) async throws -> TestApprover {
        let begun = try await begin(user)
        let approver = try TestApprover(begun, member, name: name, voucher: voucher)
        let taken = try await client.take(begun, approver)
        #expect(taken.status == 200, "\(String(decoding: taken.body, as: UTF8.self))")
        let code = String(decoding: approver.code, as: UTF8.self)
        #expect(try await enrolment(begun.id).code == code)
        let confirmed = try await confirm(begun.id, code).decode(ApprovalEnrolment.self)
        #expect(confirmed.state == .completed)
        return approver
    }

    func request(
        _ key: String, of users: [String] = ["alice"], need: Int? = nil, lifetime: Int64 = 120, digits: Int? = 0,
        text: String = "Purple Plumbing"
    ) -> NewApprovalChallenge {
        NewApprovalChallenge(
            idempotencyKey: key, action: .pay,
            fields: [
                ApprovalField(.amount, value: 3_000, currency: "GBP"), ApprovalField(.payee, text: text),
            ], approvers: users, need: need, lifetime: lifetime, matchDigits: digits)
    }

    func signIn(_ key: String, browser: String = "browser of alice", digits: Int? = nil) -> NewApprovalChallenge {
        NewApprovalChallenge(
            idempotencyKey: key, action: .signIn, fields: [ApprovalField(.place, text: "Cambridge")],
            approvers: ["alice"], lifetime: 120, matchDigits: digits, browser: browser)
    }

    func ask(_ request: NewApprovalChallenge) async throws -> ServiceChallenge {
        try await send(.post, "challenges", request).decode(ServiceChallenge.self)
    }

    func find(_ id: String) async throws -> ServiceChallenge {
        try await send(.get, "challenges/\(id)").decode(ServiceChallenge.self)
    }

    /// The receipt, checked from its bytes alone.
    func receipt(_ id: String) async throws -> VerifiedApprovalReceipt {
        let file = try await send(.get, "challenges/\(id)/receipt").decode(ApprovalReceiptFile.self)
        return try ApprovalReceipt.verify(
            try file.receipt.decodedBytes(), trusting: [try trusted()], suite: SwiftCryptoSuite())
    }

    func trusted() throws -> TrustedApprovalService {
        TrustedApprovalService(id: Bytes(text: key.service.domain), key: try serverKey())
    }

    func serverKey() throws -> P256PublicKey {
        try #require(P256PublicKey(x963: try key.service.publicKey.decodedBytes()))
    }
}

/// A member's wallet with a key for one service.
struct TestApprover: Sendable {
    let session: NewSession
    let key: SigningKey
    let offer: ApprovalOffer
    let enrolment: DeviceEnrolment
    let message: Bytes
    var code: Bytes { enrolment.code(offer, suite: SwiftCryptoSuite()) }

    /// Makes a key and takes an offer with it.
    init(
        _ begun: ApprovalEnrolment, _ session: NewSession, name: String = "phone", key: SigningKey? = nil,
        voucher: TestApprover? = nil
    ) throws {
        self.session = session
        self.key = try key ?? SigningKey()
        let bytes = try ApprovalLink.parse(Bytes(text: try #require(begun.link)))
        // The test's clock is another one.
        offer = try ApprovalOffer.parse(bytes, at: begun.expires, suite: SwiftCryptoSuite())
        enrolment = try DeviceEnrolment(
            offer: offer, name: Bytes(text: name), key: self.key.publicKey, voucher: voucher?.key.publicKey)
        let signed = enrolment.bytesToSign(offer)
        message = enrolment.encoded(
            signature: try self.key.sign(signed), handover: try voucher.map { try $0.key.sign(signed) })
    }
}

extension TestClient {
    func take(
        _ begun: ApprovalEnrolment, _ approver: TestApprover, as other: NewSession? = nil
    ) async throws -> Answer {
        try await send(
            .post, "/api/approvals/enrolments/\(begun.id)", ApprovalMessage(message: approver.message.base64URL),
            token: (other ?? approver.session).token)
    }

    func pending(_ session: NewSession) async throws -> [MemberChallenge] {
        try await send(.get, "/api/approvals/challenges", token: session.token)
            .decode(Listing<MemberChallenge>.self).items
    }

    /// What a wallet gets to show, checked against the service's key that it keeps.
    func fetch(_ id: String, _ approver: TestApprover) async throws -> SignedApprovalChallenge {
        let found = try await send(.get, "/api/approvals/challenges/\(id)", token: approver.session.token)
            .decode(MemberChallenge.self)
        return try UnverifiedApprovalChallenge.parse(try #require(found.message).decodedBytes())
            .verified(service: approver.offer.service.id, key: approver.offer.serverKey, suite: SwiftCryptoSuite())
    }

    /// The signed answer of a device.
    func answer(_ id: String, _ decision: ApprovalDecision, _ approver: TestApprover) async throws -> ApprovalMessage {
        let challenge = try await fetch(id, approver)
        let signature = try approver.key.sign(challenge.bytesToSign(decision, suite: SwiftCryptoSuite()))
        let answer = ApprovalAnswer(
            to: challenge, decision, key: approver.key.publicKey, signature: signature, suite: SwiftCryptoSuite())
        return ApprovalMessage(message: answer.encoded().base64URL)
    }

    func send(_ answer: ApprovalMessage) async throws -> Answer {
        try await send(.post, "/api/approvals/answers", answer)
    }

    /// A device fetches what it is asked, and answers.
    func decide(_ id: String, _ decision: ApprovalDecision, _ approver: TestApprover) async throws -> Answer {
        try await send(try await answer(id, decision, approver))
    }
}

extension TestClient.Answer {
    /// The protocol's name of the problem.
    var errorName: String? {
        (try? JSON.parse(body))?["error"]?.string.map { String(decoding: $0, as: UTF8.self) }
    }
}
