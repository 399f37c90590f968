import Interface
import Storage

/// Enrolments of apps that speak version 1, in the database.
struct OriginalEnrolmentStore {
    let transaction: Transaction

    /// An enrolment as stored.
    struct Stored: Sendable {
        var id: String
        var service: String
        /// What the service knows the account by, base64url.
        var label: String
        var account: String
        /// Of the service's session that began.
        var sessionMark: String
        var created: Int64
        var expires: Int64
        var state = OriginalEnrolment.State.open
        /// The key of the app that answered first, base64url.
        var publicKey: String?
        var token = ""
        /// What the wallet is asked.
        var question: String?

        /// The state that a reader is told at this time.
        func state(at now: Int64) -> OriginalEnrolment.State {
            switch state {
            case .open, .taken, .proven: now > expires ? .expired : state
            case .completed, .ended, .expired: state
            }
        }
    }

    private static let columns =
        "id, service, label, account, session_mark, created, expires, state, public_key, token, question"

    func insert(_ enrolment: Stored) throws {
        try transaction.execute(
            """
            INSERT INTO original_enrolments
                (id, service, label, account, session_mark, created, expires, state, token)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
            """,
            [
                .text(enrolment.id), .text(enrolment.service), .text(enrolment.label), .text(enrolment.account),
                .text(enrolment.sessionMark), .integer(enrolment.created), .integer(enrolment.expires),
                .text(enrolment.state.rawValue), .text(enrolment.token),
            ])
    }

    func find(id: String) throws -> Stored? {
        try transaction.row("SELECT \(Self.columns) FROM original_enrolments WHERE id = $1", [.text(id)])
            .map(Self.stored)
    }

    /// The enrolment about which a wallet is asked this question.
    func find(question: String) throws -> Stored? {
        try transaction.row("SELECT \(Self.columns) FROM original_enrolments WHERE question = $1", [.text(question)])
            .map(Self.stored)
    }

    func update(_ enrolment: Stored) throws {
        try transaction.execute(
            "UPDATE original_enrolments SET state = $1, public_key = $2, token = $3, question = $4 WHERE id = $5",
            [
                .text(enrolment.state.rawValue), .optional(enrolment.publicKey), .text(enrolment.token),
                .optional(enrolment.question), .text(enrolment.id),
            ])
    }

    /// Whether a service may begin another one of this user, after those begun lately that were not completed.
    ///
    /// Each begins with a signature of RSA while all other writers wait.
    func hasRoom(service: String, label: String, now: Int64) throws -> Bool {
        let start = now - Limits.approvalOfferTime
        func count(_ condition: String, _ value: String) throws -> Int64 {
            try transaction.row(
                """
                SELECT COUNT(*) AS begun FROM original_enrolments
                WHERE \(condition) AND state IN ('open', 'taken', 'proven', 'ended') AND expires > $2 AND created > $2
                """, [.text(value), .integer(start)])?.integer("begun") ?? 0
        }
        return try count("label = $1", label) < Limits.approvalOffersOfUser
            && count("service = $1", service) < Limits.approvalOffers
    }

    /// Ends what was begun for this user before: one enrolment at a time.
    func endOthers(label: String) throws {
        try transaction.execute(
            """
            UPDATE original_enrolments SET state = 'ended'
            WHERE label = $1 AND state IN ('open', 'taken', 'proven')
            """, [.text(label)])
    }

    private static func stored(_ row: Row) throws -> Stored {
        guard let state = OriginalEnrolment.State(rawValue: try row.text("state")) else {
            throw StoredValueError(column: "original_enrolments.state")
        }
        return Stored(
            id: try row.text("id"), service: try row.text("service"), label: try row.text("label"),
            account: try row.text("account"), sessionMark: try row.text("session_mark"),
            created: try row.integer("created"), expires: try row.integer("expires"), state: state,
            publicKey: try row.optionalText("public_key"), token: try row.text("token"),
            question: try row.optionalText("question"))
    }
}
