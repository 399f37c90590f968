import Interface
import Storage

/// Invitations as their list shows them, newest first.
struct InvitationListStore {
    let transaction: Transaction
    private let searches = ListSearches()

    /// What can be looked at by itself.
    enum Part: String, ListPart {
        /// Every invitation that nobody has withdrawn.
        case all
        /// Those that can still be used.
        case open
        case used
        /// Those whose time ended before anybody used them.
        case expired
    }

    /// One page of a part.
    func page(
        _ part: Part, _ request: ListRequest, now: Int64
    ) throws -> (rows: [Invitation], next: ListCursor?) {
        try query(part, request.words, now: now).page(request, in: transaction, InvitationStore.invitation)
    }

    /// How many there are in each part.
    func counts(_ words: [String], now: Int64) throws -> [ListCount] {
        try KeysetStore.counts(
            try Part.allCases.map { ($0.rawValue, try query($0, words, now: now)) }, in: transaction)
    }

    /// The rows of a part, for people who have all words.
    func query(_ part: Part, _ words: [String], now: Int64) throws -> KeysetStore {
        var query = KeysetStore(
            InvitationStore.columns, from: "invitations", order: .newest("created"), id: "invitations.id")
        switch part {
        case .all: break
        case .open:
            query.require("used IS NULL")
            query.require("expires > ?", [.integer(now)])
        case .used: query.require("used IS NOT NULL")
        case .expired:
            query.require("used IS NULL")
            query.require("expires <= ?", [.integer(now)])
        }
        try query.search(.invitations, item: "invitations.id", words: words, by: searches, in: transaction)
        return query
    }
}
