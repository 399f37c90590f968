import Interface
import Storage

/// Lists of transactions: without their evidence, of which a thousand would be hundreds of megabytes.
struct SigningListStore {
    let transaction: Transaction

    /// A transaction as a list shows it.
    struct Listed {
        var id: String
        var state: Signing.State
        var client: String
        /// Empty once she is forgotten.
        var givenName: String
        var familyName: String
        var operatorID: String
        var operatorName: String
        var documentName: String
        var isMatch: Bool
        var created: Int64
        var decided: Int64?
    }

    /// Which transactions are listed.
    struct Filter: Sendable {
        var client: String?
        var operatorID: String?
        var document: String?
        var state: Signing.State?
        /// First second.
        var from: Int64?
        /// Last second.
        var to: Int64?
        /// The most that are listed.
        var limit = Limits.listing
    }

    private static let selection = """
        SELECT signings.id, signings.state, signings.client, given_name, family_name, signings.operator,
            accounts.name AS operator_name, document_name, is_match, signings.created, decided
        FROM signings JOIN clients ON clients.id = signings.client JOIN accounts ON accounts.id = signings.operator
        """

    /// One, whoever the client is by now.
    func find(id: String) throws -> Listed? {
        try transaction.row("\(Self.selection) WHERE signings.id = $1", [.text(id)]).map(Self.listed)
    }

    /// The newest first.
    func list(_ filter: Filter) throws -> [Listed] {
        var (conditions, values): ([String], [SQLValue]) = ([], [])
        func add(_ condition: String, _ value: SQLValue?) {
            guard let value else { return }
            values.append(value)
            conditions.append("signings.\(condition) $\(values.count)")
        }
        add("client =", filter.client.map(SQLValue.text))
        add("operator =", filter.operatorID.map(SQLValue.text))
        add("document =", filter.document.map(SQLValue.text))
        add("state =", filter.state.map { .text($0.rawValue) })
        add("created >=", filter.from.map(SQLValue.integer))
        add("created <=", filter.to.map(SQLValue.integer))
        values.append(.integer(Int64(filter.limit)))
        let condition = conditions.isEmpty ? "" : "WHERE " + conditions.joined(separator: " AND ")
        return try transaction.rows(
            "\(Self.selection) \(condition) ORDER BY signings.created DESC, signings.id LIMIT $\(values.count)", values
        ).map(Self.listed)
    }

    private static func listed(_ row: Row) throws -> Listed {
        guard let state = Signing.State(rawValue: try row.text("state")) else {
            throw StoredValueError(column: "signings.state")
        }
        return Listed(
            id: try row.text("id"), state: state, client: try row.text("client"),
            givenName: try row.text("given_name"), familyName: try row.text("family_name"),
            operatorID: try row.text("operator"), operatorName: try row.text("operator_name"),
            documentName: try row.text("document_name"),
            isMatch: try row.integer("is_match") == 1, created: try row.integer("created"),
            decided: try row.optionalInteger("decided"))
    }
}
