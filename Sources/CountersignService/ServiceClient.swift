import Encodings
import Foundation
import Interface

/// A service's way to its Countersign server: it asks its users, waits for their answers, and checks the proof.
///
/// ```swift
/// let service = try PinnedService(domain: "bank.example", publicKey: "BAh3…")
/// let client = try ServiceClient(server: "https://sign.example.edu", apiKey: apiKey, service: service)
///
/// let question = Question(.pay, [.amount(3_000, currency: "GBP"), .payee("Purple Plumbing")], of: ["alice"])
/// let asked = try await client.ask(question, idempotencyKey: "transfer 4711")
/// show(asked.code)
/// let answered = try await client.wait(for: asked.id, of: "alice")
/// guard answered.state == .approved else { return }
/// let receipt = try await client.receipt(asked.id)
/// guard receipt.isApproved, receipt.fields == question.fields else { return }
/// ```
public struct ServiceClient: Sendable {
    private let service: PinnedService
    private let connection: ServiceConnection

    /// - Parameters:
    ///   - server: its public URL: https, or http on this machine.
    ///   - apiKey: what an administrator was shown when they registered the service.
    ///   - service: what receipts are checked against.
    /// - Throws: `unacceptableAddress`.
    public init(server: String, apiKey: String, service: PinnedService) throws(ServiceError) {
        self.service = service
        connection = try ServiceConnection(server: server, apiKey: apiKey)
    }

    // MARK: Enrolment

    /// Begins to enrol a device of a user; what was begun for the same user before ends.
    ///
    /// - Parameters:
    ///   - user: what the service calls them, at most 200 bytes; the server keeps nothing that leads back to it.
    ///   - session: what the service calls the browser session that asks, 16 to 200 bytes that nobody guesses. It alone
    ///     can confirm.
    public func enrol(user: String, session: String) async throws(ServiceError) -> Enrolment {
        Enrolment(
            try await connection.post("enrolments", NewApprovalEnrolment(user: user, session: session)))
    }

    /// Where an enrolment stands.
    public func enrolment(_ id: String) async throws(ServiceError) -> Enrolment {
        Enrolment(try await connection.get("enrolments/\(try segment(id))"))
    }

    /// The person says that both screens show this code: the device is enrolled.
    public func confirm(enrolment id: String, code: String, session: String) async throws(ServiceError) -> Enrolment {
        Enrolment(
            try await connection.post(
                "enrolments/\(try segment(id))/confirm", ApprovalEnrolmentConfirmation(session: session, code: code)))
    }

    /// The person says that the codes differ.
    public func end(enrolment id: String, session: String) async throws(ServiceError) -> Enrolment {
        Enrolment(
            try await connection.post("enrolments/\(try segment(id))/end", ApprovalEnrolmentEnd(session: session)))
    }

    // MARK: Questions

    /// Asks, once for each idempotency key: after `unreachable`, ask again with the same one.
    ///
    /// - Parameter idempotencyKey: 1 to 200 bytes that name this question.
    public func ask(_ question: Question, idempotencyKey: String) async throws(ServiceError) -> Approval {
        Approval(try await connection.post("challenges", question.request(idempotencyKey)))
    }

    /// Where a question stands.
    ///
    /// - Parameter user: one whom it was asked. Always name them: a question to others is then not found, and nobody passes
    ///   with an id that came from somewhere else.
    public func approval(_ id: String, of user: String? = nil) async throws(ServiceError) -> Approval {
        let query = user.map { "?user=\(Self.escaped($0))" } ?? ""
        return Approval(try await connection.get("challenges/\(try segment(id))\(query)"))
    }

    /// Waits until a question is no longer pending.
    ///
    /// It ends at the latest when the question expires. Cancelling the task ends it with `unreachable`.
    ///
    /// - Parameter user: as for ``approval(_:of:)``.
    public func wait(for id: String, of user: String? = nil) async throws(ServiceError) -> Approval {
        let query = "?wait=25" + (user.map { "&user=\(Self.escaped($0))" } ?? "")
        while true {
            do throws(ServiceError) {
                let approval = Approval(try await connection.get("challenges/\(try segment(id))\(query)"))
                guard approval.state == .pending else { return approval }
            } catch .refused(let refusal) where refusal.status == 429 {
                // The server holds too many requests that wait.
                do { try await Task.sleep(for: .seconds(refusal.retryAfter ?? 5)) } catch { throw .unreachable }
            }
        }
    }

    /// No longer asks.
    public func cancel(_ id: String) async throws(ServiceError) -> Approval {
        Approval(try await connection.post("challenges/\(try segment(id))/cancel"))
    }

    /// The proof of a decision, checked offline against the pinned key.
    ///
    /// - Parameter rule: what an approval must meet, if the service knows its quorum: then no server and no stolen API key
    ///   can lower it.
    /// - Throws: `badReceipt` if it proves nothing, or something else, or if fewer approved than the rule demands.
    public func receipt(_ id: String, meeting rule: QuorumRule? = nil) async throws(ServiceError) -> Receipt {
        let file: ApprovalReceiptFile = try await connection.get("challenges/\(try segment(id))/receipt")
        guard let bytes = Base64.decode(Bytes(text: file.receipt), .url) else { throw .badReceipt(.malformed) }
        return try Receipt(bytes, of: service, for: id, meeting: rule)
    }

    /// A value of a query: all but letters and digits of ASCII is escaped.
    private static func escaped(_ text: String) -> String {
        text.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
    }

    /// An id as a segment of a path: nothing that leads elsewhere.
    private func segment(_ id: String) throws(ServiceError) -> String {
        guard id.utf8.count == 32, Hex.decode(Bytes(text: id)) != nil else { throw .unexpectedAnswer }
        return id
    }
}
