import Interface
import Storage

/// Administrators' certifications as lists show them, newest first.
struct DelegationListStore {
    let transaction: Transaction
    private let searches = ListSearches()

    /// What can be looked at by itself.
    enum Part: String, ListPart {
        /// Every certification there has been.
        case all
        case pending, certified, revoked

        fileprivate var state: Delegation.State? { Delegation.State(rawValue: rawValue) }
    }

    /// One page of a part.
    ///
    /// - Parameter account: only this administrator's certifications, or everybody's.
    func page(
        account: String?, _ part: Part, _ request: ListRequest
    ) throws -> (rows: [DelegationStore.Stored], next: ListCursor?) {
        try query(account, part, request.words).page(request, in: transaction, DelegationStore.stored)
    }

    /// How many there are in each part.
    func counts(account: String?, _ words: [String]) throws -> [ListCount] {
        try KeysetStore.counts(try Part.allCases.map { ($0.rawValue, try query(account, $0, words)) }, in: transaction)
    }

    /// The rows of a part that have all words.
    func query(_ account: String?, _ part: Part, _ words: [String]) throws -> KeysetStore {
        var query = KeysetStore(DelegationStore.columns, from: "delegations", order: .newest("created"), id: "id")
        if let account { query.require("account = ?", [.text(account)]) }
        if let state = part.state { query.require("state = ?", [.text(state.rawValue)]) }
        // An administrator has few and looks for none by their own name.
        if account == nil {
            try query.search(.accounts, item: "delegations.account", words: words, by: searches, in: transaction)
        }
        return query
    }
}
