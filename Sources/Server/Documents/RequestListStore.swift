import Interface
import Storage

/// Requests as lists show them, newest first, with the people that they name.
struct RequestListStore {
    let transaction: Transaction
    private let searches = ListSearches()

    /// What can be looked at by itself.
    enum Part: String, ListPart {
        /// Pending or accepted.
        case open
        case pending, accepted, cancelled, issued
        /// Every request.
        case all

        fileprivate var states: [DocumentRequest.State] {
            switch self {
            case .open: [.pending, .accepted]
            case .pending: [.pending]
            case .accepted: [.accepted]
            case .cancelled: [.cancelled]
            case .issued: [.issued]
            case .all: []
            }
        }
    }

    /// One page of a part.
    ///
    /// - Parameter member: only this member's requests, or everybody's.
    func page(
        member: String?, _ part: Part, _ request: ListRequest
    ) throws -> (rows: [RequestStore.Stored], next: ListCursor?) {
        try query(member, part, request.words).page(request, in: transaction, RequestStore.stored)
    }

    /// How many there are in each part.
    func counts(member: String?, _ words: [String]) throws -> [ListCount] {
        try KeysetStore.counts(try Part.allCases.map { ($0.rawValue, try query(member, $0, words)) }, in: transaction)
    }

    /// The rows of a part that have all words.
    func query(_ member: String?, _ part: Part, _ words: [String]) throws -> KeysetStore {
        var query = KeysetStore(RequestStore.columns, from: "requests", order: .newest("created"), id: "id")
        if let member { query.require("member = ?", [.text(member)]) }
        for state in part.states { query.requireOneOf("state = ?", [.text(state.rawValue)]) }
        // A member has few requests and looks for none by their own name.
        if member == nil {
            try query.search(.accounts, item: "requests.member", words: words, by: searches, in: transaction)
        }
        return query
    }
}
