import Interface
import Storage

/// Issued documents as lists show them: those that their holders have not deleted, newest first.
struct DocumentListStore {
    let transaction: Transaction
    private let searches = ListSearches()

    /// What can be looked at by itself.
    enum Part: String, ListPart {
        case all, valid, revoked
    }

    /// One page of a part.
    ///
    /// - Parameter holder: only the documents of this holder, or everybody's.
    func page(
        holder: String?, _ part: Part, _ request: ListRequest
    ) throws -> (rows: [DocumentStore.Stored], next: ListCursor?) {
        try query(holder, part, request.words).page(request, in: transaction, DocumentStore.stored)
    }

    /// How many there are in each part.
    func counts(holder: String?, _ words: [String]) throws -> [ListCount] {
        try KeysetStore.counts(try Part.allCases.map { ($0.rawValue, try query(holder, $0, words)) }, in: transaction)
    }

    /// The rows of a part that have all words.
    func query(_ holder: String?, _ part: Part, _ words: [String]) throws -> KeysetStore {
        var query = KeysetStore(DocumentStore.columns, from: "documents", order: .newest("issued"), id: "id")
        query.require("deleted IS NULL")
        if let holder { query.require("holder = ?", [.text(holder)]) }
        switch part {
        case .all: break
        case .valid: query.require("revoked IS NULL")
        case .revoked: query.require("revoked IS NOT NULL")
        }
        if holder == nil {
            try query.search(.accounts, item: "documents.holder", words: words, by: searches, in: transaction)
        }
        return query
    }
}
