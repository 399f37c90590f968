import Approvals
import Encodings
import Interface
import Storage

/// Whom services asked, and what they answered, in the database.
struct ApprovalPromptStore {
    let transaction: Transaction

    /// An account that may answer a question.
    struct Stored: Sendable {
        var challenge: String
        var account: String
        /// What the service knows the account by, base64url.
        var label: String
        var service: String
        /// Of the browser that asks for a sign-in.
        var browser: String?
        var created: Int64
        var answer: Answer?
        /// When the account put it aside unanswered.
        var discarded: Int64?
    }

    /// What an account answered.
    struct Answer: Sendable, Equatable {
        /// `nil` for allowed.
        var denial: ApprovalDenial?
        /// The device, by its row.
        var device: String
        /// base64url.
        var signature: String
        var time: Int64
        /// The log's entry.
        var entry: Int64
    }

    private static let columns =
        """
        p.challenge, p.account, p.label, p.service, p.browser, p.created, p.decision, p.reason, p.scope, p.device,
        p.signature, p.answered, p.entry, p.discarded
        """

    func insert(_ prompt: Stored) throws {
        try transaction.execute(
            """
            INSERT INTO approval_prompts (challenge, account, label, service, browser, created)
            VALUES ($1, $2, $3, $4, $5, $6)
            """,
            [
                .text(prompt.challenge), .text(prompt.account), .text(prompt.label), .text(prompt.service),
                .optional(prompt.browser), .integer(prompt.created),
            ])
    }

    /// Those who may answer a question, in the order of their answers.
    func list(challenge: String) throws -> [Stored] {
        try transaction.rows(
            "SELECT \(Self.columns) FROM approval_prompts p WHERE p.challenge = $1 ORDER BY p.entry, p.account",
            [.text(challenge)]
        ).map(Self.stored)
    }

    func setAnswer(_ answer: Answer, challenge: String, account: String) throws {
        try transaction.execute(
            """
            UPDATE approval_prompts
            SET decision = $1, reason = $2, scope = $3, device = $4, signature = $5, answered = $6, entry = $7
            WHERE challenge = $8 AND account = $9
            """,
            [
                .text(answer.denial == nil ? "allow" : "deny"), .optional(answer.denial?.reason.rawValue),
                .optional(answer.denial?.scope.rawValue), .text(answer.device), .text(answer.signature),
                .integer(answer.time), .integer(answer.entry), .text(challenge), .text(account),
            ])
    }

    /// Puts a question aside, or brings it back.
    ///
    /// - Returns: whether it waits for this account's answer.
    func setDiscarded(_ time: Int64?, challenge: String, account: String) throws -> Bool {
        try transaction.changes(
            "UPDATE approval_prompts SET discarded = $1 WHERE challenge = $2 AND account = $3 AND decision IS NULL",
            [.optional(time), .text(challenge), .text(account)]) == 1
    }

    /// What an account has not answered yet, oldest first, at most so many: also what it has put aside.
    func open(account: String, now: Int64, limit: Int = Limits.pendingApprovals) throws -> [String] {
        try transaction.rows(
            """
            SELECT p.challenge FROM approval_prompts p JOIN approval_challenges c ON c.id = p.challenge
            WHERE p.account = $1 AND p.created >= $2 AND p.decision IS NULL AND c.state = 'pending' AND c.expires >= $3
            ORDER BY p.created, p.challenge LIMIT \(limit)
            """, [.text(account), .integer(now - ApprovalChallenge.longestLife), .integer(now)]
        ).map { try $0.text("challenge") }
    }

    /// What an account was asked, or has answered, since a time, and what waits, the oldest question first, as far as the rules
    /// against asking too often need it.
    func sent(account: String, since time: Int64, now: Int64) throws -> [SentPrompt] {
        try transaction.rows(
            """
            SELECT \(Self.columns), c.state AS state, c.expires AS expires
            FROM approval_prompts p JOIN approval_challenges c ON c.id = p.challenge
            WHERE p.account = $1 AND p.created > $2 AND (p.created > $3 OR p.answered > $3
                OR p.decision IS NULL AND c.state = 'pending' AND c.expires >= $4)
            ORDER BY p.created, p.entry, p.challenge
            """,
            [.text(account), .integer(time - ApprovalChallenge.longestLife), .integer(time), .integer(now)]
        ).map { row in
            let prompt = try Self.stored(row)
            let isWaiting = try row.text("state") == ApprovalState.pending.rawValue && row.integer("expires") >= now
            let outcome: SentPrompt.Outcome =
                switch prompt.answer {
                case .some(let answer):
                    answer.denial.map { .denied($0.reason.inCore, $0.scope.inCore, at: answer.time) }
                        ?? .approved(at: answer.time)
                case .none: isWaiting ? .waiting : .over
                }
            return SentPrompt(
                service: Bytes(text: prompt.service), browser: prompt.browser.map { Bytes(text: $0) },
                time: prompt.created, outcome: outcome)
        }
    }

    private static func stored(_ row: Row) throws -> Stored {
        var stored = Stored(
            challenge: try row.text("challenge"), account: try row.text("account"), label: try row.text("label"),
            service: try row.text("service"), browser: try row.optionalText("browser"),
            created: try row.integer("created"), discarded: try row.optionalInteger("discarded"))
        guard let decision = try row.optionalText("decision"), let device = try row.optionalText("device"),
            let signature = try row.optionalText("signature"), let time = try row.optionalInteger("answered"),
            let entry = try row.optionalInteger("entry")
        else { return stored }
        var denial: ApprovalDenial?
        if decision == "deny" {
            guard let reason = try row.optionalText("reason").flatMap(ApprovalDenial.Reason.init),
                let scope = try row.optionalText("scope").flatMap(ApprovalDenial.Scope.init)
            else { throw StoredValueError(column: "approval_prompts.reason") }
            denial = ApprovalDenial(reason: reason, scope: scope)
        }
        stored.answer = Answer(denial: denial, device: device, signature: signature, time: time, entry: entry)
        return stored
    }
}
