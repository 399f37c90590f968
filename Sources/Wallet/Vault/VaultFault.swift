/// Why something could not be done with a vault.
package enum VaultFault: Error, Equatable, Sendable {
    // MARK: Opening

    /// The account has no vault yet.
    case noVault
    /// The account has one already.
    case vaultExists
    /// Nothing in this wallet opens it.
    case notOpenedHere
    /// These are not 24 words of the list.
    case badWords
    /// A recovery key, but of another vault or one that was replaced.
    case wrongRecoveryKey
    /// These are not two recovery shares of one set.
    case badShares
    /// Two recovery shares, but of another vault or ones that were replaced.
    case wrongShares
    /// What was made opens the vault, and what it replaces may still do so: the slots with these ids.
    case earlierOpens([String])
    /// No slot opens with this PIN.
    ///
    /// So many tries are `left` before the PIN is destroyed, unless the server did not say; the next can be made in `wait`
    /// seconds.
    case wrongPIN(left: Int?, wait: Int)
    /// A PIN of other than 6 to 16 digits, or one that anybody would try first.
    case badPIN(String)
    /// The next PIN can be tried in so many seconds.
    case pinWait(Int)
    /// Ten tries were wrong: no PIN opens it any more.
    case pinsDestroyed
    /// The server was restored without what guards PINs.
    case pinsAbsent
    /// Another device has just set or removed the same PIN.
    case pinsChanged
    /// The guard answered something that its keys did not make.
    case guardLied

    // MARK: What the server answers

    /// An older state than this device has seen.
    case rolledBack
    /// Something is missing, was added or was changed.
    case broken
    /// The server was restored, and what these items were wrapped under is gone.
    case lost(Int)
    /// The content of a file was changed, cut or exchanged.
    case contentBroken(String)
    /// Other devices were quicker each time.
    case contended

    // MARK: What was asked

    /// Nothing there by that path.
    case notFound(String)
    /// Several things there by that name, with these ids.
    case ambiguous(String, [String])
    /// Something is there already.
    case exists(String)
    /// A file or note, where a folder is needed.
    case notAFolder(String)
    /// A folder, where a file is needed.
    case notAFile(String)
    /// Not a note.
    case notANote(String)
    /// A lock of its own is before it.
    case locked(String)
    /// A folder cannot go into itself.
    case intoItself(String)
    /// A name or text that no item may have; the words say which.
    case unusable(String)
    /// The source was changed while it was read.
    case sourceChanged(String)
    /// The archive holds what no import takes; the words say what.
    case badArchive(String)
    /// The age file does not open; the words say why.
    case badSealedFile(String)
    /// There is not so much room.
    case noRoom

    // MARK: Other people

    /// Nobody with this username has a vault.
    case nobody(String)
    /// This person has no device with keys now.
    case noKeys(String)
    /// The log does not have the keys that the server names for this person.
    case keysNotLogged(String)
    /// No device of this person has signed what was handed out in their name.
    case badGrant(String)
    /// What this person shares was sealed to other devices of the account.
    case otherDevices(String)
    /// The fingerprint that was given is none of this person's.
    case otherPrint(String)
    /// It cannot be shared; the words say why.
    case notShareable(String)
    /// A folder that nobody else may use.
    case notShared(String)
    /// Nobody of that name uses this folder.
    case noMember(String)
    /// Nobody of that name has made the account a caretaker of their inbox.
    case noInbox(String)
    /// Somebody else's folder in which nothing may be changed.
    case readOnly(String)
    /// This person no longer shares the folder, or has given it another key.
    case shareEnded(String)
    /// What is in this folder is in a compartment of its own, and this does not reach it.
    case elsewhere(String)
    /// So many bytes are more than a link holds.
    case tooLargeForLink(UInt64)
}
