import EllipticCurves
public import Encodings

/// What opens files: a private key or a passphrase.
public struct AgeIdentity: Sendable {
    private enum Secret {
        case x25519(SecretBytes)
        case hybrid(SecretBytes)
        case passphrase(SecretBytes, highestLogWork: Int)
    }

    private let secret: Secret

    /// Reads `AGE-SECRET-KEY-1…` or, for hybrid keys, `AGE-SECRET-KEY-PQ-1…`.
    public init(_ text: Bytes) throws(AgeError) {
        if var bytes = AgeBech32.decode(text, prefix: Self.prefix), bytes.count == AgeLimits.key {
            defer { bytes.wipe() }
            secret = .x25519(SecretBytes(bytes))
        } else if var bytes = AgeBech32.decode(text, prefix: Self.hybridPrefix), bytes.count == AgeLimits.key {
            defer { bytes.wipe() }
            secret = .hybrid(SecretBytes(bytes))
        } else {
            throw .invalidIdentity
        }
    }

    /// A passphrase, as its UTF-8 bytes.
    ///
    /// - Parameter highestLogWork: files that ask for more work are refused (`AgeError.tooMuchWork`); it takes
    ///   2^`highestLogWork` KiB of memory.
    public init(passphrase: Bytes, highestLogWork: Int = AgeLimits.highestLogWork) {
        secret = .passphrase(SecretBytes(passphrase), highestLogWork: highestLogWork)
    }

    private init(_ secret: Secret) { self.secret = secret }

    /// A new private key.
    ///
    /// - Parameter hybrid: whether its files stay closed to quantum computers too.
    /// - Throws: `unsupported` if the suite has no hybrid keys.
    public static func generate<Suite: AgeCryptoSuite>(
        hybrid: Bool = false, suite: Suite
    ) throws(AgeError) -> AgeIdentity {
        var bytes = try suite.fresh(AgeLimits.key)
        defer { bytes.wipe() }
        let identity = AgeIdentity(hybrid ? .hybrid(SecretBytes(bytes)) : .x25519(SecretBytes(bytes)))
        _ = try identity.recipient(suite: suite)
        return identity
    }

    /// The private key's spelling, which the caller wipes; `nil` for a passphrase.
    public var text: Bytes? {
        let (prefix, secret): (Bytes, SecretBytes)
        switch self.secret {
        case .x25519(let bytes): (prefix, secret) = (Self.prefix, bytes)
        case .hybrid(let bytes): (prefix, secret) = (Self.hybridPrefix, bytes)
        case .passphrase: return nil
        }
        var bytes = secret.bytes
        defer { bytes.wipe() }
        return AgeBech32.encode(prefix, bytes).map { 0x61...0x7A ~= $0 ? $0 - 0x20 : $0 }
    }

    /// The public key for which others seal.
    ///
    /// - Throws: `unsupported` if the suite has no hybrid keys, `invalidIdentity` for a passphrase.
    public func recipient<Suite: AgeCryptoSuite>(suite: Suite) throws(AgeError) -> AgeRecipient {
        switch secret {
        case .x25519(let secret):
            var bytes = secret.bytes
            defer { bytes.wipe() }
            guard let publicKey = suite.x25519(bytes, publicKey: X25519Wrapping.basePoint) else { throw .suiteFailed }
            return AgeRecipient(key: .x25519(publicKey))
        case .hybrid(let secret):
            var bytes = secret.bytes
            defer { bytes.wipe() }
            guard let publicKey = suite.hybridPublicKey(of: bytes) else { throw .unsupported }
            guard publicKey.count == AgeLimits.hybridPublicKey else { throw .suiteFailed }
            return AgeRecipient(key: .hybrid(publicKey))
        case .passphrase: throw .invalidIdentity
        }
    }

    /// Reads a file of private keys, as `age-keygen` writes it.
    ///
    /// Empty lines and lines that begin with `#` do not count.
    /// - Parameter file: of which at most `maximum` lines may name an identity.
    public static func readFile(_ file: Bytes, maximum: Int = 256) throws(AgeError) -> [AgeIdentity] {
        let lines = try keyLines(file, maximum: maximum, else: .invalidIdentity)
        return try lines.map { line throws(AgeError) in try AgeIdentity(line) }
    }

    /// The file key in a stanza, or `nil` if it is not for this identity.
    ///
    /// - Throws: `malformedHeader` if the stanza is of this identity's type and breaks its rules.
    func unwrap<Suite: AgeCryptoSuite>(_ stanza: AgeStanza, _ suite: Suite) throws(AgeError) -> AgeFileKey? {
        switch secret {
        case .x25519(let secret): try X25519Wrapping.unwrap(stanza, secret, suite)
        case .hybrid(let secret): try HybridWrapping.unwrap(stanza, secret, suite)
        case .passphrase(let secret, let highest):
            try ScryptWrapping.unwrap(stanza, secret, highestLogWork: highest, suite)
        }
    }

    private static let prefix = Bytes(text: "age-secret-key-")
    private static let hybridPrefix = Bytes(text: "age-secret-key-pq-")
}
