/// A file or folder in an archive.
public struct ArchiveEntry: Sendable, Hashable {
    /// What it is.
    public enum Kind: Sendable, Hashable {
        /// A file with so many bytes of content.
        case file(length: Int64)
        /// A folder.
        case folder
    }

    /// Where it belongs.
    public let path: ArchivePath
    /// What it is.
    public let kind: Kind
    /// When it was changed last, in seconds since 1970.
    public let modified: Int64

    /// Takes all three.
    public init(path: ArchivePath, kind: Kind, modified: Int64) {
        self.path = path
        self.kind = kind
        self.modified = modified
    }

    /// The length of the content, in bytes; 0 for folders.
    var length: Int64 {
        if case .file(let length) = kind { return length }
        return 0
    }
}
