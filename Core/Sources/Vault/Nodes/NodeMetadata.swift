public import Encodings

/// What is known of a node besides its place and its contents.
public struct NodeMetadata: Sendable, Equatable {
    /// What a node is.
    public enum Kind: Sendable, Equatable {
        /// Holds other nodes; with a compartment key it stands for a tier or a shared folder.
        case folder
        /// Has versions of a content.
        case file
        /// Has its text in the metadata.
        case note
        /// What the owner of the main compartment knows of its unlock slots; there is at most one.
        case settings
    }

    /// What the node is.
    public var kind: Kind
    /// How the node is called.
    public var name: NodeName
    /// The media type of a file, such as `application/pdf`.
    public var mediaType: Bytes?
    /// Words that the owner gave it, each once.
    public var tags: [Bytes] = []
    /// When it was made, in milliseconds since 1970.
    public var created: Int64
    /// When it was last changed, in milliseconds since 1970.
    public var modified: Int64
    /// When the owner wants to be reminded that it expires, in milliseconds since 1970.
    public var expires: Int64?
    /// The length of the newest version in bytes.
    public var size: UInt64?
    /// The text of a note, UTF-8.
    public var text: Bytes?
    /// A small picture of it.
    public var thumbnail: Bytes?
    /// The key of a tier or of a shared folder.
    public var compartment: VaultSecret?
    /// The owner's knowledge of the unlock slots.
    public var settings: VaultSettings?
    /// Members that a later program wrote; they are kept as they are.
    public var others: [JSON.Member] = []

    /// The metadata of a new node.
    public init(_ kind: Kind, name: NodeName, created: Int64, modified: Int64? = nil) {
        self.kind = kind
        self.name = name
        self.created = created
        self.modified = modified ?? created
    }
}

/// The limits of metadata.
public enum NodeMetadataLimits {
    /// The longest text of a note in bytes.
    public static let text = 128 << 10
    /// The longest thumbnail in bytes.
    public static let thumbnail = 64 << 10
    /// The most tags of a node.
    public static let tags = 32
    /// The longest tag in bytes.
    public static let tag = 64
    /// The longest media type in bytes.
    public static let mediaType = 127
    /// The longest metadata as JSON, in bytes: padded and sealed it just fits into the 256 KiB that the server takes.
    public static let json = (252 << 10) - 4
}
