import Interface
import Storage

/// A client's acts as their list shows them, newest first.
struct ClientActListStore {
    let transaction: Transaction

    /// What can be looked at by itself: every act, or those of a kind.
    enum Part: String, ListPart {
        case all, enrolled, reenrolled, renamed
        case secondSitting = "second_sitting"
        case fieldsChanged = "fields_changed"

        fileprivate var kind: ClientHistory.Kind? { ClientHistory.Kind(rawValue: rawValue) }
    }

    /// One page of a part.
    func page(
        client: String, _ part: Part, _ request: ListRequest
    ) throws -> (rows: [ClientActStore.Stored], next: ListCursor?) {
        try query(client: client, part).page(request, in: transaction, ClientActStore.stored)
    }

    /// How many there are in each part.
    func counts(client: String) throws -> [ListCount] {
        try KeysetStore.counts(Part.allCases.map { ($0.rawValue, query(client: client, $0)) }, in: transaction)
    }

    /// The rows of a part, in the order of the log, which also tells those of one second apart.
    func query(client: String, _ part: Part) -> KeysetStore {
        var query = KeysetStore(ClientActStore.columns, from: "client_acts", order: .newest("log_index"), id: "id")
        query.require("client = ?", [.text(client)])
        if let kind = part.kind { query.require("kind = ?", [.text(kind.rawValue)]) }
        return query
    }
}
