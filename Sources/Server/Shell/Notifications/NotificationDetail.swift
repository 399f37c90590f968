import Documents
import Encodings

/// What a notice is about, in one short sentence, for ways whose owner wants it said.
///
/// It has no code, no amount, no name of a device and nothing of a document but its type.
struct NotificationDetail: Sendable, Equatable {
    /// What is said; `{0}` is the value.
    enum Sentence: String, Sendable, CaseIterable {
        case asksToSignIn = "asks-sign-in", asksToPay = "asks-pay", asksToChange = "asks-change"
        case asksToAgree = "asks-agree"
        case document, requestAccepted = "request-accepted", requestCancelled = "request-cancelled"
        case sessionEnded = "session-ended", sessionFailed = "session-failed"
        case deviceAdded = "device-added", deviceRevoked = "device-revoked"
        case answererAdded = "answerer-added", answererRemoved = "answerer-removed", answererAsks = "answerer-asks"
        case passkeyAdded = "passkey-added", passkeyRemoved = "passkey-removed"
        case passphraseChanged = "passphrase-changed"
        case walletPaired = "wallet-paired", walletRemoved = "wallet-removed"
        case emailAdded = "email-added", emailRemoved = "email-removed"
        case numberAdded = "number-added", numberRemoved = "number-removed"
        case browserAdded = "browser-added", browserRemoved = "browser-removed"
        case ownerRecovered = "owner-recovered", unfrozen, budgetRaised = "budget-raised"
        case vaultTried = "vault-tried", vaultChanged = "vault-changed", vaultRemoved = "vault-removed"
        case vaultAsked = "vault-asked"
        case recoveryCodes = "recovery-codes", recoveryBegun = "recovery-begun", recoveryEnded = "recovery-ended"
    }

    /// Bytes of a value: the message of a push service has one length, and an SMS is paid by its own.
    static let longestValue = 120

    let sentence: Sentence
    let value: String

    /// - Parameter value: neutralised already, if somebody else wrote it; the rest of a long one is left out.
    init(_ sentence: Sentence, _ value: String = "") {
        self.sentence = sentence
        self.value = Self.cut(value)
    }

    /// Reads what the outbox has.
    init?(stored: String) {
        let parts = stored.split(separator: "\n", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, let sentence = Sentence(rawValue: String(parts[0])) else { return nil }
        self.init(sentence, String(parts[1]))
    }

    /// For the outbox: it is put into words when it is sent, in the language of that time.
    var stored: String { "\(sentence.rawValue)\n\(value)" }

    /// The sentence in a language.
    func text(_ catalogue: WordCatalogue) -> String {
        var shown = value
        if [.document, .requestAccepted, .requestCancelled].contains(sentence) {
            let type = DocumentCatalogue.type(named: Bytes(text: value))
            shown = type?.title(in: Bytes(text: catalogue.code)) ?? value
        }
        // A name in Latin letters keeps its order within a sentence from right to left.
        if catalogue.direction == "rtl", !shown.isEmpty { shown = "\u{2068}\(shown)\u{2069}" }
        return catalogue(sentence.words).replacing("{0}", with: shown)
    }

    private static func cut(_ value: String) -> String {
        guard value.utf8.count > longestValue else { return value }
        var (cut, left) = ("", longestValue - 3)
        for character in value {
            left -= String(character).utf8.count
            guard left >= 0 else { break }
            cut.append(character)
        }
        return cut + "\u{2026}"
    }
}

extension NotificationDetail.Sentence {
    /// In English, the key of the catalogues.
    var words: String {
        switch self {
        case .asksToSignIn: "{0} asks you to sign in."
        case .asksToPay: "{0} asks you to pay."
        case .asksToChange: "{0} asks you to change something."
        case .asksToAgree: "{0} asks you to agree."
        case .document: "A document has come: {0}."
        case .requestAccepted: "Your request was accepted: {0}."
        case .requestCancelled: "Your request was cancelled: {0}."
        case .sessionEnded: "One of your sessions was ended from another one."
        case .sessionFailed: "One of your sessions was ended after failed confirmations."
        case .deviceAdded: "A device was added."
        case .deviceRevoked: "A device was revoked."
        case .answererAdded: "A device was added that answers {0}."
        case .answererRemoved: "A device was removed that answers a service."
        case .answererAsks: "A device wants to answer {0}, and asks another one to agree."
        case .passkeyAdded: "A passkey was added."
        case .passkeyRemoved: "A passkey was removed."
        case .passphraseChanged: "The passphrase was changed."
        case .walletPaired: "A wallet was paired that signs you in with a scan."
        case .walletRemoved: "A wallet was removed that signed you in with a scan."
        case .emailAdded: "An e-mail address for notices was added."
        case .emailRemoved: "An e-mail address for notices was removed."
        case .numberAdded: "A phone number for notices was added."
        case .numberRemoved: "A phone number for notices was removed."
        case .browserAdded: "Another browser is told from now on."
        case .browserRemoved: "A browser is no longer told."
        case .ownerRecovered: "The main administrator used a recovery code."
        case .unfrozen: "Services may ask you again."
        case .budgetRaised: "Services may ask you more often."
        case .vaultTried: "Somebody tried a PIN of your vault that did not open it."
        case .vaultChanged: "A way to open your vault was changed."
        case .vaultRemoved: "Your vault was removed."
        case .vaultAsked: "Your emergency contact asks for your vault. Say no if you are well."
        case .recoveryCodes: "Recovery codes were made."
        case .recoveryBegun: "Somebody said that all of your devices are lost."
        case .recoveryEnded: "The wait for a lost device was ended."
        }
    }
}
