import Interface
import Wallet

extension WalletError {
    private static let anotherCheck = "The member can start another with 'countersign wallet enrol'"

    /// A stable name for programs.
    var code: String {
        String(String(describing: self).prefix { $0.isLetter })
    }

    /// Whether this is a no, rather than something that could not be told.
    var isRefusal: Bool {
        switch self {
        case .wrongPassphrase, .begunWithAnotherPassphrase, .tampered, .unacceptableDerivation, .rootDiffers,
            .logKeyDiffers, .badLogPolicy, .badReceipt, .logRewritten, .badDocument, .badCertificate, .badEnrolment,
            .badApproval, .badBackup, .holderKeysDiffer, .notFound, .notCertified, .enrolmentOver, .enrolmentExpired:
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
        case .cannotWrite(let path): "\(path) cannot be written; the old file is unchanged"
        case .fileTooLarge(let path): "\(path) is larger than such a file can be"
        case .notAWallet: "this version does not know this wallet file. Use a newer program, or restore the file"
        case .unacceptableDerivation:
            "the wallet asks for a weaker or slower passphrase check than allowed: it was changed. Do not type "
                + "the passphrase again; restore the file"
        case .wrongPassphrase(let isOver):
            "the passphrase is not this wallet's"
                + (isOver
                    ? ". Two wrong ones in a row end the session: sign in again with 'countersign wallet sign-in'"
                    : ". Another wrong one ends the session")
        case .begunWithAnotherPassphrase(let path):
            "you began joining with another passphrase, and the server may know those keys. Give that "
                + "passphrase, or move \(path) away to start again"
        case .tampered: "the passphrase is right, but somebody has changed the wallet. Restore the file"
        case .unacceptableAddress(let text):
            "'\(text)' is not a server's address. Give https://HOST[:PORT], or http:// on this machine only"
        case .publicURLDiffers(let url): "the server's public address is \(url); use that one"
        case .unreachable(let address): "\(address) does not answer. Is the server running?"
        case .unexpectedAnswer(let what): "the server answered something unexpected: \(what). Is it of another version?"
        case .redirected: "the server redirects, and the wallet does not follow. Give the server's own address"
        case .answerTooLarge: "the server's answer is longer than allowed. Is this a Countersign server?"
        case .notSignedIn: "not signed in. Run 'countersign wallet sign-in'"
        case .notSetUp: "the organisation is not set up yet. Its operator runs 'countersign wallet setup'"
        case .rootDiffers(let expected, let found):
            "this is not the organisation you trust: its root is \(found), and should be \(expected)"
        case .logKeyDiffers: "the server shows another log key than the pinned one"
        case .badLogPolicy(let why):
            "the organisation's log policy cannot be followed: \(why). Ask its main administrator before you go on"
        case .badReceipt(let why): "the receipt does not prove the act: \(why). Do not rely on it; tell the operator"
        case .logRewritten:
            "the log was rewritten: it does not continue what this wallet saw before. Keep the wallet and tell others"
        case .badDocument(let why): "the document does not verify: \(why)"
        case .badCertificate(let why): "the certificate does not verify: \(why)"
        case .badEnrolment(let why): "stop: \(why). Somebody may be in between. Start again, on another network"
        case .badApproval(let why): "\(why). Nothing was answered"
        case .badBackup:
            "the backup does not open: the phrase is another one's, or somebody has changed the file. Nothing was restored"
        case .badCode(let why): "that is not the code of a face-to-face check: \(why). Give all of it, on one line"
        case .badLink: "that is not a shared link: <server>/s/<id>#<key>, the part behind # included"
        case .notFound(let id): "there is nothing by the id '\(id)'"
        case .notCertified:
            "this wallet is not certified for that. Ask with 'countersign wallet admin administrators request'"
        case .invalid(let words): words
        case .holderKeysDiffer:
            "the member's keys are not those of the face-to-face check. Check the member again before you sign"
        case .enrolmentOver(.holder): "the member has ended the check. Nothing was signed. \(Self.anotherCheck)"
        case .enrolmentOver(.administrator):
            "the administrator has ended the check. Nothing was signed. \(Self.anotherCheck)"
        case .enrolmentOver(.newerCode): "the member has shown a newer code. Nothing was signed. Go on with that code"
        case .enrolmentOver(nil): "the check has ended. \(Self.anotherCheck)"
        case .enrolmentExpired: "the check's 15 minutes are over. Nothing was signed. \(Self.anotherCheck)"
        }
    }
}
