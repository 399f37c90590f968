public import EllipticCurves
public import Encodings

/// What is handed to somebody else: a whole compartment, one version of one file, or the way into an inbox.
public enum SharedAccess: Sendable, Equatable {
    /// The key of a compartment: a folder that is shared.
    case compartment(VaultSecret, name: NodeName)
    /// One content, with what is needed to show it.
    case version(OpenedVersion, name: NodeName, mediaType: Bytes)
    /// The public key of an inbox, 65 bytes: who has it puts things in, and opens nothing.
    case inbox(Bytes, name: NodeName)

    private static var form: UInt8 { 1 }

    /// Seals it to a member's key on P-256: the one that the log vouches for.
    ///
    /// - Parameter id: of the share; who opens it needs the same.
    public func sealed<Suite: VaultCryptoSuite>(
        to publicKey: Bytes, id: Bytes, suite: Suite
    ) throws(VaultError) -> Bytes {
        try SealedToKey.seal(padded(), to: publicKey, .share, id, suite: suite)
    }

    /// Opens what was sealed to a key.
    public init<Suite: VaultCryptoSuite>(
        _ sealed: Bytes, with privateKey: ECPrivateKey, id: Bytes, suite: Suite
    ) throws(VaultError) {
        try self.init(padded: SealedToKey.open(sealed, with: privateKey, .share, id, suite: suite))
    }

    /// Seals it under a key that travels in the fragment of a link.
    ///
    /// - Parameters:
    ///   - code: what the receiver has to type besides; may be empty. It is only a second lock: the server counts tries.
    ///   - id: of the share.
    public func sealed<Suite: VaultCryptoSuite>(
        link key: VaultSecret, code: Bytes, id: Bytes, suite: Suite
    ) throws(VaultError) -> Bytes {
        try key.derived(.link, code, suite: suite).seal(padded(), .link, id, suite: suite)
    }

    /// Opens what a link leads to.
    ///
    /// - Throws: `cannotOpen` for another key, code or share.
    public init<Suite: VaultCryptoSuite>(
        _ sealed: Bytes, link key: VaultSecret, code: Bytes, id: Bytes, suite: Suite
    ) throws(VaultError) {
        try self.init(padded: key.derived(.link, code, suite: suite).open(sealed, .link, id, suite: suite))
    }

    /// Form, kind, what is handed over, then name and media type with their lengths, and zeros up to 512 bytes.
    private func padded() throws(VaultError) -> Bytes {
        var bytes: Bytes = [Self.form]
        switch self {
        case .compartment(let key, let name):
            bytes += [1] + key.bytes + [UInt8(name.bytes.count)] + name.bytes
        case .version(let version, let name, let mediaType):
            guard mediaType.count <= NodeMetadataLimits.mediaType else { throw .outOfRange }
            bytes += [2] + version.node.bytes + version.id.bytes + version.bytes
            bytes += [UInt8(name.bytes.count)] + name.bytes + [UInt8(mediaType.count)] + mediaType
        case .inbox(let publicKey, let name):
            guard publicKey.count == SealedToKey.pointByteCount else { throw .outOfRange }
            bytes += [3] + publicKey + [UInt8(name.bytes.count)] + name.bytes
        }
        return bytes + Bytes(repeating: 0, count: 512 - bytes.count)
    }

    private init(padded bytes: Bytes) throws(VaultError) {
        guard bytes.count == 512 else { throw .malformed }
        var reader = ByteReader(bytes)
        guard try reader.byte() == Self.form else { throw .unsupportedVersion }
        switch try reader.byte() {
        case 1:
            let key = try VaultSecret(reader.take(VaultSecret.byteCount))
            self = .compartment(key, name: try NodeName(reader.take(Int(try reader.byte()))))
        case 2:
            let node = try NodeID(reader.take(NodeID.byteCount))
            let id = try VersionID(reader.take(VersionID.byteCount))
            let version = try OpenedVersion(id, node: node, bytes: reader.take(OpenedVersion.byteCount))
            let name = try NodeName(reader.take(Int(try reader.byte())))
            self = .version(version, name: name, mediaType: try reader.take(Int(try reader.byte())))
        case 3:
            let publicKey = try reader.take(SealedToKey.pointByteCount)
            self = .inbox(publicKey, name: try NodeName(reader.take(Int(try reader.byte()))))
        default: throw .malformed
        }
        try reader.finishPadding()
    }
}
