import Pico
import Wallet

/// What a run ended with, for the module and for the person.
enum PamVerdict: String {
    case accepted = "y"
    /// Another wallet, or nobody.
    case refused = "n"
    /// It could not be tried: the next line of the stack decides.
    case unavailable = "u"
    /// This user has no wallet, and the settings say that such users are passed over.
    case skipped = "s"

    /// What an error means.
    init(_ error: any Error) {
        switch error {
        case PicoRunError.unreachable, PicoRunError.noRendezvous: self = .unavailable
        // Nobody came, or what came was not from the user's wallet.
        case is PicoRunError: self = .refused
        default: self = .unavailable
        }
    }

    /// What the person is told; it is the same for every reason of a refusal.
    static func words(_ error: any Error) -> String {
        switch error {
        case PicoRunError.unreachable, PicoRunError.noRendezvous:
            "The server that wallets use cannot be reached. Sign in another way."
        case PicoRunError.noAnswer, PicoRunError.refused(.timedOut): "Nobody has scanned the code in time."
        case is PicoRunError: "That did not sign you in."
        default:
            "Signing in with a wallet does not work on this machine. Sign in another way, and tell its administrator."
        }
    }
}
