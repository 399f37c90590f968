import Interface
import Storage

/// Clients as the desk's list shows them: those who are not erased.
struct ClientListStore {
    let transaction: Transaction
    private let searches = ListSearches()

    /// What can be looked at by itself.
    enum Part: String, ListPart {
        case all
        /// Those whose next visit's signatures can be taken now.
        case due
    }

    private static let columns = """
        clients.id, clients.given_name, clients.family_name, clients.tool, clients.created,
            client_templates.enrolled, client_templates.sittings,
            (SELECT COUNT(*) FROM signings WHERE signings.client = clients.id) AS signings,
            (SELECT MAX(signings.created) FROM signings WHERE signings.client = clients.id) AS last_signing
        """

    /// One page of a part.
    func page(_ part: Part, _ request: ListRequest, now: Int64) throws -> (rows: [Client], next: ListCursor?) {
        try query(part, request.words, request.sort, now: now).page(request, in: transaction, Self.client)
    }

    /// How many there are in each part.
    func counts(_ words: [String], now: Int64) throws -> [ListCount] {
        try KeysetStore.counts(
            try Part.allCases.map { ($0.rawValue, try query($0, words, now: now)) }, in: transaction)
    }

    /// The rows of a part that have all words.
    func query(_ part: Part, _ words: [String], _ sort: ListSort = .newest, now: Int64) throws -> KeysetStore {
        var query = KeysetStore(
            Self.columns, from: "clients",
            joining: "LEFT JOIN client_templates ON client_templates.client = clients.id",
            order: ListOrder(sort: sort, column: sort == .newest ? "clients.created" : "clients.sort_name"),
            id: "clients.id")
        switch part {
        case .all: query.require("clients.erased IS NULL")
        // An erased client has no next visit. One condition more, and SQLite would walk the index of all clients.
        case .due: query.require("clients.next_visit <= ?", [.integer(now)])
        }
        try query.search(.clients, item: "clients.id", words: words, by: searches, in: transaction)
        return query
    }

    private static func client(_ row: Row) throws -> Client {
        guard let tool = SignatureTool(rawValue: try row.text("tool")) else {
            throw StoredValueError(column: "clients.tool")
        }
        let (created, enrolled) = (try row.integer("created"), try row.optionalInteger("enrolled"))
        var template: ClientStore.StoredTemplate?
        if let enrolled {
            template = ClientStore.StoredTemplate(
                id: "", client: "", sealed: "", enrolled: enrolled, sittings: try row.integer("sittings"))
        }
        return Client(
            id: try row.text("id"), givenName: try row.text("given_name"), familyName: try row.text("family_name"),
            tool: tool, needsSecondSitting: template?.secondSittingFrom != nil, created: created,
            enrolled: enrolled ?? created, signings: try row.integer("signings"),
            lastSigning: try row.optionalInteger("last_signing"), number: nil, paper: nil,
            secondSittingFrom: template?.secondSittingFrom,
            hasChangedHand: template?.sittings == ClientStore.StoredTemplate.visitDue)
    }
}
