import Interface
import Storage

/// Failed attempts at the desk as lists show them, newest first.
struct AttemptListStore {
    let transaction: Transaction
    private let searches = ListSearches()

    /// What can be looked at by itself: every attempt, or those at one act.
    enum Part: String, ListPart {
        case all, enrolment, reenrolment, sitting, signing, handover

        fileprivate var act: DeskAttempt.Act? { DeskAttempt.Act(rawValue: rawValue) }
    }

    /// One page of a part.
    ///
    /// - Parameter subjects: whose attempts; `nil` for everybody's.
    func page(
        subjects: [String]?, _ part: Part, _ request: ListRequest
    ) throws -> (rows: [DeskAttempt], next: ListCursor?) {
        try query(subjects: subjects, part, request.words).page(request, in: transaction, Self.described)
    }

    /// How many rows there are in each part: one may count further attempts.
    func counts(subjects: [String]?, _ words: [String]) throws -> [ListCount] {
        try KeysetStore.counts(
            try Part.allCases.map { ($0.rawValue, try query(subjects: subjects, $0, words)) }, in: transaction)
    }

    /// The rows of a part on clients who have all words.
    ///
    /// They are in the order in which they began: one that counts further ones stays where it is while pages are read.
    func query(subjects: [String]?, _ part: Part, _ words: [String]) throws -> KeysetStore {
        var query = KeysetStore(
            """
            desk_attempts.id, clients.id AS client, clients.given_name, clients.family_name, desk_attempts.act,
                desk_attempts.why, desk_attempts.operator, accounts.name AS operator_name, desk_attempts.time,
                desk_attempts.last, desk_attempts.count
            """,
            from: "desk_attempts",
            joining: """
                LEFT JOIN accounts ON accounts.id = desk_attempts.operator
                LEFT JOIN clients ON clients.id = desk_attempts.subject OR clients.number_hash = desk_attempts.subject
                """,
            order: .newest("desk_attempts.time"), id: "desk_attempts.id")
        if let act = part.act { query.require("desk_attempts.act = ?", [.text(act.rawValue)]) }
        for subject in subjects ?? [] { query.requireOneOf("desk_attempts.subject = ?", [.text(subject)]) }
        // Attempts on one client all have the same name.
        guard subjects == nil else { return query }
        // Before somebody was a client, attempts on them had the hash of their number.
        try query.search(
            .clients, item: "desk_attempts.subject",
            orBy: ListSearch.OtherName(table: "clients", id: "id", column: "number_hash"), words: words, by: searches,
            in: transaction)
        return query
    }

    private static func described(_ row: Row) throws -> DeskAttempt {
        guard let act = DeskAttempt.Act(rawValue: try row.text("act")) else {
            throw StoredValueError(column: "desk_attempts.act")
        }
        guard let why = DeskAttempt.Why(rawValue: try row.text("why")) else {
            throw StoredValueError(column: "desk_attempts.why")
        }
        let client = try row.optionalText("client")
        let name =
            client == nil
            ? nil : PersonName(givenName: try row.text("given_name"), familyName: try row.text("family_name")).whole
        return DeskAttempt(
            id: try row.text("id"), act: act, why: why, client: client, clientName: name,
            operatorID: try row.text("operator"), operatorName: try row.text("operator_name"),
            time: try row.integer("time"), last: try row.integer("last"), count: try row.integer("count"))
    }
}
