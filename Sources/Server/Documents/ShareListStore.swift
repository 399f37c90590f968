import Interface
import Storage

/// An account's links to documents as lists show them, newest first.
struct ShareListStore {
    let transaction: Transaction

    /// What can be looked at by itself.
    enum Part: String, ListPart {
        case all
        /// Those that can still be opened.
        case open
        /// Those that were stopped, have run out or are used up.
        case ended
    }

    private static let isOpen = "stopped IS NULL AND expires > ? AND views < maximum_views"

    /// One page of a part.
    ///
    /// - Parameter document: only the links to this one; `nil` for those to all documents.
    func page(
        account: String, document: String?, _ part: Part, _ request: ListRequest, now: Int64
    ) throws -> (rows: [ShareStore.Stored], next: ListCursor?) {
        try query(account: account, document: document, part, now: now)
            .page(request, in: transaction, ShareStore.stored)
    }

    /// How many there are in each part.
    func counts(account: String, document: String?, now: Int64) throws -> [ListCount] {
        try KeysetStore.counts(
            Part.allCases.map { ($0.rawValue, query(account: account, document: document, $0, now: now)) },
            in: transaction)
    }

    /// The rows of a part.
    func query(account: String, document: String?, _ part: Part, now: Int64) -> KeysetStore {
        var query = KeysetStore(ShareStore.columns, from: "shares", order: .newest("created"), id: "id")
        query.require("account = ?", [.text(account)])
        if let document {
            query.require("document = ?", [.text(document)])
        } else {
            query.require("document IS NOT NULL")
        }
        switch part {
        case .all: break
        case .open: query.require(Self.isOpen, [.integer(now)])
        case .ended: query.require("NOT (\(Self.isOpen))", [.integer(now)])
        }
        return query
    }
}
