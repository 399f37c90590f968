import BrowserCalls
import Encodings
import Pico

/// Why a run ended, under names that pages know.
extension BrowserError {
    init(_ error: PicoError) {
        switch error {
        case .malformed: self.init("malformed", "The message is not one of the protocol.")
        case .tooLarge: self.init("too_large", "The message is longer than allowed.")
        case .unsupportedVersion: self.init("unsupported_version", "The version of the protocol is not known here.")
        case .unsupportedCode: self.init("unsupported_code", "The type of this code is not known here.")
        case .unsupportedAddress: self.init("unsupported_address", "The address of this code cannot be used here.")
        case .unsupportedCurve: self.init("old_curve", "A key is on another curve than the pairing.")
        case .invalidKey: self.init("invalid_key", "A key is not a public key of the curve, or not the other side's.")
        case .cannotOpen: self.init("cannot_open", "A message was changed, or is of another run.")
        case .wrongService: self.init("wrong_service", "Another service answered than the code or the pairing names.")
        case .invalidSignature: self.init("invalid_signature", "A signature does not hold.")
        case .invalidMAC: self.init("invalid_mac", "A code of authentication does not hold.")
        case .wrongSession: self.init("wrong_session", "The message is of another session.")
        case .notAuthorised: self.init("not_authorised", "The key belongs to nobody who may come in.")
        case .rejected: self.init("rejected", "The service refused.")
        case .wrongSequence: self.init("wrong_sequence", "A message is missing, or came twice.")
        case .forbiddenMove: self.init("forbidden_move", "The protocol does not allow this state after the last one.")
        case .peerFailed: self.init("peer_failed", "The service ended the session with an error.")
        case .timedOut: self.init("timed_out", "The time for the next message is over.")
        case .outOfOrder: self.init("out_of_order", "This message is not expected now.")
        case .exhausted: self.init("exhausted", "The session has sent as many messages as one key may seal.")
        case .suiteFailed: self.init("suite_failed", "The browser did not compute what was asked.")
        }
    }
}

extension Call {
    /// Bytes from base64url that may be longer than other members: a message of the protocol.
    static func messageBytes(_ value: JSON?, _ name: StaticString) throws(BrowserError) -> Bytes {
        guard let text = value?.string else { throw BrowserError("wrong_type", member: name, "is not a text.") }
        guard text.count <= longestMessage else {
            throw BrowserError("too_large", member: name, "is longer than allowed.")
        }
        guard let bytes = Base64.decode(text, .url) else {
            throw BrowserError("bad_base64url", member: name, "is not base64url.")
        }
        return bytes
    }

    /// The longest message of the protocol in base64url, with some room for its tag.
    static let longestMessage = (PicoLimits.message + 64) * 4 / 3

    /// A member that is an identity of a session: 32 bits with their sign.
    func sessionID(_ name: StaticString) throws(BrowserError) -> Int32 {
        guard let number = try value(name).integer, let id = Int32(exactly: number) else {
            throw BrowserError("wrong_type", member: name, "is not a number of 32 bits.")
        }
        return id
    }
}
