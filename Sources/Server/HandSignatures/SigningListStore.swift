import Interface
import Storage

/// Lists of transactions, without their evidence: a thousand of these would be hundreds of megabytes.
struct SigningListStore {
    let transaction: Transaction
    private let searches = ListSearches()

    /// A transaction as a list shows it.
    struct Listed {
        var id: String
        var state: Signing.State
        var client: String
        /// Empty once the client is forgotten.
        var givenName: String
        var familyName: String
        var operatorID: String
        var operatorName: String
        var documentName: String
        var isMatch: Bool
        var created: Int64
        var decided: Int64?
    }

    /// What can be looked at by itself.
    enum Part: String, ListPart {
        case all
        /// Those that can still be decided.
        case pending
        case confirmed, refused
        /// Those that nobody has decided in time.
        case lapsed
    }

    /// Which transactions are listed.
    struct Filter: Sendable {
        var client: String?
        var operatorID: String?
        var document: String?
        /// First second.
        var from: Int64?
        /// Last second.
        var to: Int64?
    }

    private static let columns = """
        signings.id, signings.state, signings.client, clients.given_name, clients.family_name, signings.operator,
            accounts.name AS operator_name, signings.document_name, signings.is_match, signings.created,
            signings.decided
        """

    /// Each transaction has both; joined so, the engine walks transactions first.
    private static let joins = """
        LEFT JOIN clients ON clients.id = signings.client LEFT JOIN accounts ON accounts.id = signings.operator
        """

    /// One transaction, even if the client is forgotten by now.
    func find(id: String) throws -> Listed? {
        try transaction.row("SELECT \(Self.columns) FROM signings \(Self.joins) WHERE signings.id = $1", [.text(id)])
            .map(Self.listed)
    }

    /// One page of a part.
    func page(
        _ part: Part, _ filter: Filter, _ request: ListRequest, now: Int64
    ) throws -> (rows: [Listed], next: ListCursor?) {
        try query(part, filter, request.words, now: now).page(request, in: transaction, Self.listed)
    }

    /// How many there are in each part.
    func counts(_ filter: Filter, _ words: [String], now: Int64) throws -> [ListCount] {
        try KeysetStore.counts(
            try Part.allCases.map { ($0.rawValue, try query($0, filter, words, now: now)) }, in: transaction)
    }

    /// The rows of a part that pass the filter, of clients who have all words.
    func query(_ part: Part, _ filter: Filter, _ words: [String], now: Int64) throws -> KeysetStore {
        var query = KeysetStore(
            Self.columns, from: "signings", joining: Self.joins, order: .newest("signings.created"), id: "signings.id")
        func require(_ condition: String, _ value: SQLValue?) {
            if let value { query.require("signings.\(condition) ?", [value]) }
        }
        require("client =", filter.client.map(SQLValue.text))
        require("operator =", filter.operatorID.map(SQLValue.text))
        require("document =", filter.document.map(SQLValue.text))
        require("created >=", filter.from.map(SQLValue.integer))
        require("created <=", filter.to.map(SQLValue.integer))
        let state: Signing.State? =
            switch part {
            case .all: nil
            case .pending, .lapsed: .pending
            case .confirmed: .confirmed
            case .refused: .refused
            }
        require("state =", state.map { .text($0.rawValue) })
        // As `Signing` says it.
        if part == .pending { require("created >=", .integer(now - Limits.signingTime)) }
        if part == .lapsed { require("created <", .integer(now - Limits.signingTime)) }
        try query.search(.clients, item: "signings.client", words: words, by: searches, in: transaction)
        return query
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
