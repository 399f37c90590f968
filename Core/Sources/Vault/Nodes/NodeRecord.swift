public import Encodings

/// A node as the server keeps it: nothing of it says what it is, where it is or how it is called.
public struct NodeRecord: Sendable, Equatable {
    /// Names the node.
    public let id: NodeID
    /// Who its parent is: 44 bytes.
    public let place: Bytes
    /// The key of the node under that of its parent: 192 bytes.
    public let key: Bytes
    /// The sealed metadata: 540 bytes or more.
    public let metadata: Bytes
    /// How often the node was changed, from 1.
    public let revision: UInt64
    /// The contents, the newest first; none for folders and notes.
    public let versions: [VersionRecord]

    /// The length of `place`.
    public static let placeByteCount = NodeID.byteCount + VaultBox.overhead
    /// The length of `key`.
    public static let keyByteCount = KeyWrapping.sealedByteCount
    /// The shortest and the longest `metadata`.
    public static let metadataByteCount =
        Int(Padme.minimum) + VaultBox.overhead...NodeMetadataLimits.json + 4 + VaultBox.overhead
    /// The most versions of a node.
    public static let maximumVersions = 32

    /// Takes a record from somewhere else.
    ///
    /// - Throws: `malformed` for lengths that no record has.
    public init(
        id: NodeID, place: Bytes, key: Bytes, metadata: Bytes, revision: UInt64, versions: [VersionRecord]
    ) throws(VaultError) {
        guard place.count == Self.placeByteCount, key.count == Self.keyByteCount, id != .root,
            Self.metadataByteCount.contains(metadata.count), 1...UInt64(JSON.safeInteger) ~= revision,
            versions.count <= Self.maximumVersions
        else { throw .malformed }
        self.id = id
        self.place = place
        self.key = key
        self.metadata = metadata
        self.revision = revision
        self.versions = versions
    }

    /// What the head vouches for: all but the older versions, which anybody may drop.
    ///
    /// Id, revision, then place, key and metadata each with its length, then a byte for whether there is a version, and
    /// the newest one.
    public var vouchedBytes: Bytes {
        var bytes = id.bytes + bigEndianBytes(revision)
        for part in [place, key, metadata] { bytes += bigEndian(UInt64(part.count), count: 4) + part }
        bytes.append(versions.isEmpty ? 0 : 1)
        if let newest = versions.first { bytes += newest.bytes }
        return bytes
    }
}

/// A version of a file's content as the server keeps it.
public struct VersionRecord: Sendable, Equatable {
    /// Names the version.
    public let id: VersionID
    /// The server's name of the ciphertext: 1 to 64 bytes.
    public let content: Bytes
    /// The key of the content under that of the node: 92 bytes.
    public let key: Bytes
    /// How long the ciphertext is, in bytes.
    public let sealedLength: UInt64

    /// The length of `key`.
    public static let keyByteCount = OpenedVersion.byteCount + VaultBox.overhead

    /// Takes a version from somewhere else.
    ///
    /// - Throws: `malformed` for lengths that no version has.
    public init(id: VersionID, content: Bytes, key: Bytes, sealedLength: UInt64) throws(VaultError) {
        guard 1...64 ~= content.count, key.count == Self.keyByteCount, sealedLength <= UInt64(JSON.safeInteger) else {
            throw .malformed
        }
        _ = try Cobblestone.messageLength(ofSealed: sealedLength)
        self.id = id
        self.content = content
        self.key = key
        self.sealedLength = sealedLength
    }

    var bytes: Bytes {
        id.bytes + bigEndianBytes(sealedLength) + bigEndian(UInt64(content.count), count: 4) + content + key
    }
}
