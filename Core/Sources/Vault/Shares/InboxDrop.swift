public import EllipticCurves
public import Encodings

/// A file that a caretaker puts into an inbox: its key and what it is, sealed for the inbox's owner alone
/// (docs/vault-format.md, "Shares").
public struct InboxDrop: Sendable, Equatable {
    /// The content; its node is the drop, which becomes a node of that id when the owner takes it.
    public let version: OpenedVersion
    /// What the file is called and what kind it is.
    public let metadata: NodeMetadata

    /// Begins a drop with a random id, whose content is to be sealed and sent.
    ///
    /// - Parameters:
    ///   - compartment: whose inbox it is.
    ///   - size: of the content in bytes.
    ///   - now: in milliseconds since 1970.
    /// - Throws: `outOfRange` for a size or a time that no JSON holds.
    public static func newVersion<Suite: VaultCryptoSuite>(
        for compartment: CompartmentID, size: UInt64, now: Int64, suite: Suite
    ) throws(VaultError) -> OpenedVersion {
        try .new(of: .random(suite), in: compartment, size: size, now: now, suite: suite)
    }

    /// Says what a content is.
    public init(_ version: OpenedVersion, name: NodeName, mediaType: Bytes?) {
        self.version = version
        var metadata = NodeMetadata(.file, name: name, created: version.created)
        (metadata.size, metadata.mediaType) = (version.size, mediaType)
        self.metadata = metadata
    }

    /// Seals it to an inbox.
    ///
    /// - Parameters:
    ///   - publicKey: of the inbox, 65 bytes, as its owner has signed it.
    ///   - compartment: whose inbox it is.
    /// - Throws: `malformed` for what is no key, `outOfRange` for metadata that no node has.
    public func sealed<Suite: VaultCryptoSuite>(
        to publicKey: Bytes, of compartment: CompartmentID, suite: Suite
    ) throws(VaultError) -> Bytes {
        let said = try metadata.encoded()
        var plaintext = version.id.bytes + version.bytes + said
        defer { plaintext.wipe() }
        let binding = Self.binding(compartment, version.node)
        return try SealedToKey.seal(plaintext, to: publicKey, .inbox, binding, suite: suite)
    }

    /// Opens what lies in an inbox.
    ///
    /// - Parameters:
    ///   - id: under which the server has it.
    ///   - compartment: whose inbox it is.
    /// - Throws: `cannotOpen` for what was sealed to another inbox or under another id; `malformed` for what is no file, or
    ///   another one than its content.
    public init<Suite: VaultCryptoSuite>(
        _ sealed: Bytes, id: NodeID, of compartment: CompartmentID, with privateKey: ECPrivateKey, suite: Suite
    ) throws(VaultError) {
        let binding = Self.binding(compartment, id)
        var plaintext = try SealedToKey.open(sealed, with: privateKey, .inbox, binding, suite: suite)
        defer { plaintext.wipe() }
        var reader = ByteReader(plaintext)
        let name = try VersionID(reader.take(VersionID.byteCount))
        version = try OpenedVersion(name, node: id, bytes: reader.take(OpenedVersion.byteCount))
        metadata = try NodeMetadata(encoded: reader.take(reader.remaining))
        guard id != .root, metadata.kind == .file, metadata.size == version.size else { throw .malformed }
    }

    private static func binding(_ compartment: CompartmentID, _ id: NodeID) -> Bytes { compartment.bytes + id.bytes }
}
