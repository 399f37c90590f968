/// Why an archive, or what is to go into one, is refused.
public enum ArchiveError: Error, Equatable, Sendable {
    /// No tar archive, or one whose headers break the format's rules.
    case malformed
    /// The archive ends before its end mark.
    case truncated
    /// Something other than zeros follows the end mark.
    case trailingBytes
    /// A link: it could lead out of the folder that the archive is unpacked into.
    case link
    /// A device, a named pipe, a sparse file or another kind that is neither a file nor a folder.
    case unsupported
    /// A path that leads out of its folder, or that shows something other than what it is: absolute, with `..` or an
    /// empty part, with control characters, or no UTF-8.
    case unsafePath
    /// A path longer than `ArchiveLimits` allows.
    case pathTooLong
    /// A length or a time that no file has.
    case outOfRange
    /// More or less content was written than the entry said.
    case wrongLength
    /// The archive is finished already.
    case finished
}
