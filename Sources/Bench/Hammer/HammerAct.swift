/// An act that changed something at a server, or tried to: a line of the hammer's journal.
struct HammerAct: Codable, Sendable, Equatable {
    /// What was done.
    enum Kind: String, Codable, Sendable, CaseIterable {
        /// An account and its first device; the subject is the username.
        case join
        case signIn = "sign-in"
        case invite
        /// Delegates to an administrator's key, or revokes that; the subject is the delegation.
        case certify
        case decertify
        /// The end of a face-to-face check, which is the subject.
        case identify
        /// The next four are about a request.
        case request
        case accept
        case cancel
        case issue
        /// Opened and verified in the holder's wallet; the subject is the document, as of the next three.
        case fetch
        case share
        case revoke
        case delete
        /// Of a link.
        case view
        case stop
        /// The revocation of a device.
        case retire
        /// A member checks the own acts and the log.
        case readLog = "read-log"
        /// A document of the desk's workspace: added, and removed.
        case writeText = "write-text"
        case removeText = "remove-text"
        /// The subject is the client's family name, which nobody else has.
        case enrolClient = "enrol-client"
        /// The next three are about a client.
        case reenrolClient = "reenrol-client"
        case eraseClient = "erase-client"
        /// A signature by hand was compared; the result is the transaction.
        case sign
        /// The operator's decision about a transaction.
        case confirm
        case refuse
        /// An operator is blocked, or unblocked; the subject is the username.
        case block
        case unblock
        /// A service that asks for approvals; the subject is its domain.
        case addService = "add-service"
        /// The subject is the domain too.
        case removeService = "remove-service"
        /// Another API key; the subject is the domain, the result the digest of the key.
        case rotateService = "rotate-service"
        /// A member's device at a service; the result is the device.
        case enrolApprover = "enrol-approver"
        /// An older approver of the member gave its word for a new one; the subject is the service's offer.
        case handOver = "hand-over"
        /// The new one, with that word; the subject is the offer, the result the device.
        case enrolHandedOver = "enrol-handed-over"
        /// The subject is the device.
        case removeApprover = "remove-approver"
        /// A service asks; the result is the question, which is the subject of the next three.
        case ask
        case allow
        case deny
        /// The service no longer asks.
        case withdraw
        /// A service asks several people, of whom two have to allow; the result is the question, which is the subject
        /// of the next two.
        case askTogether = "ask-together"
        /// One of them allows.
        case allowTogether = "allow-together"
        /// What proves that both allowed was checked; the result is its digest.
        case takeReceipt = "take-receipt"
        /// A denial after which a service asks nothing for an hour, and one that freezes; the subject is the question.
        case denyService = "deny-service"
        case denyAll = "deny-all"
        /// A service may speak version 1, the original's protocol; the subject is the domain.
        case speakOriginal = "speak-version-1"
        /// An app of version 1 was enrolled by the answer of an approver; the subject is the question about it.
        case enrolApp = "enrol-app"
        /// A service asks in version 1; the result is the number, which is the subject of the next.
        case askOriginal = "ask-version-1"
        case allowOriginal = "allow-version-1"
        /// Recovery codes for the loss of all approvers, in place of those before; the subject is the username, the
        /// result the time from which on they work.
        case makeCodes = "make-codes"
        /// They say that all approvers are lost, and begin to wait, or end that; the subject is the username, the result of
        /// the first when the wait began.
        case beginRecovery = "begin-recovery"
        case endRecovery = "end-recovery"
        /// No service may ask any more, or all may again; the subject is the username.
        case freeze
        case unfreeze
        /// A kind of notice was switched off; the subject is the username.
        case mute
        /// A wallet that signs in with a scan; the subject is the username, the result the wallet, which is the subject
        /// of the next two.
        case pairWallet = "pair-wallet"
        case scan
        case removeWallet = "remove-wallet"
        /// A vault was set up; the subject is the username, the result the compartment.
        case keepVault = "keep-vault"
        /// A file was put into a vault; the subject is the compartment, the result the item.
        case putFile = "put-file"
        /// The subject is the item.
        case removeFile = "remove-file"
        /// Another compartment of a vault; the subject is the username, the result the compartment.
        case makeCompartment = "make-compartment"
        /// A file went to another compartment; the subject is the item there was, the result the one that there is.
        case moveFile = "move-file"
        /// Somebody may put files into a compartment, which is the subject; the result is their account.
        case addCaretaker = "add-caretaker"
        /// A file was put into the inbox of a compartment, which is the subject; the result is the drop, which is the
        /// subject of the next two.
        case dropFile = "drop-file"
        /// It became an item of the compartment, which is the result.
        case takeDrop = "take-drop"
        /// It is in the inbox no more.
        case endDrop = "end-drop"
        /// A PIN was tried, the right one or another: the guard counted it and answered; the result is the try.
        case tryPIN = "try-pin"
        /// It was shown that a try was of a PIN; the subject is the slot that it opened, or `all` where what was counted
        /// against the others was taken back too.
        case provePIN = "prove-pin"
        /// A PIN slot got other contents; the subject is its number, the result what is sealed in it.
        case setPIN = "set-pin"
        /// A recovery key was stored, new or in place of the one before; the subject is the slot, the result what is
        /// sealed in it.
        case setSlot = "set-slot"
        /// The subject is the slot.
        case removeSlot = "remove-slot"

        /// The type of the entry that the act leaves in the log.
        var entryType: String? {
            switch self {
            case .join: "device.enrolled"
            case .certify: "administrator.delegated"
            case .decertify: "administrator.revoked"
            case .identify: "member.identified"
            case .issue: "document.issued"
            case .revoke: "document.revoked"
            case .delete: "document.deleted"
            case .retire: "device.revoked"
            case .enrolClient: "client.enrolled"
            case .reenrolClient: "client.enrolled_anew"
            case .eraseClient: "client.erased"
            case .confirm: "signing.confirmed"
            case .refuse: "signing.refused"
            case .block: "operator.blocked"
            case .unblock: "operator.unblocked"
            case .addService: "service.added"
            case .removeService: "service.removed"
            case .rotateService: "service.rotated"
            case .makeCodes: "approval_recovery.codes_made"
            case .removeApprover: "approval_device.removed"
            case .allow, .allowTogether, .enrolApp: "approval.given"
            case .speakOriginal: "service.changed"
            case .deny, .denyService, .denyAll: "approval.denied"
            // The answers to the first two of the desk's bring no receipt.
            case .writeText, .removeText, .sign: nil
            // Who confirms an enrolment is the service, and it gets none.
            case .enrolApprover, .enrolHandedOver, .handOver, .ask, .withdraw, .askTogether, .takeReceipt: nil
            // They leave entries, but the answers bring no receipt.
            case .freeze, .unfreeze, .askOriginal, .allowOriginal, .beginRecovery, .endRecovery: nil
            case .pairWallet, .scan, .removeWallet: nil
            case .keepVault: "vault.created"
            case .setPIN, .setSlot: "vault.slot_changed"
            case .removeSlot: "vault.slot_removed"
            case .putFile, .removeFile, .makeCompartment, .moveFile, .tryPIN, .provePIN: nil
            case .addCaretaker, .dropFile, .takeDrop, .endDrop: nil
            case .mute, .signIn, .invite, .request, .accept, .cancel, .fetch, .share, .view, .stop, .readLog: nil
            }
        }

        /// The name of the server's slice whose act it is.
        var slice: String {
            switch self {
            case .join, .signIn, .invite, .certify, .decertify, .retire: "accounts"
            case .identify, .request, .accept, .cancel, .issue, .fetch, .share, .revoke, .delete, .view, .stop:
                "documents"
            case .writeText, .removeText, .enrolClient, .reenrolClient, .eraseClient, .sign, .confirm, .refuse, .block,
                .unblock:
                "hand-signatures"
            case .addService, .removeService, .rotateService, .enrolApprover, .handOver, .enrolHandedOver,
                .removeApprover, .ask, .allow, .deny, .withdraw, .askTogether, .allowTogether, .takeReceipt,
                .denyService, .denyAll, .freeze, .unfreeze, .makeCodes, .beginRecovery, .endRecovery, .speakOriginal,
                .enrolApp, .askOriginal, .allowOriginal:
                "approvals"
            case .mute: "notifications"
            case .pairWallet, .scan, .removeWallet: "pico"
            case .keepVault, .putFile, .removeFile, .makeCompartment, .moveFile, .tryPIN, .provePIN, .setPIN, .setSlot,
                .removeSlot, .addCaretaker, .dropFile, .takeDrop, .endDrop:
                "vault"
            case .readLog: "transparency"
            }
        }

        /// Whether its entry is about a client, who has no account that could look it up.
        var isAboutClient: Bool {
            switch self {
            case .enrolClient, .reenrolClient, .eraseClient, .confirm, .refuse: true
            default: false
            }
        }
    }

    /// What the caller was told.
    enum Outcome: String, Codable, Sendable {
        /// It was done; from now on it must be there.
        case acknowledged
        /// It was not done: the answer to a second request, sent because the first answer was lost.
        case refused
        /// The answer was lost, or was that something is wrong with the server: done wholly or not at all.
        case unknown
        /// An answer that no healthy server gives.
        case wrong
    }

    let act: Kind
    let outcome: Outcome
    /// The username.
    let by: String
    /// The id of what the act is about.
    let subject: String?
    /// The id of what it made, or who got a certificate.
    var result: String?
    /// The text of the tlog-proof.
    var receipt: String?
    /// What is sealed in the four PIN slots of a vault that was set up.
    var slots: [String]?
    /// Why it was refused.
    var detail: String?

    /// An act whose outcome is known.
    init(_ act: Kind, _ outcome: Outcome, by: String, subject: String?) {
        self.act = act
        self.outcome = outcome
        self.by = by
        self.subject = subject
    }
}
