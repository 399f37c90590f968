package import Encodings

/// An act that changes trust, as it goes into the log: the type in clear, everything else behind a commitment.
package struct TrustEvent: Sendable {
    /// The kind of event: each slice names its own (``Slice/events``), and the log takes no others.
    package struct Kind: RawRepresentable, Hashable, Sendable {
        /// As entries and records name it: what the act concerns, a full stop, what was done.
        package let rawValue: String
        package init(rawValue: String) { self.rawValue = rawValue }
        init(_ name: String) { self.init(rawValue: name) }
    }

    package let kind: Kind
    /// The account the act concerns; the log shows a pseudonym of it.
    package let account: String
    /// What the pseudonym is of beside the account, so that nothing links the account's entries of two contexts.
    let context: String?
    /// What the commitment opens to.
    ///
    /// Its member `type` repeats the kind, so that a record proves one thing only.
    package let record: JSON

    /// An event; `members` and the type make up the record.
    ///
    /// - Parameter context: what the pseudonym is of, beside the account; ids have no zero byte.
    package init(_ kind: Kind, account: String, in context: String? = nil, _ members: [(String, JSON)]) {
        self.kind = kind
        self.account = account
        self.context = context
        record = .members(members + [("type", .text(kind.rawValue))])
    }

    /// What the pseudonym is of.
    var subject: Bytes { Bytes(text: account) + (context.map { [0] + Bytes(text: $0) } ?? []) }

    /// An event about a credential and the place of its status.
    static func credential(_ kind: Kind, account: String, digest: String, uri: String, index: Int64) -> TrustEvent {
        TrustEvent(
            kind, account: account,
            [("credential", .text(digest)), ("status_index", .integer(index)), ("status_uri", .text(uri))])
    }
}
