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

    /// What an answer has to know of the present.
    struct Present: Sendable {
        var stamp: Stamp
        /// Whether the service is told by a webhook.
        var isAwaited: Bool
        /// Whether somebody who was asked may have a notice.
        var isNoticed: Bool
    }

    /// What answers have to know of the present.
    ///
    /// - Parameter answers: the questions, each with the row of the device that answers it.
    /// - Returns: in the same order; `nil` where there is no such question.
    func present(_ answers: [(question: String, device: String)]) throws -> [Present?] {
        var questions: [String: Row] = [:]
        var able: Set<String> = []
        for start in stride(from: 0, to: answers.count, by: Self.atOnce) {
            let part = answers[start..<min(start + Self.atOnce, answers.count)]
            for row in try rows(of: part.map { $0.question }) { questions[try row.text("id")] = row }
            able.formUnion(try ApprovalDeviceStore(transaction: transaction).able(Self.filled(part.map { $0.device })))
        }
        return try answers.map { question, device in
            try questions[question].map { try Self.present($0, isAble: able.contains(device)) }
        }
    }

    private func rows(of questions: [String]) throws -> [Row] {
        let kinds: [SQLValue] = [
            .text(ApprovalNotice.Kind.challenge.rawValue), .text(NotificationKind.approval.name),
        ]
        let asked = Self.filled(questions).map(SQLValue.text)
        return try transaction.rows(
            """
            SELECT c.id, c.state, c.wrong_codes,
                (SELECT COUNT(*) FROM approval_prompts p WHERE p.challenge = c.id) AS prompts,
                (SELECT COUNT(*) FROM approval_prompts p WHERE p.challenge = c.id AND p.decision IS NOT NULL) AS answers,
                (SELECT COUNT(*) FROM approval_notices n WHERE n.kind = $1 AND n.subject = c.id) AS awaited,
                (SELECT COUNT(*) FROM approval_prompts p JOIN notification_ways w ON w.account = p.account
                    WHERE p.challenge = c.id) AS ways,
                (SELECT COUNT(*) FROM approval_prompts p JOIN notification_outbox o ON o.account = p.account
                    WHERE p.challenge = c.id AND o.kind = $2 AND o.subject = c.id) AS notices
            FROM approval_challenges c WHERE c.id IN (\(Self.places(asked.count, after: 2)))
            """, kinds + asked)
    }

    private static func present(_ row: Row, isAble: Bool) throws -> Present {
        guard let state = ApprovalState(rawValue: try row.text("state")) else {
            throw StoredValueError(column: "approval_challenges.state")
        }
        return Present(
            stamp: Stamp(
                state: state, wrongCodes: try row.integer("wrong_codes"), prompts: try row.integer("prompts"),
                answers: try row.integer("answers"), isAble: isAble),
            isAwaited: try row.integer("awaited") > 0,
            isNoticed: try row.integer("ways") + row.integer("notices") > 0)
    }

    /// How many answers one statement asks for.
    private static let atOnce = 64

    /// The same ids, some of them repeated until they are 1, 8, 32 or 64: so an engine has few statements to remember.
    private static func filled(_ ids: [String]) -> [String] {
        guard let last = ids.last, let count = [1, 8, 32, atOnce].first(where: { ids.count <= $0 }) else { return ids }
        return ids + repeatElement(last, count: count - ids.count)
    }

    /// Places for so many values of a statement: `$3, $4, $5`.
    static func places(_ count: Int, after before: Int = 0) -> String {
        (0..<count).map { "$\(before + $0 + 1)" }.joined(separator: ", ")
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
            .end(.challenge, challenge.id, as: challenge.state.rawValue, at: challenge.decided ?? now, due: now)
    }

    /// Whom those of a service's questions ask that wait for an answer, and until when.
    func open(service: String, now: Int64) throws -> [(id: String, account: String, expires: Int64)] {
        try transaction.rows(
            """
            SELECT c.id, p.account, c.expires FROM approval_challenges c JOIN approval_prompts p ON p.challenge = c.id
            WHERE c.service = $1 AND c.state = 'pending' AND c.expires >= $2
            """, [.text(service), .integer(now)]
        ).map { (id: try $0.text("id"), account: try $0.text("account"), expires: try $0.integer("expires")) }
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
