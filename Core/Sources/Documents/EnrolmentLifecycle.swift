public import Encodings

/// Why a step of a face-to-face check is refused.
public enum EnrolmentError: Error, Equatable, Sendable {
    /// Not the step that comes next.
    case wrongState
    /// The check was opened too long ago.
    case expired
    /// Another person's check.
    case notYours
    /// The holder's nonce is not the one committed to.
    case brokenCommitment
}

/// A face-to-face check: open → claimed → answered → completed, each step by the side whose turn it is.
///
/// The holder commits to a nonce, the administrator answers with one, the holder opens the commitment. So neither side,
/// nor a server between them, can choose the six digits that both compare.
public struct EnrolmentLifecycle: Sendable, Equatable {
    /// Where a check stands.
    public enum State: Sendable, Equatable {
        case open
        case claimed
        case answered
        case completed
        case abandoned
    }

    /// Where it stands.
    public private(set) var state: State
    /// The id of the member who is checked.
    public let holder: Bytes
    /// SHA-256 of the holder's nonce.
    public let commitment: Bytes
    /// Seconds since 1970 after which only giving up is possible.
    public let expires: Int64
    /// The id of the administrator who checks.
    public private(set) var administrator: Bytes?

    /// A check as it was stored.
    public init(state: State, holder: Bytes, commitment: Bytes, expires: Int64, administrator: Bytes?) {
        self.state = state
        self.holder = holder
        self.commitment = commitment
        self.expires = expires
        self.administrator = administrator
    }

    /// An administrator has taken the holder's code.
    public mutating func claim(by administrator: Bytes, now: Int64) throws(EnrolmentError) {
        guard now < expires else { throw .expired }
        guard state == .open else { throw .wrongState }
        guard administrator != holder else { throw .notYours }
        state = .claimed
        self.administrator = administrator
    }

    /// The holder opens the commitment and answers the administrator's nonce.
    public mutating func answer(by holder: Bytes, nonce: Bytes, now: Int64) throws(EnrolmentError) {
        guard holder == self.holder else { throw .notYours }
        guard now < expires else { throw .expired }
        guard state == .claimed else { throw .wrongState }
        guard SHA256.hash(nonce) == commitment else { throw .brokenCommitment }
        state = .answered
    }

    /// The administrator has compared the digits and seen a paper.
    public mutating func complete(by administrator: Bytes, now: Int64) throws(EnrolmentError) {
        guard administrator == self.administrator else { throw .notYours }
        guard now < expires else { throw .expired }
        guard state == .answered else { throw .wrongState }
        state = .completed
    }

    /// Either side gives up.
    public mutating func abandon(by account: Bytes) throws(EnrolmentError) {
        guard account == holder || account == administrator else { throw .notYours }
        guard state != .completed, state != .abandoned else { throw .wrongState }
        state = .abandoned
    }
}
