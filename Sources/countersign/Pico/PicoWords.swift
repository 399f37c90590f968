import ArgumentParser
import Encodings
import Pico
import Wallet

extension PicoCurveName: ExpressibleByArgument {}

extension PicoRunError {
    /// A stable name for programs.
    var code: String {
        switch self {
        case .refused(let error): "pico-\(error)"
        case .noAnswer: "pico-no-answer"
        case .channelTaken: "pico-channel-taken"
        case .channelClosed: "pico-channel-closed"
        case .unreachable, .noRendezvous: "pico-unreachable"
        case .cancelled: "cancelled"
        }
    }

    /// Whether this is a no, rather than something that could not be told.
    var isRefusal: Bool {
        guard case .refused(let error) = self else { return false }
        return error != .timedOut && error != .suiteFailed
    }

    /// What happened and what to do.
    var words: String {
        switch self {
        case .refused(let error): error.words
        case .noAnswer: "nobody answered in time. Let the service show a new code, and scan that"
        case .channelTaken:
            "somebody else uses the code at this moment. If it was not you, do not scan it again; ask for a new one"
        case .channelClosed: "the other side has ended it. Let the service show a new code, and scan that"
        case .unreachable(let host): "\(Bytes(text: host).shown) does not answer. Is this machine connected?"
        case .noRendezvous(let host):
            "\(Bytes(text: host).shown) answers, but it is not a place where codes of this kind meet"
        case .cancelled: "cancelled"
        }
    }
}

extension PicoError {
    /// What happened and what to do.
    var words: String {
        switch self {
        case .wrongService:
            "the other side is not the service that the code names: it has another key. Nothing was told to it"
        case .invalidSignature, .invalidMAC, .cannotOpen:
            "the other side could not prove what it is. Somebody may be in between. Let the service show a new code"
        case .rejected: "the service says no: it does not know this wallet, or no longer"
        case .notAuthorised: "the key that was shown is not paired"
        case .malformed, .tooLarge, .invalidKey, .outOfOrder, .wrongSession, .wrongSequence, .forbiddenMove:
            "the other side does not follow the protocol. Let the service show a new code"
        case .unsupportedVersion: "the other side speaks a version of the protocol that this program does not know"
        case .unsupportedCode: "the code is none that this program knows"
        case .unsupportedAddress: "the code names a meeting point that this program cannot reach"
        case .unsupportedCurve:
            "the service uses another curve than P-256. If you know that it is an old service, pair with --old-service"
        case .peerFailed: "the other side has ended the session with an error"
        case .timedOut: "nobody answered in time. Let the service show a new code, and scan that"
        case .exhausted: "the session has lasted as long as one key may be used. Sign in again"
        case .suiteFailed: "the cryptography of this machine failed"
        }
    }

    /// The same for a code, before anything was sent.
    var codeWords: String {
        switch self {
        case .malformed, .tooLarge, .unsupportedCode:
            "this is not the code of a service to sign in to. Show all of it, and try again"
        case .invalidSignature, .invalidKey:
            "the code is damaged, or somebody has changed it: its signature does not hold"
        case .unsupportedCurve:
            "the key in the code is on another curve than P-256, or than --old-service says. Only if you know that it is "
                + "an old service, name its curve with --old-service"
        default: words
        }
    }
}

extension PicoCode.Decision.Reason {
    /// Why nothing is done with a code of the original's browser extension.
    var words: String {
        switch self {
        case .replaysPasswords:
            "this is a code of the Pico Lens, which has the wallet type a password into a page that the browser names. "
                + "This wallet does not keep passwords, so it does nothing with it"
        case .servesPasswords:
            "this is a code for pairing with a browser or for handing a login over, which serves only the Pico Lens and its "
                + "passwords. This wallet does not keep passwords, so it does nothing with it"
        }
    }
}

extension PicoContinuousState {
    /// The state for programs.
    var name: String {
        switch self {
        case .active: "active"
        case .paused: "paused"
        case .stopped: "stopped"
        case .failed: "failed"
        }
    }

    /// The state for people who are signed in.
    var words: String {
        switch self {
        case .active: "Signed in."
        case .paused: "Paused: the service has locked, and waits for you."
        case .stopped: "Signed out."
        case .failed: "The session has failed."
        }
    }
}
