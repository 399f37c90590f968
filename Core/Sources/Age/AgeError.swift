/// Why an age file, a recipient or an identity is refused.
///
/// Nothing here holds a secret.
public enum AgeError: Error, Equatable, Sendable {
    /// The first line is not that of an age file.
    case notAge
    /// An age file of another version than 1.
    case unsupportedVersion
    /// The header breaks the format's rules, or a stanza of a type that we know breaks the rules of its type.
    case malformedHeader
    /// The header is longer than `AgeLimits.header`.
    case headerTooLong
    /// The file ends within its header or the 16 bytes behind it.
    case truncatedHeader
    /// The passphrase would take 2^`logWork` KiB of memory, more than the caller allows.
    case tooMuchWork(logWork: Int)
    /// None of the identities opens the file: another key, or a wrong passphrase.
    case noMatch
    /// The header was changed: its authentication code does not hold.
    case wrongMAC
    /// A piece of the content was changed, or pieces are missing between others.
    case corruptPayload
    /// The file ends before its last piece.
    case truncatedPayload
    /// Something follows the last piece.
    case trailingBytes
    /// The ASCII armour breaks the format's rules.
    case malformedArmour
    /// No recipient in its one spelling (`age1…`), or no key for which anything can be sealed.
    case invalidRecipient
    /// No identity in its one spelling (`AGE-SECRET-KEY-…`).
    case invalidIdentity
    /// Nobody is named for whom to seal.
    case noRecipients
    /// Recipients with and without protection against quantum computers in one file: the weaker decides.
    case mixedRecipients
    /// A work factor out of `AgeLimits.logWork`.
    case invalidWorkFactor
    /// Hybrid keys, which this suite does not have.
    case unsupported
    /// The suite could not compute what was asked, or the source of randomness gave another number of bytes.
    case suiteFailed
    /// The file is finished already.
    case finished
}
