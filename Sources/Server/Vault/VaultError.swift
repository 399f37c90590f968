/// Why an act on a vault is refused.
enum VaultError: Error, Equatable {
    /// The account has no vault, no such slot, compartment, upload or content.
    case notFound
    case exists
    case invalidText(String)
    case invalidSlot
    case invalidContact
    case tooManySlots
    case invalidPINs
    /// No four blinded elements.
    case invalidElement
    /// No verifier of a PIN slot.
    case invalidVerifier
    /// No four proofs.
    case invalidProof
    case enrolmentOver
    /// Another device has written PIN slots since the wallet looked.
    case otherPINs
    /// The server was restored without the account's guard keys.
    case guardAbsent
    /// Seconds until a try may come.
    case wait(Int64)
    /// No PIN slot is left.
    case destroyed
    case tryOver
    case wrongProof
    case taken
    case tooManyMembers
    case tooManyDrops
    case invalidLifetime
    case tooManyLinks
    /// A contact has asked already.
    case asked
    case tooManyCompartments
    /// The present sequence.
    case otherSequence(Int64)
    case otherRevision
    case wrongNode
    case wrongContent
    case tooManyNodes
    /// Bytes that a compartment may have.
    case quota
    case invalidChange(String)
    case invalidSize
    case tooManyUploads
    case invalidPart
    case otherPart
    /// Bytes of the content.
    case invalidRange(Int64)
}

extension VaultError: ProblemSource {
    package var problem: Problem {
        switch self {
        case .notFound: Problem(.notFound)
        case .exists: Problem(.conflict, "You have a vault already.", name: "exists")
        case .invalidText(let member):
            Problem(.invalidMember, "\(member): not in the form that it has, or too short or too long.")
        case .invalidSlot: Problem(.invalidMember, "id, kind or sealed: not what a slot has, or the same id twice.")
        case .invalidContact:
            Problem(.invalidMember, "contact, wait: an account other than yours, and 1 to 30 days in seconds.")
        case .tooManySlots:
            Problem(
                .conflict, "A vault has at most \(Limits.vaultSlots) slots beside the PINs. Remove one first.",
                name: "slots")
        case .invalidPINs:
            Problem(.invalidMember, "pins: each slot from 0 to 3 once; at set-up all four.")
        case .invalidElement: Problem(.invalidMember, "blinded: compressed points of P-384, 49 bytes each.")
        case .invalidVerifier:
            Problem(.invalidMember, "verifier: 81 bytes, of which the first 49 are a compressed point of P-384.")
        case .invalidProof: Problem(.invalidMember, "proofs: four values of 128 bytes.")
        case .enrolmentOver:
            Problem(.gone, "These PINs took too long, or were stored already. Set them again.", name: "enrolment")
        case .otherPINs:
            Problem(
                .conflict, "Another device has changed the PINs. Read what it changed, then set yours again.",
                name: "pins")
        case .guardAbsent:
            Problem(
                .conflict,
                "The server was restored without what guards PINs. Open the vault another way, and set PINs again.",
                name: "absent")
        case .wait(let seconds):
            Problem(
                .tooManyRequests, "Too many PINs did not open the vault. Try again in \(seconds) seconds.",
                retryAfter: Int(seconds), name: "wait")
        case .destroyed:
            Problem(
                .gone, "Ten PINs did not open the vault, so no PIN does any more. Open it another way.",
                name: "destroyed")
        case .tryOver: Problem(.gone, "The time in which this try could be proved is over.", name: "try")
        case .wrongProof: Problem(.wrongCode, "This proves nothing. The try stays counted.", name: "proof")
        case .taken: Problem(.conflict, "Another one has this id.", name: "taken")
        case .tooManyMembers:
            Problem(
                .conflict, "A compartment has at most \(Limits.vaultMembers) members. Remove one first.",
                name: "members")
        case .tooManyDrops:
            Problem(
                .conflict,
                "The inbox is full. At most \(Limits.vaultDrops) things wait for the owner, "
                    + "with \(Limits.vaultInbox) bytes beside their contents.",
                name: "inbox")
        case .invalidLifetime:
            Problem(.invalidMember, "lifetime: a link to something of a vault lasts 1 minute to 30 days, in seconds.")
        case .tooManyLinks:
            Problem(
                .conflict, "At most \(Limits.vaultLinks) links to things of your vault work at once. Stop one first.",
                name: "links")
        case .asked: Problem(.conflict, "You have asked already. Wait for the time to be over.", name: "asked")
        case .tooManyCompartments:
            Problem(
                .conflict, "A vault has at most \(Limits.vaultCompartments) compartments.", name: "compartments")
        case .otherSequence(let sequence):
            Problem(
                .conflict, "Somebody else has changed it: it is at \(sequence). Read what changed, then decide.",
                name: "sequence")
        case .otherRevision:
            Problem(
                .conflict,
                "put: a revision is one more than the stored one, and 1 for a new item. If only the key changes, it may stay.",
                name: "revision")
        case .wrongNode:
            Problem(
                .conflict, "trash, restore, remove: an item is not there, or not where this needs it.", name: "node")
        case .wrongContent:
            Problem(
                .conflict,
                "versions: no whole upload of this compartment, or one of another size, or used already, "
                    + "or one that is in the owner's inbox: only the owner adds and removes that.",
                name: "content")
        case .tooManyNodes:
            Problem(
                .conflict,
                "A compartment has at most \(Limits.vaultNodes) files and folders, "
                    + "and \(Limits.vaultNodesEver) with those that were removed.",
                name: "nodes")
        case .quota:
            Problem(
                .conflict,
                "There is no room: a compartment has at most \(Limits.vaultQuota) bytes. "
                    + "Other people fill it up to \(Limits.vaultGuestQuota).",
                name: "quota")
        case .invalidChange(let detail): Problem(.invalidMember, detail)
        case .invalidSize: Problem(.invalidMember, "size: 1 to \(Limits.vaultQuota) bytes.")
        case .tooManyUploads:
            Problem(
                .conflict,
                "\(Limits.vaultUploads) uploads are open, or \(Limits.vaultGuestUploads) in somebody else's vault. "
                    + "Use or remove some first.",
                name: "uploads")
        case .invalidPart:
            Problem(
                .invalidMember,
                "The part has another length than it must: \(Limits.vaultPart) bytes, and the last one what is left.")
        case .otherPart: Problem(.conflict, "This part is there with other bytes. Begin another upload.", name: "part")
        case .invalidRange(let size):
            Problem(.rangeNotSatisfiable, "Range: the content has \(size) bytes.", contentSize: size)
        }
    }
}
