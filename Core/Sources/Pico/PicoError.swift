/// Why a code, a message or a file of the Pico protocol is refused.
///
/// Every refusal ends the run that it happens in. Nothing here holds a secret, so an error may be logged. A peer is never
/// told which one it was: it sees silence or Status -1 (section 11).
public enum PicoError: Error, Equatable, Sendable {
    /// Not the bytes that the protocol allows: no JSON, a member missing or of another type, base64 that is not strict,
    /// elements that do not split exactly.
    case malformed
    /// Longer than a limit of section 14.
    case tooLarge
    /// A `picoVersion` other than 2.
    case unsupportedVersion
    /// A type of code that we do not know, or the abandoned type PA.
    case unsupportedCode
    /// An address with a scheme that the reader does not accept.
    case unsupportedAddress
    /// A curve that this service may not use, or two ephemeral keys on different curves.
    case unsupportedCurve
    /// No public key in its one spelling, a point that is not on its curve, or a key that was sent back to its owner.
    case invalidKey
    /// The tag of a sealed message does not hold, or the message is too short to have one.
    case cannotOpen
    /// The service has another identity key than the code or the pairing says.
    case wrongService
    /// A signature does not hold.
    case invalidSignature
    /// A message authentication code does not hold.
    case invalidMAC
    /// A session id other than our own.
    case wrongSession
    /// The Pico's identity key belongs to nobody who may come in.
    case notAuthorised
    /// The service answered with a status other than 0 and 1.
    case rejected
    /// A sequence number that does not follow the one before it.
    case wrongSequence
    /// A move between two states that section 6 does not allow, or an unknown state.
    case forbiddenMove
    /// The peer ended continuous authentication with an error.
    case peerFailed
    /// The time for the next message is over.
    case timedOut
    /// This message is not expected now: the run is at another step, has ended or has failed.
    case outOfOrder
    /// As many messages as one key may seal have been sent.
    case exhausted
    /// The suite could not compute what was asked, or the source of randomness gave another number of bytes.
    case suiteFailed
}
