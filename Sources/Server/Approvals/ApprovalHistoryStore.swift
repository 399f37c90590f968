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

    /// The services that asked an account and whose domain has all words of a search; `nil` without one.
    ///
    /// Removed services are among them, because what they asked stays listed.
    func services(account: String, _ request: ListRequest) throws -> [String]? {
        guard !request.words.isEmpty else { return nil }
        // One look at the index for each service. With `EXISTS` an engine may read all that the account was asked.
        return try transaction.rows(
            """
            SELECT s.id AS id, s.domain AS domain FROM approval_services s
            WHERE (SELECT 1 FROM approval_prompts p WHERE p.account = $1 AND p.service = s.id LIMIT 1) = 1
            """, [.text(account)]
        ).filter { try request.finds([$0.text("domain")]) }.map { try $0.text("id") }
    }

    /// One page of a part, as it stands at a time.
    ///
    /// - Parameter services: those that a search has found; `nil` for all.
    func page(
        account: String, _ part: Part, of services: [String]?, _ request: ListRequest, at now: Int64
    ) throws -> (rows: [MemberChallenge], next: ListCursor?) {
        try query(account, part, of: services).page(request, in: transaction) { row in
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
    func counts(account: String, of services: [String]?) throws -> [ListCount] {
        try KeysetStore.counts(Part.allCases.map { ($0.rawValue, query(account, $0, of: services)) }, in: transaction)
    }

    /// The rows of a part.
    func query(_ account: String, _ part: Part, of services: [String]?) -> KeysetStore {
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
        if let services { Self.narrow(&query, to: services) }
        return query
    }

    /// Keeps what some services asked.
    private static func narrow(_ query: inout KeysetStore, to services: [String]) {
        let values = services.map { SQLValue.text($0) }
        switch values.count {
        case 0: query.require("1 = 0")
        case 1...Limits.mergedServices:
            // Each is walked along its own index: what other services asked costs nothing.
            for value in values { query.requireOneOf("approval_prompts.service = ?", [value]) }
        default:
            // Many services asked most of it, so the account's own index soon fills a page. As an expression that no
            // index has, or engines would read and sort all that these services asked.
            let places = values.map { _ in "?" }.joined(separator: ", ")
            query.require("approval_prompts.service || '' IN (\(places))", values)
        }
    }
}
