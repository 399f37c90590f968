import Approvals
import Encodings
import Interface
import Storage

/// What services ask in version 1, in the database.
struct OriginalChallengeStore {
    let transaction: Transaction

    /// What a reply to a challenge does.
    enum Step: String {
        /// It approves what a service asks.
        case approval
        /// It names an app's key.
        case enrolment
        /// It shows that the app in front of the person has that key.
        case proof
    }

    /// A challenge as stored.
    struct Stored: Sendable {
        /// `message_id`.
        var id: Int64
        var service: String
        /// What the service knows the account by, base64url.
        var label: String
        var account: String
        var step: Step
        /// The enrolment that it belongs to, if it is part of one.
        var enrolment: String?
        /// The push dictionary, which has all nine fields and the server's signature.
        var message: String
        var created: Int64
        var expires: Int64
        var state = ApprovalState.pending
        /// The key that approved, base64url.
        var publicKey: String?
        /// The log's entry of the approval.
        var entry: Int64?

        /// The challenge and the server's signature.
        func signed() throws -> UnverifiedOriginalChallenge {
            try UnverifiedOriginalChallenge.parse(Bytes(text: message))
        }

        /// The state that a reader is told at this time.
        func state(at now: Int64) -> ApprovalState { state == .pending && now > expires ? .expired : state }
    }

    private static let columns =
        "id, service, label, account, step, enrolment, message, created, expires, state, public_key, entry"

    func insert(_ challenge: Stored) throws {
        try transaction.execute(
            """
            INSERT INTO original_challenges
                (id, service, label, account, step, enrolment, message, created, expires, state)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
            """,
            [
                .integer(challenge.id), .text(challenge.service), .text(challenge.label), .text(challenge.account),
                .text(challenge.step.rawValue), .optional(challenge.enrolment), .text(challenge.message),
                .integer(challenge.created), .integer(challenge.expires), .text(challenge.state.rawValue),
            ])
    }

    func find(id: Int64) throws -> Stored? {
        try transaction.row("SELECT \(Self.columns) FROM original_challenges WHERE id = $1", [.integer(id)])
            .map(Self.stored)
    }

    /// The challenge of one step of an enrolment.
    func find(enrolment: String, _ step: Step) throws -> Stored? {
        try transaction.row(
            "SELECT \(Self.columns) FROM original_challenges WHERE enrolment = $1 AND step = $2",
            [.text(enrolment), .text(step.rawValue)]
        ).map(Self.stored)
    }

    /// Stores what became of a challenge.
    func update(_ challenge: Stored) throws {
        try transaction.execute(
            "UPDATE original_challenges SET state = $1, public_key = $2, entry = $3 WHERE id = $4",
            [
                .text(challenge.state.rawValue), .optional(challenge.publicKey), .optional(challenge.entry),
                .integer(challenge.id),
            ])
    }

    /// Ends what waits for an account's answer, because its owner wants no more of it.
    ///
    /// - Parameter service: which one's alone; everybody's, if `nil`.
    func cancelOpen(account: String, service: String? = nil, now: Int64) throws {
        try transaction.execute(
            """
            UPDATE original_challenges SET state = 'cancelled'
            WHERE account = $1 AND created >= $2 AND step = 'approval' AND state = 'pending' AND expires >= $3
                AND service = COALESCE(CAST($4 AS TEXT), service)
            """,
            [
                .text(account), .integer(now - Limits.originalTime.upperBound), .integer(now), .optional(service),
            ])
    }

    /// What an account was asked since a time, as far as the rules against asking too often need it.
    func sent(account: String, since time: Int64, now: Int64) throws -> [SentPrompt] {
        try transaction.rows(
            """
            SELECT \(Self.columns) FROM original_challenges
            WHERE account = $1 AND created > $2 AND step = 'approval' ORDER BY created, id
            """, [.text(account), .integer(time)]
        ).map { row in
            let stored = try Self.stored(row)
            let outcome: SentPrompt.Outcome =
                switch stored.state(at: now) {
                case .pending: .waiting
                // When it was is not stored: not before it was asked.
                case .approved: .approved(at: stored.created)
                case .denied, .expired, .cancelled: .over
                }
            return SentPrompt(
                service: Bytes(text: stored.service), browser: nil, time: stored.created, outcome: outcome)
        }
    }

    private static func stored(_ row: Row) throws -> Stored {
        guard let step = Step(rawValue: try row.text("step")) else {
            throw StoredValueError(column: "original_challenges.step")
        }
        guard let state = ApprovalState(rawValue: try row.text("state")) else {
            throw StoredValueError(column: "original_challenges.state")
        }
        return Stored(
            id: try row.integer("id"), service: try row.text("service"), label: try row.text("label"),
            account: try row.text("account"), step: step, enrolment: try row.optionalText("enrolment"),
            message: try row.text("message"), created: try row.integer("created"),
            expires: try row.integer("expires"), state: state, publicKey: try row.optionalText("public_key"),
            entry: try row.optionalInteger("entry"))
    }
}
