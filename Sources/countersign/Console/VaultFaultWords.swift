import Encodings
import Vault
import Wallet

extension VaultFault {
    /// A stable name for programs.
    var code: String { "vault-" + String(String(describing: self).prefix { $0.isLetter }) }

    /// Whether this is a no, rather than something that could not be told.
    var isRefusal: Bool {
        switch self {
        case .noVault, .vaultExists, .notOpenedHere, .badWords, .wrongRecoveryKey, .badShares, .wrongShares, .wrongPIN,
            .badPIN, .pinWait, .pinsDestroyed, .pinsAbsent, .pinsChanged, .guardLied, .rolledBack, .broken, .lost,
            .contentBroken, .notFound, .exists, .locked, .badArchive, .badSealedFile, .noRoom, .nobody, .noKeys,
            .keysNotLogged, .badGrant, .otherDevices, .otherPrint, .notShareable, .notShared, .noMember, .noInbox,
            .readOnly, .shareEnded, .elsewhere, .tooLargeForLink:
            true
        case .contended, .ambiguous, .notAFolder, .notAFile, .notANote, .intoItself, .unusable, .sourceChanged,
            .earlierOpens:
            false
        }
    }

    /// What happened and what to do.
    var words: String {
        switch self {
        case .noVault: "you have no vault yet. Make one with 'countersign wallet vault make'"
        case .vaultExists: "you have a vault already. Open it with 'countersign wallet vault slots add --recovery'"
        case .notOpenedHere:
            "this wallet does not open your vault. Run 'countersign wallet vault slots add --recovery' or '--pin' once"
        case .badWords: "these are not the 24 words of a recovery key. Look at each word on your paper again"
        case .wrongRecoveryKey:
            "this recovery key does not open your vault. It is of another vault, or was replaced by a newer one"
        case .badShares:
            "these are not two shares of one set. Compare each letter with your paper, and type two different ones"
        case .wrongShares:
            "these recovery shares do not open your vault. They are of another vault, or were replaced by newer ones"
        case .earlierOpens(let slots):
            "what you have made opens your vault, but what it replaces may still open it too. Remove it with "
                + slots.map { "'countersign wallet vault slots remove \(Self.shown($0))'" }.joined(separator: " and ")
        case .wrongPIN(let left, let wait): Self.words(triesLeft: left, wait)
        case .badPIN(let why): "this PIN cannot be used: \(why)"
        case .pinWait(let seconds): "too many PINs did not open your vault. Try again in \(Self.time(seconds))"
        case .pinsDestroyed: "ten PINs did not open your vault, so no PIN does any more. Use the recovery key"
        case .pinsAbsent:
            "the server was restored without what guards PINs. Use the recovery key, and set the PIN again"
        case .pinsChanged:
            "another device has just changed this PIN. See 'countersign wallet vault slots', then set it again if you want it"
        case .guardLied:
            "the server's guard of PINs answered with other keys than its own. Nothing was opened. Tell the people who run it"
        case .rolledBack:
            "the server answers with an older state of your vault than this device has seen. Nothing was opened. Tell the "
                + "people who run it"
        case .broken:
            "something in your vault is missing or was changed at the server. Nothing was opened. Tell the people who run "
                + "it, and try another device"
        case .lost(let count):
            "the server was restored without the keys that it adds, so \(count) items cannot be opened. Tell the people "
                + "who run it: they may have a copy of the folder 'vault-epochs'"
        case .contentBroken(let name):
            "\(Self.shown(name)) was changed or cut at the server. It was not stored. Try an earlier state with --version 1"
        case .contended: "other devices change your vault all the time. Try again"
        case .notFound(let path): "there is nothing at \(Self.shown(path)). See 'countersign wallet vault ls'"
        case .ambiguous(let path, let ids):
            "there are \(ids.count) items at \(Self.shown(path)). Name one with "
                + ids.map { "id:\($0)" }.joined(separator: " or ")
        case .exists(let path): "\(Self.shown(path)) is there already. Give another name, or --replace"
        case .notAFolder(let path): "\(Self.shown(path)) is no folder"
        case .notAFile(let path): "\(Self.shown(path)) is no file"
        case .notANote(let path): "\(Self.shown(path)) is no note. Get a file with 'countersign wallet vault get'"
        case .locked(let path): "\(Self.shown(path)) has a lock of its own. Open it with its PIN: --lock-pin"
        case .intoItself(let path): "\(Self.shown(path)) cannot be moved into itself"
        case .unusable(let why): why
        case .sourceChanged(let path): "\(Self.shown(path)) was changed while it was read. Try again when it is at rest"
        case .badArchive(let why): "nothing was imported: \(why)"
        case .badSealedFile(let why): "this file does not open: \(why)"
        case .noRoom: "there is not so much room in your vault"
        default: wordsOfSharing
        }
    }

    /// The same where other people have a part in it.
    private var wordsOfSharing: String {
        switch self {
        case .nobody(let username):
            "nobody with the username \(Self.shown(username)) has a vault. Compare it letter by letter, or ask them to open "
                + "theirs once"
        case .noKeys(let name): "\(Self.shown(name)) has no device with keys now, so nothing can be sealed to them"
        case .keysNotLogged(let name):
            "the log does not have the keys that the server names for \(Self.shown(name)). Nothing was sealed to them, or "
                + "opened. Tell the people who run the server"
        case .badGrant(let name):
            "this is not signed by a device of \(Self.shown(name)) that the log has. It was not opened. Ask them to share "
                + "it again, and tell the people who run the server if it happens again"
        case .otherDevices(let name):
            "this was sealed to other devices of yours. Open it there, or ask \(Self.shown(name)) to share it again"
        case .otherPrint(let name):
            "this is not a fingerprint of \(Self.shown(name)). Nothing was done. Compare it again with what they see"
        case .notShareable(let why): "nothing was shared: \(why)"
        case .notShared(let path): "\(Self.shown(path)) is not shared. Share it with --with USERNAME"
        case .noMember(let name):
            "\(Self.shown(name)) does not use this folder. Without options, the command lists who does"
        case .noInbox(let name):
            "\(Self.shown(name)) has not made you a caretaker of their inbox. 'countersign wallet vault share' lists who has"
        case .readOnly(let path): "you may only look into \(Self.shown(path)). Ask its owner to let you change it"
        case .shareEnded(let name):
            "\(Self.shown(name)) no longer shares this folder with you, or gave it another key. Look with "
                + "'countersign wallet vault share'"
        case .elsewhere(let path):
            "what is in \(Self.shown(path)) is in a compartment of its own. 'ls', 'get', 'put' and 'note' go there"
        case .tooLargeForLink(let bytes):
            "this is too large for a link: it has \(VaultSizes.words(bytes)), and a link holds 12 MB. Share it with a member"
        default: "\(self)"
        }
    }

    private static func words(triesLeft left: Int?, _ wait: Int) -> String {
        let most = PINGuard.maximumTries
        let counted = "this is not the PIN. The server has counted the try"
        guard let left else { return "\(counted); \(most) wrong ones destroy the PIN" }
        let words = "\(counted): \(left) of \(most) are left before the PIN is destroyed"
        return wait > 0 && left > 0 ? "\(words), and the next can be made in \(time(wait))" : words
    }

    /// Seconds for people, rounded up: what is announced is over by then.
    private static func time(_ seconds: Int) -> String {
        switch seconds {
        case ...1: "a second"
        case ..<120: "\(seconds) seconds"
        case ..<7_200: "\((seconds + 59) / 60) minutes"
        default: "\((seconds + 3_599) / 3_600) hours"
        }
    }

    /// A name from somewhere else, made safe to show.
    private static func shown(_ text: String) -> String { Bytes(text: text).shown }
}
