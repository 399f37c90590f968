/// Why a challenge, an answer or an enrolment is refused.
///
/// The first seven are those of the original's protocol; the server answers with their names.
public enum ApprovalError: Error, Equatable, Sendable {
    /// Not the bytes that the protocol allows.
    case malformed
    /// No challenge of this number, or the answer is for another one.
    case unknownChallenge
    /// The time in which an answer counts is over.
    case expired
    /// Somebody has answered, or the service has cancelled.
    case alreadyAnswered
    /// A signature does not cover these bytes with this key.
    case invalidSignature
    /// A key that is no point of P-256, or is a server's own.
    case unsupportedKey
    /// A device that is not enrolled for this account.
    case unknownDevice
    /// Version 2 only: the code is not the one that the asking page shows.
    case wrongCode
    /// Version 2 only: the answer is for another text than the challenge renders to.
    case otherText

    /// The name on the wire.
    public var name: StaticString {
        switch self {
        case .malformed: "malformed"
        case .unknownChallenge: "unknown_challenge"
        case .expired: "expired"
        case .alreadyAnswered: "already_answered"
        case .invalidSignature: "invalid_signature"
        case .unsupportedKey: "unsupported_key"
        case .unknownDevice: "unknown_device"
        case .wrongCode: "wrong_code"
        case .otherText: "other_text"
        }
    }
}
