/// Why a call of the service's interface has no result.
public enum ServiceError: Error, Equatable, Sendable {
    /// The address of the server is not https, or http on this machine.
    case unacceptableAddress
    /// The key of the service is not an uncompressed point of P-256 in base64url.
    case unacceptableKey
    /// The server does not answer, or not in time. What was asked with an idempotency key may be asked again.
    case unreachable
    /// The server does not know the API key.
    case unauthenticated
    /// The server refused, and says why.
    case refused(Refusal)
    /// The answer is not one of this interface's.
    case unexpectedAnswer
    /// The receipt proves nothing.
    case badReceipt(ReceiptProblem)
}

/// What the server says when it refuses.
public struct Refusal: Equatable, Sendable {
    /// The HTTP status.
    public let status: Int
    /// The last part of the problem's address, such as `conflict`.
    public let kind: String
    /// The name that the protocol has for it, such as `already_answered` or `budget_used`, if it has one.
    public let name: String?
    /// For people.
    public let detail: String
    /// Seconds after which the same may be asked again, if the server says so.
    public let retryAfter: Int64?
}

/// What is wrong with a receipt.
public enum ReceiptProblem: Equatable, Sendable {
    /// It is not a receipt, or something in it contradicts something else.
    case malformed
    /// Its service or key is another than the pinned one.
    case otherService
    /// A signature does not hold.
    case badSignature
    /// It is about another request than the one that was asked for.
    case otherRequest
    /// Fewer people have approved than the given rule demands.
    case tooFew
}
