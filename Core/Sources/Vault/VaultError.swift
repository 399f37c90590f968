/// Why something of a vault is refused.
///
/// Nothing here holds a secret or a name, so an error may be logged.
public enum VaultError: Error, Equatable, Sendable {
    /// Not the bytes that the format allows: another length, no canonical JSON, a member missing or of another type.
    case malformed
    /// A name, a text or a number is beyond its limit.
    case outOfRange
    /// A version of the format that this program does not know.
    case unsupportedVersion
    /// The key is another one, or the bytes were changed, or belong to another place.
    case cannotOpen
    /// The item has a lock of its own, and its key is not at hand.
    case locked
    /// The content ends before its last chunk.
    case truncated
    /// The content was read or written to its end, or failed before; nothing more can be done with it.
    case finished
    /// A server answered with an older state than this device has seen.
    case rolledBack
    /// The records are not those that the head vouches for.
    case incomplete
    /// The folder is the item itself, or lies in it.
    case cyclicMove
    /// The item is not there.
    case notFound
    /// The suite did not compute what was asked.
    case suiteFailed
}
