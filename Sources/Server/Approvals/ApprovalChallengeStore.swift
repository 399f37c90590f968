import Approvals
import Encodings
import Interface
import Storage

/// What services ask, in the database.
struct ApprovalChallengeStore {
    let transaction: Transaction

    /// A question as stored, without those who may answer.
    struct Stored: Sendable {
        var id: String
        var service: String
        /// Of the service's idempotency key, and of all that it asked.
        var idempotency: String
        var request: String
        /// The signed question, base64url.
        var message: String
        /// What the asking page shows, if it has to be typed.
        var secret: MatchSecret?
        var state = ApprovalState.pending
        var wrongCodes: Int = 0
        var created: Int64
        var expires: Int64
        /// When it was approved or denied, and the service's signature over that.
        var decided: Int64?
        var outcomeSignature: String?

        /// The question and the service's signature.
        func signed() throws -> SignedApprovalChallenge {
            let parsed = try UnverifiedApprovalChallenge.parse(try message.decodedBytes())
            return SignedApprovalChallenge(signing: parsed.challenge, signature: parsed.signature)
        }

        /// The state that a reader is told at this time.
        func state(at now: Int64) -> ApprovalState { state == .pending && now > expires ? .expired : state }
    }

    private static let columns =
        """
        id, service, idempotency, request, message, code, salt, state, wrong_codes, created, expires, decided,
        outcome_signature
        """

    func insert(_ challenge: Stored) throws {
        try transaction.execute(
            """
            INSERT INTO approval_challenges
                (id, service, idempotency, request, message, code, salt, state, wrong_codes, created, expires)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
            """,
            [
                .text(challenge.id), .text(challenge.service), .text(challenge.idempotency), .text(challenge.request),
                .text(challenge.message), .optional(challenge.secret.map { String(decoding: $0.code, as: UTF8.self) }),
                .optional(challenge.secret?.salt.base64URL), .text(challenge.state.rawValue),
                .integer(Int64(challenge.wrongCodes)), .integer(challenge.created), .integer(challenge.expires),
            ])
        try WebhookNoticeStore(transaction: transaction)
            .expect(.challenge, challenge.id, of: challenge.service, expires: challenge.expires, at: challenge.created)
    }

    func find(id: String) throws -> Stored? {
        try transaction.row("SELECT \(Self.columns) FROM approval_challenges WHERE id = $1", [.text(id)])
            .map(Self.stored)
    }

    /// All that can change about a question and the device that answers it: what was loaded under an equal stamp is as
    /// it was.
    struct Stamp: Sendable, Equatable {
        var state: ApprovalState
        var wrongCodes: Int64
        /// How many may answer, and how many have.
        var prompts, answers: Int64
        /// Whether the device may answer.
        var isAble: Bool
    }

    /// What an answer has to know of the present, in one question to the database.
    struct Present: Sendable {
        var stamp: Stamp
        /// Whether the service is told by a webhook.
        var isAwaited: Bool
        /// Whether somebody who was asked may have a notice.
        var isNoticed: Bool
    }

    /// - Parameter device: the row of the device that answers.
    func present(id: String, device: String) throws -> Present? {
        try transaction.row(
            """
            SELECT c.state, c.wrong_codes,
                (SELECT COUNT(*) FROM approval_prompts p WHERE p.challenge = c.id) AS prompts,
                (SELECT COUNT(*) FROM approval_prompts p WHERE p.challenge = c.id AND p.decision IS NOT NULL) AS answers,
                (SELECT COUNT(*) FROM approval_notices n WHERE n.kind = $3 AND n.subject = c.id) AS awaited,
                (SELECT COUNT(*) FROM approval_prompts p JOIN notification_ways w ON w.account = p.account
                    WHERE p.challenge = c.id) AS ways,
                (SELECT COUNT(*) FROM approval_prompts p JOIN notification_outbox o ON o.account = p.account
                    WHERE p.challenge = c.id AND o.kind = $4 AND o.subject = c.id) AS notices,
                (SELECT COUNT(*) FROM approval_devices a JOIN devices d ON d.id = a.device
                    JOIN accounts o ON o.id = a.account
                    WHERE a.id = $2 AND a.removed IS NULL AND d.revoked IS NULL AND o.blocked IS NULL) AS able
            FROM approval_challenges c WHERE c.id = $1
            """,
            [
                .text(id), .text(device), .text(ApprovalNotice.Kind.challenge.rawValue),
                .text(NotificationKind.approval.name),
            ]
        ).map { row in
            guard let state = ApprovalState(rawValue: try row.text("state")) else {
                throw StoredValueError(column: "approval_challenges.state")
            }
            return Present(
                stamp: Stamp(
                    state: state, wrongCodes: try row.integer("wrong_codes"), prompts: try row.integer("prompts"),
                    answers: try row.integer("answers"), isAble: try row.integer("able") == 1),
                isAwaited: try row.integer("awaited") > 0,
                isNoticed: try row.integer("ways") + row.integer("notices") > 0)
        }
    }

    /// The question that a service asked under this key.
    func find(service: String, idempotency: String) throws -> Stored? {
        try transaction.row(
            "SELECT \(Self.columns) FROM approval_challenges WHERE service = $1 AND idempotency = $2",
            [.text(service), .text(idempotency)]
        ).map(Self.stored)
    }

    /// Stores what became of a question; the service is told if it is over.
    ///
    /// - Parameter isAwaited: false if it is known that no webhook waits for that.
    func update(_ challenge: Stored, at now: Int64, isAwaited: Bool = true) throws {
        try transaction.execute(
            """
            UPDATE approval_challenges SET state = $1, wrong_codes = $2, decided = $3, outcome_signature = $4
            WHERE id = $5
            """,
            [
                .text(challenge.state.rawValue), .integer(Int64(challenge.wrongCodes)), .optional(challenge.decided),
                .optional(challenge.outcomeSignature), .text(challenge.id),
            ])
        guard isAwaited, challenge.state != .pending else { return }
        try WebhookNoticeStore(transaction: transaction)
            .end(.challenge, challenge.id, as: challenge.state.rawValue, at: now)
    }

    /// Nobody answers a service's questions any more.
    func cancelAll(service: String) throws {
        try transaction.execute(
            "UPDATE approval_challenges SET state = 'cancelled' WHERE service = $1 AND state = 'pending'",
            [.text(service)])
    }

    private static func stored(_ row: Row) throws -> Stored {
        guard let state = ApprovalState(rawValue: try row.text("state")) else {
            throw StoredValueError(column: "approval_challenges.state")
        }
        let code = try row.optionalText("code").map { Bytes(text: $0) }
        let salt = try row.optionalText("salt")?.decodedBytes()
        var secret: MatchSecret?
        if let code, let salt { secret = try MatchSecret(code: code, salt: salt) }
        return Stored(
            id: try row.text("id"), service: try row.text("service"), idempotency: try row.text("idempotency"),
            request: try row.text("request"), message: try row.text("message"), secret: secret, state: state,
            wrongCodes: Int(try row.integer("wrong_codes")), created: try row.integer("created"),
            expires: try row.integer("expires"), decided: try row.optionalInteger("decided"),
            outcomeSignature: try row.optionalText("outcome_signature"))
    }
}

extension RetentionRule.Rows {
    /// Questions whose every approver was erased: the words may be about them.
    static let unaskedChallenges = RetentionRule.Rows(
        table: "approval_challenges", key: "id",
        over: """
            created <= $1
                AND NOT EXISTS (SELECT 1 FROM approval_prompts WHERE challenge = approval_challenges.id)
            """)
}
