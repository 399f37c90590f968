import CryptoProvider
import Documents
import Interface
import Storage

// One table from each capability's errors to what the caller is told.

extension AccountError: ProblemSource {
    package var problem: Problem {
        switch self {
        case .alreadySetUp: Problem(.conflict, "This server is already set up.")
        case .notSetUp: Problem(.conflict, "This server is not set up yet. Run the set-up command that it printed.")
        case .wrongSetUpCode: Problem(.wrongCode, "That is not the set-up code. The server prints it at its start.")
        case .wrongRecoveryCode:
            Problem(.wrongCode, "The code is unknown, used or expired, or not for this username. Ask for a new one.")
        case .invalidUsername:
            Problem(
                .invalidMember,
                "username: 3 to 254 of the letters a to z, digits and . _ - + @ (a name or an e-mail address).")
        case .invalidName: Problem(.invalidMember, "name: 1 to 200 bytes of visible text.")
        case .invalidOrganisation:
            Problem(
                .invalidMember,
                "organisation: 1 to \(Limits.organisation) characters of visible text, with their accents "
                    + "and marks at most \(Limits.organisation * 2).")
        case .invalidNamePart:
            Problem(
                .invalidMember,
                "given_name, family_name: one of them at least, each up to \(Limits.namePart) characters of visible "
                    + "text, with their accents and marks at most \(Limits.namePart * 2)."
            )
        case .invalidLanguage:
            Problem(.invalidMember, "language: a tag such as de or pt-BR, or empty for the browser's own.")
        case .weakPassphrase: Problem(.invalidMember, "passphrase: 10 to 1,024 bytes; several words are best.")
        case .usernameTaken: Problem(.conflict, "That username is taken. Choose another.")
        case .invitationInvalid:
            Problem(.wrongCode, "The invitation is unknown, used or expired. Ask for a new one.")
        case .invalidDevice:
            Problem(
                .invalidMember,
                "device: the keys are malformed or not proved, or the wallet's clock is wrong. Set the clock, and try again."
            )
        case .deviceTaken: Problem(.conflict, "These device keys are registered already. Make a new wallet.")
        case .signInFailed: Problem(.signInFailed)
        case .deviceNotFound: Problem(.notFound, "There is no such device.")
        case .accountNotFound: Problem(.notFound, "There is no such account.")
        case .sessionNotFound: Problem(.notFound, "There is no such session.")
        case .deviceAlreadyRevoked: Problem(.conflict, "The device is revoked already.")
        case .invalidInvitation:
            Problem(.invalidMember, "An invitation is for an administrator or operator and lasts 1 minute to 30 days.")
        case .invalidRecipient:
            Problem(.invalidMember, "recipient: at most \(Limits.recipient) characters of visible text, in one line.")
        case .invitationNotFound: Problem(.notFound, "There is no such unused invitation.")
        case .noWayToSignIn: Problem(.invalidMember, "passphrase or passkey: one of the two is needed to sign in.")
        case .alreadyVerified: Problem(.conflict, "An administrator has checked this name, so you cannot change it.")
        case .invalidPasskey:
            Problem(
                .invalidMember,
                "passkey: not made for this server, name and challenge with user verification, or too late. Try again.")
        case .passkeyTaken: Problem(.conflict, "This passkey is registered already.")
        case .tooManyPasskeys:
            Problem(.conflict, "An account has at most \(Limits.passkeys) passkeys. Remove one first.")
        case .passkeyNotFound: Problem(.notFound, "There is no such passkey.")
        case .lastWayToSignIn:
            Problem(.conflict, "You would have no way left to sign in. Add another passkey, or a passphrase, first.")
        case .tooManyCeremonies:
            Problem(.conflict, "\(Limits.ceremonies) challenges wait for an answer. Answer or report them first.")
        case .invalidConfirmation: Problem(.invalidMember, "Send either 'assertion', or 'passphrase' and 'proof'.")
        case .confirmationFailed: Problem(.confirmationFailed)
        case .sessionEnded:
            Problem(
                .unauthenticated,
                "\(Limits.ceremonyFailures) failed confirmations in a row ended this session. Sign in again.")
        case .pairingNotFound: Problem(.notFound, "There is no such device waiting.")
        case .pairingOpen: Problem(.conflict, "The other device has not decided yet.")
        case .pairingDecided: Problem(.conflict, "That was decided already.")
        case .pairingOver: Problem(.gone, "The pairing was refused, used or has expired. Start again there.")
        case .invalidEndorsement:
            Problem(.invalidMember, "statement: not by this device over exactly this pairing and its keys, just now.")
        case .otherPassphrase:
            Problem(.conflict, "The new device gave a passphrase that is not the account's. Start again there.")
        case .blocked(let reason): Problem(.forbidden, "This account is blocked: \(reason)")
        case .tooManyDevices:
            Problem(.conflict, "There are too many devices, or too many between this one and the first. Revoke one.")
        }
    }
}

extension PasskeyRefused: ProblemSource {
    package var problem: Problem {
        let shown = answer.problem
        return Problem(shown.kind, shown.detail, cause: cause)
    }
}

extension ErasureError: ProblemSource {
    package var problem: Problem {
        switch self {
        case .notFound: Problem(.notFound, "There is no such account.")
        case .mainAdministrator:
            Problem(.conflict, "The main administrator cannot be erased: nobody else could certify or erase.")
        case .otherName: Problem(.invalidMember, "username: not that of this account.")
        case .certified: Problem(.conflict, "Revoke the administrator's certificate first.")
        case .operatorOfTransactions:
            Problem(
                .conflict,
                "This person has worked at the desk, and its records name them. Block the account instead.")
        }
    }
}

extension AuthorityError: ProblemSource {
    package var problem: Problem {
        switch self {
        case .rootOffline:
            Problem(
                .conflict,
                "The root is offline. The server's operator renews the certificate with 'countersign admin root renew', "
                    + "or brings the root back for a moment.")
        case .invalidProof:
            Problem(.invalidMember, "proof: not by the certified authority key over its certificate in use, just now.")
        case .recovering:
            Problem(
                .conflict,
                "A recovery code for the main administrator is open: until it is used or ends, no key is certified.")
        }
    }
}

extension DelegationError: ProblemSource {
    package var problem: Problem {
        switch self {
        case .notFound: Problem(.notFound, "There is no such certificate request.")
        case .wrongState: Problem(.conflict, "The certification is not in the state that this act needs.")
        case .invalidKey: Problem(.invalidMember, "The authority key is malformed or not proved.")
        case .invalidCertificate:
            Problem(
                .invalidMember,
                "certificate: not by the main administrator, or not for exactly this key, status and capabilities.")
        case .notCertified:
            Problem(.forbidden, "You need a certificate for this. Ask the main administrator for one.")
        }
    }
}

extension DocumentError: ProblemSource {
    package var problem: Problem {
        switch self {
        case .notFound: Problem(.notFound)
        case .noDevice: Problem(.conflict, "The member has no valid device. Ask them to add one.")
        case .invalidText: Problem(.invalidMember, "A text is too short, too long, or not of the form it should have.")
        case .invalidPackage: Problem(.invalidMember, "sealed: not a compact JWE, or larger than 16 MiB.")
        case .invalidStatement:
            Problem(.invalidMember, "statement: not signed by the right key over exactly this act, or not just now.")
        case .alreadyRevoked: Problem(.conflict, "It is revoked already.")
        case .alreadyIssued: Problem(.conflict, "This credential was issued before.")
        case .tooManyOpen: Problem(.conflict, "You have too many of them open. Withdraw or stop one first.")
        case .invalidShare:
            Problem(.invalidMember, "A link lasts 1 minute to 1 year and allows 1 to 1,000 views.")
        case .wrongCode: Problem(.wrongCode, "That is not the link's code. Five wrong codes end the link.")
        case .invalidTypedCode:
            Problem(.invalidMember, "code: eight letters and digits, as the member's wallet shows them.")
        case .wrongTypedCode:
            Problem(
                .wrongCode,
                "These characters find no check. They work once, for five minutes. Compare them, or ask for new ones.")
        case .typedByAnother:
            Problem(.conflict, "Somebody else has typed the characters of this check. Ask the member for new ones.")
        case .otherDevice: Problem(.conflict, "Show the characters on the device that opened this check.")
        case .otherKey:
            Problem(.conflict, "The key of this link is another one. Copy the whole link, to its last letter.")
        case .linkEnded: Problem(.gone, "The link has expired, was stopped, or was opened as often as allowed.")
        }
    }
}

extension RequestError: ProblemSource {
    package var problem: Problem {
        switch self {
        case .wrongState: Problem(.conflict, "The request has changed, and this is no longer possible. Open it again.")
        case .handledByAnother: Problem(.conflict, "Accept the request first, or have it assigned to you.")
        case .notYours: Problem(.notFound)
        case .notVerified:
            Problem(.forbidden, "An administrator must check you face to face before you can ask for documents.")
        case .unknownType: Problem(.invalidMember, "type: not in the catalogue.")
        case .reasonMissing: Problem(.invalidMember, "reason: say why.")
        }
    }
}

extension EnrolmentError: ProblemSource {
    package var problem: Problem {
        switch self {
        case .wrongState: Problem(.conflict, "The face-to-face check is not at this step.")
        case .expired: Problem(.gone, "The code has expired. The member's wallet makes a new one.")
        case .notYours: Problem(.forbidden, "This is somebody else's face-to-face check.")
        case .brokenCommitment: Problem(.invalidMember, "nonce: not the one that the code committed to.")
        }
    }
}

extension StorageError: ProblemSource {
    package var problem: Problem {
        switch self {
        case .busy: Problem(.busy, cause: description)
        case .full, .readOnly, .ioError, .objectStoreRefuses: Problem(.storage, cause: description)
        case .unreachable, .objectStoreFails: Problem(.storageUnreachable, cause: description)
        case .constraint, .closed, .corrupt, .statement, .noSuchColumn, .wrongType, .transactionFailed, .notDurable,
            .migration, .inUse, .exposed, .unfit, .invalidName:
            Problem(.internal, cause: description)
        }
    }
}

extension PassphraseHashError: ProblemSource {
    package var problem: Problem {
        switch self {
        case .busy: Problem(.busy, cause: "passphrase hashing")
        default: Problem(.internal, cause: "\(self)")
        }
    }
}

extension LogPolicyRefusal: ProblemSource {
    package var problem: Problem {
        switch self {
        case .unsigned(let error):
            Problem(
                .invalidMember,
                "statement: not a log policy signed by the main administrator for this server just now (\(error)).")
        case .wrongVersion(let next): Problem(.conflict, "The next version is \(next). Look at the one in force first.")
        case .noOwnKey:
            Problem(.invalidMember, "policy: it names no key that this server signs with; see the log's settings.")
        case .badAddress(let witness):
            Problem(
                .invalidMember,
                "policy: the witness '\(witness)' needs an https:// address without query behind its key.")
        case .unwitnessed(let failures):
            Problem(
                .conflict,
                "Too few of its witnesses have signed, so nothing was changed. " + failures.joined(separator: "; "))
        }
    }
}

extension TransparencyLog.LogError: ProblemSource {
    package var problem: Problem {
        switch self {
        case .damaged(let reason): Problem(.internal, cause: "the log is damaged: \(reason)")
        case .unwitnessed(let failures):
            Problem(.unwitnessed, retryAfter: 10, cause: failures.joined(separator: "; "))
        case .unsealed(let error):
            Problem(
                .storageUnreachable,
                "The log cannot be written now, so there is no receipt. What you asked for may have been done: look before "
                    + "you ask again, and tell the operator.",
                cause: "what is stored cannot be sealed: \(error)")
        case .unclaimed(let type): Problem(.internal, cause: "no slice writes entries of the type \(type)")
        }
    }
}
