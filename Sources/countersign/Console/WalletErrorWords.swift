import Wallet

extension WalletError {
    /// A stable name for programs.
    var code: String {
        String(String(describing: self).prefix { $0.isLetter })
    }

    /// Whether this is a no, rather than something that could not be told.
    var isRefusal: Bool {
        switch self {
        case .wrongPassphrase, .begunWithAnotherPassphrase, .tampered, .unacceptableDerivation, .rootDiffers,
            .logKeyDiffers, .badLogPolicy, .badReceipt, .logRewritten, .badDocument, .badCertificate, .badEnrolment,
            .holderKeysDiffer, .notFound, .notCertified, .enrolmentOver:
            true
        case .noWallet, .walletExists, .cannotRead, .cannotWrite, .fileTooLarge, .notAWallet, .unacceptableAddress,
            .publicURLDiffers, .unreachable, .unexpectedAnswer, .redirected, .answerTooLarge, .notSignedIn, .notSetUp,
            .badCode, .badLink, .invalid:
            false
        }
    }

    /// What happened and what to do.
    var words: String {
        switch self {
        case .noWallet(let path):
            "there is no wallet at \(path). Make one with 'countersign wallet sign-up', or name another with --wallet"
        case .walletExists(let path): "there is a wallet at \(path) already, and keys are never overwritten"
        case .cannotRead(let path): "\(path) cannot be read"
        case .cannotWrite(let path): "\(path) cannot be written; what was there before still is"
        case .fileTooLarge(let path): "\(path) is too large to be what it should be"
        case .notAWallet: "the file is not a wallet that this version knows"
        case .unacceptableDerivation:
            "the wallet asks for a weaker or dearer passphrase check than allowed: it was tampered with. Do not type "
                + "the passphrase again; restore the file"
        case .wrongPassphrase(let isOver):
            "the passphrase is not this wallet's"
                + (isOver
                    ? ". Two wrong ones in a row end the session: sign in again with 'countersign wallet sign-in'"
                    : ". Another wrong one ends the session")
        case .begunWithAnotherPassphrase(let path):
            "joining was begun with another passphrase, and its keys may be the ones that the server knows. Give that "
                + "passphrase, or move \(path) away to begin anew"
        case .tampered: "the passphrase is right, but the wallet was tampered with. Restore the file"
        case .unacceptableAddress(let text):
            "'\(text)' is no address to talk to: https://HOST[:PORT], or http:// on this machine only"
        case .publicURLDiffers(let url): "the server's public address is \(url); use that one"
        case .unreachable(let address): "\(address) does not answer. Is the server running?"
        case .unexpectedAnswer(let what): "the server answered something else than expected: \(what)"
        case .redirected: "the server redirects, which is never followed. Give its own address"
        case .answerTooLarge: "the server's answer is longer than allowed"
        case .notSignedIn: "not signed in. Run 'countersign wallet sign-in'"
        case .notSetUp: "the organisation is not set up yet. Its operator runs 'countersign wallet setup'"
        case .rootDiffers(let expected, let found):
            "this is not the organisation you trust: its root is \(found), and should be \(expected)"
        case .logKeyDiffers: "the server shows another log key than the pinned one"
        case .badLogPolicy(let why):
            "the organisation's log policy cannot be followed: \(why). Ask its main administrator before you go on"
        case .badReceipt(let why): "the receipt does not prove the act: \(why). Do not rely on it; tell the operator"
        case .logRewritten:
            "the log was rewritten: it does not go on where it ended before. Keep the wallet and tell others"
        case .badDocument(let why): "the document does not verify: \(why)"
        case .badCertificate(let why): "the certificate does not verify: \(why)"
        case .badEnrolment(let why): "stop: \(why). Somebody is in between; begin again, on another network"
        case .badCode(let why): "that is not a code of a face-to-face check: \(why). Give all of it, on one line"
        case .badLink: "that is not a shared link: <server>/s/<id>#<key>, the part behind # included"
        case .notFound(let id): "there is nothing by the id '\(id)'"
        case .notCertified:
            "this wallet is not certified for that. Ask with 'countersign wallet admin delegations request'"
        case .invalid(let words): words
        case .holderKeysDiffer:
            "the member's keys are others than at her face-to-face check. Check her again before you sign"
        case .enrolmentOver:
            "the check was given up or ran out of time. The member begins again with 'countersign wallet enrol'"
        }
    }
}
