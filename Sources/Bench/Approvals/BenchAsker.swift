import Approvals
import CryptoProvider
import Encodings
import Foundation
import Interface

/// A service that asks members for approvals, as its program does.
struct BenchAsker: Sendable {
    private let server: ListenersServer
    private let domain: String
    private let key: P256PublicKey
    private let apiKey: String

    /// Has the main administrator add a service.
    init(domain: String, by owner: PagesVisitor, on server: ListenersServer) async throws {
        let added = try await owner.ask("/api/services", NewApprovalService(domain: domain, name: "Bench"))
        guard let service = added["service"],
            let point = Base64.decode(Bytes(text: try PagesVisitor.text(service, "public_key")), .url),
            let key = P256PublicKey(x963: point)
        else { throw BenchError("the server names no key of the service") }
        self.key = key
        self.domain = domain
        self.server = server
        apiKey = try PagesVisitor.text(added, "api_key")
    }

    /// Enrols a member's key, as service and device.
    func enrol(_ member: ListenersMember) throws -> SigningKey {
        let key = try SigningKey()
        let begun = try ask(
            "/api/service/enrolments", NewApprovalEnrolment(user: member.username, session: Self.session))
        let message = try ApprovalLink.parse(Bytes(text: try PagesVisitor.text(begun, "link")))
        let offer = try ApprovalOffer.parse(message, at: 0, suite: SwiftCryptoSuite())
        let enrolment = try DeviceEnrolment(offer: offer, name: Bytes(text: "bench"), key: key.publicKey)
        let body = enrolment.encoded(signature: try key.sign(enrolment.bytesToSign(offer)))
        let path = "enrolments/\(try PagesVisitor.text(begun, "id"))"
        _ = try member.ask("POST", "/api/approvals/\(path)", TakenApprovalOffer(message: BenchAuthenticator.text(body)))
        let code = String(decoding: enrolment.code(offer, suite: SwiftCryptoSuite()), as: UTF8.self)
        _ = try ask(
            "/api/service/\(path)/confirm", ApprovalEnrolmentConfirmation(session: Self.session, code: code))
        return key
    }

    /// A payment, as the service asks for it.
    func question(to member: ListenersMember) throws -> Bytes {
        let question = NewApprovalChallenge(
            idempotencyKey: BenchAuthenticator.text(RandomBytes.make(16)), action: .pay,
            fields: [
                ApprovalField(.amount, value: 3_000, currency: "GBP"), ApprovalField(.payee, text: "Purple Plumbing"),
            ], approvers: [member.username], lifetime: 3_600, matchDigits: 0)
        return request("/api/service/challenges", try PagesVisitor.encoded(question))
    }

    /// A device's yes to a question.
    ///
    /// - Parameter asked: what the server answered to the question.
    func approval(of asked: Bytes, by key: SigningKey) throws -> Bytes {
        let message = try ApprovalLink.parse(Bytes(text: try PagesVisitor.text(try JSON.parse(asked), "link")))
        let suite = SwiftCryptoSuite()
        let question = try UnverifiedApprovalChallenge.parse(message)
            .verified(service: Bytes(text: domain), key: self.key, suite: suite)
        let signature = try key.sign(question.bytesToSign(.allow(code: nil), suite: suite))
        let answer = ApprovalAnswer(
            to: question, .allow(code: nil), key: key.publicKey, signature: signature, suite: suite)
        return PagesVisitor.request(
            "POST", "/api/approvals/answers", host: server.host,
            body: try PagesVisitor.encoded(ApprovalMessage(message: BenchAuthenticator.text(answer.encoded()))))
    }

    private func ask(_ path: String, _ body: some Encodable) throws -> JSON {
        try ListenersMember.ask(request(path, try PagesVisitor.encoded(body)), port: server.port)
    }

    private func request(_ path: String, _ body: Bytes) -> Bytes {
        PagesVisitor.request(
            "POST", path, host: server.host, fields: ["Authorization: Bearer \(apiKey)"], body: body)
    }

    private static let session = "a session of the benchmark"
}
