import Interface
import Storage

/// The accounts as the administrators' list shows them: newest first.
struct AccountListStore {
    let transaction: Transaction
    private let searches = ListSearches()

    /// What can be looked at by itself.
    enum Part: String, ListPart {
        /// Every account.
        case all
        /// Members and operators whose identity was checked face to face.
        case verified
        /// Members and operators whose identity was not.
        case unverified
        /// Administrators, the main one among them.
        case staff
    }

    /// One page of a part.
    func page(_ part: Part, _ request: ListRequest) throws -> (rows: [Account], next: ListCursor?) {
        try query(part, request.words).page(request, in: transaction, AccountStore.account)
    }

    /// How many there are in each part.
    func counts(_ words: [String]) throws -> [ListCount] {
        try KeysetStore.counts(try Part.allCases.map { ($0.rawValue, try query($0, words)) }, in: transaction)
    }

    /// The rows of a part that have all words.
    func query(_ part: Part, _ words: [String]) throws -> KeysetStore {
        var query = KeysetStore(AccountStore.columns, from: "accounts", key: "created", id: "id")
        let (roles, states): ([Role], [Int64]) =
            switch part {
            case .all: ([], [])
            case .verified: ([.member, .operator], [1])
            case .unverified: ([.member, .operator], [0])
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

    /// Gives words to the accounts of a database that had none, some at a time.
    static func fillWords(in database: any Database) async throws {
        guard try await database.read({ try !SearchWordStore(transaction: $0).isFilled(.accounts) }) else { return }
        var last: String? = ""
        while let id = last {
            last = try await database.write { transaction in
                let accounts = try transaction.rows(
                    "SELECT \(AccountStore.columns) FROM accounts WHERE id > $1 ORDER BY id LIMIT 500", [.text(id)]
                ).map(AccountStore.account)
                return try SearchWordStore(transaction: transaction).fill(
                    .accounts, accounts.map { ($0.id, [$0.name, $0.username]) })
            }
        }
    }
}
