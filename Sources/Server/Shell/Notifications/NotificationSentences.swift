extension NotificationDetail.Sentence {
    /// What the slices of this program say.
    static let ofProgram: [Self] = [
        asksToSignIn, asksToPay, asksToChange, asksToAgree, document, requestAccepted, requestCancelled,
        sessionEnded, sessionFailed, deviceAdded, deviceRevoked, answererAdded, answererRemoved, answererAsks,
        passkeyAdded, passkeyRemoved, passphraseChanged, walletPaired, walletRemoved, emailAdded, emailRemoved,
        numberAdded, numberRemoved, browserAdded, browserRemoved, ownerRecovered, unfrozen, budgetRaised, vaultTried,
        vaultChanged, vaultRemoved, vaultAsked, recoveryCodes, recoveryBegun, recoveryEnded,
    ]

    static let asksToSignIn = Self("asks-sign-in", "{0} asks you to sign in.")
    static let asksToPay = Self("asks-pay", "{0} asks you to pay.")
    static let asksToChange = Self("asks-change", "{0} asks you to change something.")
    static let asksToAgree = Self("asks-agree", "{0} asks you to agree.")
    static let document = Self("document", "A document has come: {0}.")
    static let requestAccepted = Self("request-accepted", "Your request was accepted: {0}.")
    static let requestCancelled = Self("request-cancelled", "Your request was cancelled: {0}.")
    static let sessionEnded = Self("session-ended", "One of your sessions was ended from another one.")
    static let sessionFailed = Self("session-failed", "One of your sessions was ended after failed confirmations.")
    static let deviceAdded = Self("device-added", "A device was added.")
    static let deviceRevoked = Self("device-revoked", "A device was revoked.")
    static let answererAdded = Self("answerer-added", "A device was added that answers {0}.")
    static let answererRemoved = Self("answerer-removed", "A device was removed that answers a service.")
    static let answererAsks = Self("answerer-asks", "A device wants to answer {0}, and asks another one to agree.")
    static let passkeyAdded = Self("passkey-added", "A passkey was added.")
    static let passkeyRemoved = Self("passkey-removed", "A passkey was removed.")
    static let passphraseChanged = Self("passphrase-changed", "The passphrase was changed.")
    static let walletPaired = Self("wallet-paired", "A wallet was paired that signs you in with a scan.")
    static let walletRemoved = Self("wallet-removed", "A wallet was removed that signed you in with a scan.")
    static let emailAdded = Self("email-added", "An e-mail address for notices was added.")
    static let emailRemoved = Self("email-removed", "An e-mail address for notices was removed.")
    static let numberAdded = Self("number-added", "A phone number for notices was added.")
    static let numberRemoved = Self("number-removed", "A phone number for notices was removed.")
    static let browserAdded = Self("browser-added", "Another browser is told from now on.")
    static let browserRemoved = Self("browser-removed", "A browser is no longer told.")
    static let ownerRecovered = Self("owner-recovered", "The main administrator used a recovery code.")
    static let unfrozen = Self("unfrozen", "Services may ask you again.")
    static let budgetRaised = Self("budget-raised", "Services may ask you more often.")
    static let vaultTried = Self("vault-tried", "Somebody tried a PIN of your vault that did not open it.")
    static let vaultChanged = Self("vault-changed", "A way to open your vault was changed.")
    static let vaultRemoved = Self("vault-removed", "Your vault was removed.")
    static let vaultAsked = Self("vault-asked", "Your emergency contact asks for your vault. Say no if you are well.")
    static let recoveryCodes = Self("recovery-codes", "Recovery codes were made.")
    static let recoveryBegun = Self("recovery-begun", "Somebody said that all of your devices are lost.")
    static let recoveryEnded = Self("recovery-ended", "The wait for a lost device was ended.")
}
