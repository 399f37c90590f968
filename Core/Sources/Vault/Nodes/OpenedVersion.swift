import EllipticCurves
public import Encodings

/// A version whose key is at hand: it can be sealed once, and opened as often as wanted.
public struct OpenedVersion: Sendable, Equatable {
    static var byteCount: Int { 64 }

    /// Names the version.
    public let id: VersionID
    /// The node that it belongs to.
    public let node: NodeID
    /// How long the content is, in bytes.
    public let size: UInt64
    /// When it was made, in milliseconds since 1970.
    public let created: Int64
    let key: VaultSecret
    /// The compartment in which the content was sealed; it stays the same when the node goes to another.
    let home: CompartmentID

    /// The context of the ciphertext: compartment, node and version.
    public var context: Bytes { home.bytes + node.bytes + id.bytes }
    /// How long the ciphertext is, padding included.
    public var sealedLength: UInt64 { Cobblestone.sealedLength(of: Padme.length(of: size)) }

    /// Seals the content; there is one ciphertext of a version, so this is called once.
    public func sealer<Suite: VaultCryptoSuite>(_ suite: Suite) throws(VaultError) -> ContentSealer<Suite> {
        try ContentSealer(self, suite: suite)
    }

    /// Goes on with an upload that was cut: `UnfinishedUpload` says whether the content is still the same.
    ///
    /// - Parameter salt: that of the ciphertext which was begun.
    public func sealer<Suite: VaultCryptoSuite>(
        repeating salt: Bytes, _ suite: Suite
    ) throws(VaultError) -> ContentSealer<Suite> {
        try ContentSealer(self, salt: salt, suite: suite)
    }

    /// Opens the content from its beginning to its end.
    public func opener<Suite: VaultCryptoSuite>(_ suite: Suite) throws(VaultError) -> ContentOpener<Suite> {
        try ContentOpener(self, suite: suite)
    }

    /// Opens parts of the content; the padding is behind `size`.
    ///
    /// - Parameter header: the first 56 bytes of the ciphertext.
    public func reader<Suite: VaultCryptoSuite>(
        header: Bytes, _ suite: Suite
    ) throws(VaultError) -> CobblestoneReader<Suite> {
        try CobblestoneReader(
            key: key.bytes, context: context, header: header, sealedLength: sealedLength, suite: suite)
    }
}

extension OpenedVersion {
    /// A new version, whose content is sealed for a compartment.
    ///
    /// - Throws: `outOfRange` for a size or a time that no JSON holds.
    static func new<Suite: VaultCryptoSuite>(
        of node: NodeID, in compartment: CompartmentID, size: UInt64, now: Int64, suite: Suite
    ) throws(VaultError) -> Self {
        guard 0...JSON.safeInteger ~= now, size <= UInt64(JSON.safeInteger) / 2 else { throw .outOfRange }
        return Self(
            id: try .random(suite), node: node, size: size, created: now, key: try .random(suite), home: compartment)
    }

    /// What is sealed: the key, the home, size and time.
    var bytes: Bytes { key.bytes + home.bytes + bigEndianBytes(size) + bigEndianBytes(UInt64(created)) }

    init(_ id: VersionID, node: NodeID, bytes: Bytes) throws(VaultError) {
        var reader = ByteReader(bytes)
        self.id = id
        self.node = node
        key = try VaultSecret(reader.take(VaultSecret.byteCount))
        home = try CompartmentID(reader.take(CompartmentID.byteCount))
        size = try reader.number(8)
        guard let time = Int64(exactly: try reader.number(8)), time <= JSON.safeInteger,
            size <= UInt64(JSON.safeInteger)
        else { throw .outOfRange }
        created = time
        try reader.finish()
    }

    /// Opens what a node's record holds.
    init<Suite: VaultCryptoSuite>(
        _ record: VersionRecord, of node: NodeKey, in compartment: CompartmentID, suite: Suite
    ) throws(VaultError) {
        let binding = compartment.bytes + node.node.bytes + record.id.bytes
        var plaintext = try node.secret.derived(.contentKey, suite: suite)
            .open(record.key, .contentKey, binding, suite: suite)
        defer { plaintext.wipe() }
        try self.init(record.id, node: node.node, bytes: plaintext)
        guard record.sealedLength == sealedLength else { throw .malformed }
    }

    /// What a node's record holds.
    func record<Suite: VaultCryptoSuite>(
        content: Bytes, of node: NodeKey, in compartment: CompartmentID, suite: Suite
    ) throws(VaultError) -> VersionRecord {
        var plaintext = bytes
        defer { plaintext.wipe() }
        let binding = compartment.bytes + node.node.bytes + id.bytes
        let key = try node.secret.derived(.contentKey, suite: suite)
            .seal(plaintext, .contentKey, binding, suite: suite)
        return try VersionRecord(id: id, content: content, key: key, sealedLength: sealedLength)
    }
}
