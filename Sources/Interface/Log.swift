/// The proof of an act, which anybody can check offline: a C2SP tlog-proof whose extra data open the entry's
/// commitment.
public struct Receipt: Codable, Sendable, Equatable {
    /// The text of the `.tlog-proof` file.
    public var proof: String
    public init(proof: String) { self.proof = proof }
}

/// The answer to an act that has nothing to say but that it is in the log.
public struct Acknowledgement: Codable, Sendable {
    public var receipt: Receipt
    public init(receipt: Receipt) { self.receipt = receipt }
}

/// One entry of the log that concerns the member who asks.
public struct LoggedEntry: Codable, Sendable {
    public var index: Int64
    /// The entry's type, as in the log.
    public var type: String
    public var time: Int64
    public var receipt: Receipt
    public init(index: Int64, type: String, time: Int64, receipt: Receipt) {
        self.index = index
        self.type = type
        self.time = time
        self.receipt = receipt
    }
}

/// A live update (server-sent event).
///
/// It names what changed; the listener fetches it.
public struct LiveEvent: Codable, Sendable {
    /// What it is about, as the slices of the server say: `request`, `document`, `signing` and others.
    public var kind: String
    public var id: String
    public var state: String
    public init(kind: String, id: String, state: String) {
        self.kind = kind
        self.id = id
        self.state = state
    }
}

/// An error on the wire (RFC 9457, `application/problem+json`).
public struct ProblemDetails: Codable, Sendable, Equatable {
    /// A path `/problems/SLUG` that answers with an explanation.
    public var type: String
    public var title: String
    public var status: Int
    public var detail: String
    /// The request's id, to be quoted to the operator.
    public var instance: String?
    /// The name that the capability's own protocol has for it, where it has one: `already_answered`.
    public var error: String?
    public init(
        type: String, title: String, status: Int, detail: String, instance: String? = nil, error: String? = nil
    ) {
        self.type = type
        self.title = title
        self.status = status
        self.detail = detail
        self.instance = instance
        self.error = error
    }
}
