import EllipticCurves
public import Encodings

/// What a device keeps of an upload that was cut, so that it can go on another time.
///
/// Going on seals the same content with the same key and salt. If it were another content, two texts would be under one
/// nonce, and both would lie open. So each part leaves a **trail**: a hash of the tags of all its chunks. A part is sent only
/// if it has no trail yet, or the same one. Tags are a keyed code of what was sealed, so another content has other tags.
public struct UnfinishedUpload: Sendable, Equatable {
    /// The version that is being sealed.
    public let version: OpenedVersion
    /// The salt of its ciphertext.
    public let salt: Bytes
    /// The server's name of the upload: 1 to 64 bytes.
    public let content: Bytes
    /// Bytes of each part; the last may be shorter.
    public let part: UInt64
    /// The trails of the parts that were sealed so far, in their order.
    public private(set) var trails: [Bytes] = []

    /// A trail is as long as SHA-256.
    public static let trailByteCount = 32

    /// An upload of which nothing was sealed yet.
    ///
    /// - Throws: `malformed` for another length of the salt or name, or a part of no bytes.
    public init(_ version: OpenedVersion, salt: Bytes, content: Bytes, part: UInt64) throws(VaultError) {
        guard salt.count == Cobblestone.salt, 1...64 ~= content.count, 1...UInt64(JSON.safeInteger) ~= part else {
            throw .malformed
        }
        self.version = version
        self.salt = salt
        self.content = content
        self.part = part
    }

    /// How many parts there are.
    public var parts: UInt64 { (version.sealedLength + part - 1) / part }

    /// Up to where the ciphertext has to be sealed to have a part: all chunks that begin in it.
    public func sealedEnd(ofPart number: UInt64) -> UInt64 {
        let end = min((number + 1) * part, version.sealedLength)
        return min(Self.end(ofChunk: Self.chunks(before: end)), version.sealedLength)
    }

    /// Notes the trail of the next part, or compares it with the one that is there.
    ///
    /// Store the upload durably before the part goes out.
    ///
    /// - Parameters:
    ///   - number: of the part; each comes after the one before.
    ///   - sealed: the ciphertext from `start` up to at least `sealedEnd`.
    ///   - start: at most the beginning of the part.
    /// - Returns: whether it is new.
    /// - Throws: `cannotOpen` if the content is not the one that was sealed before; then nothing more may be sent.
    public mutating func follow<Suite: VaultCryptoSuite>(
        _ number: UInt64, sealed: Bytes, from start: UInt64, suite: Suite
    ) throws(VaultError) -> Bool {
        guard number <= UInt64(trails.count), number < parts else { throw .outOfRange }
        let begin = number * part
        guard start <= begin, start + UInt64(sealed.count) >= sealedEnd(ofPart: number) else { throw .truncated }
        var tags: Bytes = number == 0 ? version.context : trails[Int(number) - 1]
        let last = Self.chunks(before: min(begin + part, version.sealedLength))
        for chunk in Self.chunks(before: begin)..<last {
            let end = Int(min(Self.end(ofChunk: chunk + 1), version.sealedLength) - start)
            tags += sealed[(end - Cobblestone.tag)..<end]
        }
        let trail = suite.sha256(tags)
        guard number < UInt64(trails.count) else {
            trails.append(trail)
            return true
        }
        guard trail == trails[Int(number)] else { throw .cannotOpen }
        return false
    }

    /// How many chunks begin before this place of the ciphertext.
    private static func chunks(before end: UInt64) -> UInt64 {
        guard end > UInt64(Cobblestone.header) else { return 0 }
        let body = end - UInt64(Cobblestone.header)
        return (body + UInt64(Cobblestone.sealedChunk) - 1) / UInt64(Cobblestone.sealedChunk)
    }

    /// Where so many chunks end.
    private static func end(ofChunk count: UInt64) -> UInt64 {
        UInt64(Cobblestone.header) + count * UInt64(Cobblestone.sealedChunk)
    }
}

extension UnfinishedUpload {
    /// What the device keeps, sealed under the key of the compartment.
    public func sealed<Suite: VaultCryptoSuite>(
        of compartment: Compartment, suite: Suite
    ) throws(VaultError) -> Bytes {
        var bytes = version.node.bytes + version.id.bytes + version.bytes + salt + bigEndianBytes(part)
        defer { bytes.wipe() }
        bytes += [UInt8(content.count)] + content
        for trail in trails { bytes += trail }
        return try compartment.key.derived(.unfinished, suite: suite)
            .seal(bytes, .unfinished, compartment.id.bytes, suite: suite)
    }

    /// Reads what the device kept.
    ///
    /// - Throws: `cannotOpen` for another compartment.
    public init<Suite: VaultCryptoSuite>(
        _ sealed: Bytes, of compartment: Compartment, suite: Suite
    ) throws(VaultError) {
        var plaintext = try compartment.key.derived(.unfinished, suite: suite)
            .open(sealed, .unfinished, compartment.id.bytes, suite: suite)
        defer { plaintext.wipe() }
        var reader = ByteReader(plaintext)
        let node = try NodeID(reader.take(NodeID.byteCount))
        let id = try VersionID(reader.take(VersionID.byteCount))
        let version = try OpenedVersion(id, node: node, bytes: reader.take(OpenedVersion.byteCount))
        let salt = try reader.take(Cobblestone.salt)
        let part = try reader.number(8)
        try self.init(version, salt: salt, content: reader.take(Int(try reader.byte())), part: part)
        while reader.remaining > 0 { trails.append(try reader.take(Self.trailByteCount)) }
        guard UInt64(trails.count) <= parts else { throw .malformed }
    }
}
