import Interface
import Storage

/// The accounts as the administrators' list shows them.
struct AccountListStore {
    let transaction: Transaction
    private let searches = ListSearches()

    /// What can be looked at by itself.
    enum Part: String, ListPart {
        /// Every account.
        case all
        /// Members and operators whose identity was checked face to face.
        case verified
        /// Members whose identity was not; operators need no check.
        case unverified
        /// Administrators, the main one among them.
        case staff
    }

    /// One page of a part.
    func page(_ part: Part, _ request: ListRequest) throws -> (rows: [Account], next: ListCursor?) {
        try query(part, request.words, request.sort).page(request, in: transaction, AccountStore.account)
    }

    /// How many there are in each part.
    func counts(_ words: [String]) throws -> [ListCount] {
        try KeysetStore.counts(try Part.allCases.map { ($0.rawValue, try query($0, words)) }, in: transaction)
    }

    /// The rows of a part that have all words.
    func query(_ part: Part, _ words: [String], _ sort: ListSort = .newest) throws -> KeysetStore {
        var query = KeysetStore(
            AccountStore.columns, from: "accounts", order: AccountStore.order(sort), id: "accounts.id")
        let (roles, states): ([Role], [Int64]) =
            switch part {
            case .all: ([], [])
            case .verified: ([.member, .operator], [1])
            case .unverified: ([.member], [0])
            case .staff: ([.administrator, .owner], [0, 1])
            }
        for role in roles {
            for state in states {
                query.requireOneOf("role = ? AND verified = ?", [.text(role.rawValue), .integer(state)])
            }
        }
        try query.search(.accounts, item: "accounts.id", words: words, by: searches, in: transaction)
        return query
    }
}
