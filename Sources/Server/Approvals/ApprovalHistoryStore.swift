import Interface
import Storage

/// What an account was asked, newest first.
struct ApprovalHistoryStore {
    let transaction: Transaction

    /// What can be looked at by itself.
    enum Part: String, ListPart {
        /// Answered by the account.
        case answered
        /// Every question.
        case all
    }

    /// One page of a part, as it stands at a time.
    func page(
        account: String, _ part: Part, _ request: ListRequest, at now: Int64
    ) throws -> (rows: [MemberChallenge], next: ListCursor?) {
        try query(account, part).page(request, in: transaction) { row in
            let stored = try row.text("state")
            guard var state = ApprovalState(rawValue: stored) else {
                throw StoredValueError(column: "approval_challenges.state")
            }
            let expires = try row.integer("expires")
            if state == .pending, expires < now { state = .expired }
            return MemberChallenge(
                id: try row.text("challenge"), domain: try row.text("domain"), state: state,
                created: try row.integer("created"), expires: expires,
                isAllowed: try row.optionalText("decision").map { $0 == "allow" },
                discarded: try row.optionalInteger("discarded"))
        }
    }

    /// How many there are in each part.
    func counts(account: String) throws -> [ListCount] {
        try KeysetStore.counts(Part.allCases.map { ($0.rawValue, query(account, $0)) }, in: transaction)
    }

    /// The rows of a part.
    func query(_ account: String, _ part: Part) -> KeysetStore {
        var query = KeysetStore(
            """
            approval_prompts.challenge AS challenge, approval_prompts.created AS created,
            approval_prompts.decision AS decision, approval_prompts.discarded AS discarded, c.state AS state, c.expires AS expires, s.domain AS domain
            """,
            from: "approval_prompts",
            joining: """
                LEFT JOIN approval_challenges c ON c.id = approval_prompts.challenge
                LEFT JOIN approval_services s ON s.id = approval_prompts.service
                """,
            order: .newest("approval_prompts.created"), id: "approval_prompts.challenge")
        query.require("approval_prompts.account = ?", [.text(account)])
        if part == .answered { query.require("approval_prompts.decision IS NOT NULL") }
        return query
    }
}
