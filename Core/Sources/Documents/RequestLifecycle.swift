public import Encodings

/// Why an act on a request for a document is refused.
public enum RequestError: Error, Equatable, Sendable {
    /// The request is in a state in which this act has no meaning.
    case wrongState
    /// Another administrator handles it.
    case handledByAnother
    /// Only the member who asked, or an administrator, may cancel it.
    case notYours
    /// A member who was never checked face to face cannot ask for documents.
    case notVerified
    /// The type does not exist, or is not issued on request.
    case unknownType
    /// A cancellation says why.
    case reasonMissing
}

/// A request for a document, from question to answer: pending → accepted → issued, or cancelled on the way.
public struct RequestLifecycle: Sendable, Equatable {
    /// Where a request stands.
    public enum State: Sendable, Equatable {
        case pending
        case accepted
        case cancelled
        case issued
    }

    /// Where it stands.
    public private(set) var state: State
    /// The id of the member who asked.
    public let member: Bytes
    /// The id of the administrator who handles it.
    public private(set) var administrator: Bytes?

    /// A request as it was stored.
    public init(state: State, member: Bytes, administrator: Bytes?) {
        self.state = state
        self.member = member
        self.administrator = administrator
    }

    /// A new request.
    ///
    /// - Throws: `notVerified`, or `unknownType` when `isOnCatalogue` is false.
    public static func open(
        member: Bytes, isVerified: Bool, isOnCatalogue: Bool
    ) throws(RequestError) -> RequestLifecycle {
        guard isVerified else { throw .notVerified }
        guard isOnCatalogue else { throw .unknownType }
        return RequestLifecycle(state: .pending, member: member, administrator: nil)
    }

    /// An administrator takes a pending request.
    public mutating func accept(by administrator: Bytes) throws(RequestError) {
        guard state == .pending else { throw .wrongState }
        state = .accepted
        self.administrator = administrator
    }

    /// An open request is handed to an administrator, no matter who had it.
    public mutating func assign(to administrator: Bytes) throws(RequestError) {
        guard state == .pending || state == .accepted else { throw .wrongState }
        state = .accepted
        self.administrator = administrator
    }

    /// The member withdraws, or an administrator declines, with a reason that the member reads.
    public mutating func cancel(
        by account: Bytes, isAdministrator: Bool, hasReason: Bool
    ) throws(RequestError) {
        guard state == .pending || state == .accepted else { throw .wrongState }
        guard isAdministrator || account == member else { throw .notYours }
        guard hasReason else { throw .reasonMissing }
        state = .cancelled
    }

    /// Whether this administrator may sign the answer now.
    public func checkSigning(by administrator: Bytes) throws(RequestError) {
        guard state == .accepted else { throw .wrongState }
        guard self.administrator == administrator else { throw .handledByAnother }
    }

    /// The answer was signed and sent.
    public mutating func issue(by administrator: Bytes) throws(RequestError) {
        try checkSigning(by: administrator)
        state = .issued
    }
}
