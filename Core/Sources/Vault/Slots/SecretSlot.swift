import EllipticCurves
public import Encodings

/// An unlock slot that a secret of 32 bytes opens: of a passkey, of printed words, of a device, or of two shares.
///
/// The secret opens a private key, and the compartment key is sealed to its public key. So the compartment's key can be
/// exchanged without the secret. A seal under the compartment key says that the public key is ours: else a server could
/// put its own there and be given the next key.
public struct SecretSlot: Sendable, Equatable {
    /// Where the secret comes from.
    public enum Kind: UInt8, Sendable, Equatable {
        /// A passkey, asked with `prfSalt`.
        case passkey = 1
        /// 24 printed words.
        case recovery = 3
        /// A device that the owner trusts.
        case device = 4
        /// Two of three shares.
        case shares = 6
    }

    /// The length of a slot in bytes.
    public static let byteCount = 272
    private static let version: UInt8 = 1

    /// Where the secret comes from.
    public let kind: Kind
    private let publicKey: Bytes
    private let privateKey: Bytes
    private let sealedKey: Bytes
    private let seal: Bytes

    /// What a passkey of an account is asked with, 32 bytes.
    public static func prfSalt<Suite: VaultCryptoSuite>(_ account: VaultAccount, suite: Suite) -> Bytes {
        suite.sha256(VaultLabel.accountPRF.bytes + account.salt)
    }

    /// Makes a slot.
    ///
    /// - Parameters:
    ///   - secret: the result of PRF, the recovery key, the key of the device, or what the shares give.
    ///   - id: of the slot.
    public static func make<Suite: VaultCryptoSuite>(
        _ kind: Kind, secret: VaultSecret, id: SlotID, of account: VaultAccount, for compartment: Compartment,
        suite: Suite
    ) throws(VaultError) -> Self {
        let key: ECPrivateKey
        do { key = try ECPrivateKey.generate(on: .p256, randomBytes: suite.randomBytes) } catch { throw .suiteFailed }
        var scalar = key.secretScalar
        defer { scalar.wipe() }
        let binding = account.salt + id.bytes + [kind.rawValue]
        let privateKey = try secret.derived(.slotKey, binding, suite: suite)
            .seal(scalar, .slotKey, binding + key.publicKey.x963, suite: suite)
        return try Self(
            kind: kind, publicKey: key.publicKey.x963, privateKey: privateKey, binding: binding,
            compartment: compartment, suite: suite)
    }

    private init<Suite: VaultCryptoSuite>(
        kind: Kind, publicKey: Bytes, privateKey: Bytes, binding: Bytes, compartment: Compartment, suite: Suite
    ) throws(VaultError) {
        self.kind = kind
        self.publicKey = publicKey
        self.privateKey = privateKey
        var key = compartment.key.bytes
        defer { key.wipe() }
        sealedKey = try SealedToKey.seal(key, to: publicKey, .slot, binding, suite: suite)
        seal = try SlotSeal.make(binding + publicKey + privateKey, compartment, suite: suite)
    }

    /// Opens the slot.
    ///
    /// - Throws: `cannotOpen` for another secret, or a slot of another account.
    public func open<Suite: VaultCryptoSuite>(
        with secret: VaultSecret, id: SlotID, of account: VaultAccount, suite: Suite
    ) throws(VaultError) -> Compartment {
        let binding = account.salt + id.bytes + [kind.rawValue]
        var scalar = try secret.derived(.slotKey, binding, suite: suite)
            .open(privateKey, .slotKey, binding + publicKey, suite: suite)
        defer { scalar.wipe() }
        guard let key = try? ECPrivateKey(.p256, scalar: scalar), key.publicKey.x963 == publicKey else {
            throw .cannotOpen
        }
        var opened = try SealedToKey.open(sealedKey, with: key, .slot, binding, suite: suite)
        defer { opened.wipe() }
        let compartment = try Compartment(VaultSecret(opened), suite: suite)
        try SlotSeal.check(seal, binding + publicKey + privateKey, compartment, suite: suite)
        return compartment
    }

    /// The slot for a compartment with another key, without the secret.
    ///
    /// - Parameter old: the compartment that the slot was made for.
    /// - Throws: `cannotOpen` if the slot was not made by somebody who knew that compartment's key.
    public func renewed<Suite: VaultCryptoSuite>(
        from old: Compartment, to new: Compartment, id: SlotID, of account: VaultAccount, suite: Suite
    ) throws(VaultError) -> Self {
        let binding = account.salt + id.bytes + [kind.rawValue]
        try SlotSeal.check(seal, binding + publicKey + privateKey, old, suite: suite)
        return try Self(
            kind: kind, publicKey: publicKey, privateKey: privateKey, binding: binding, compartment: new, suite: suite)
    }

    /// Reads what the server keeps.
    public init(_ bytes: Bytes) throws(VaultError) {
        guard bytes.count == Self.byteCount else { throw .malformed }
        var reader = ByteReader(bytes)
        guard try reader.byte() == Self.version else { throw .unsupportedVersion }
        guard let kind = Kind(rawValue: try reader.byte()) else { throw .malformed }
        self.kind = kind
        publicKey = try reader.take(65)
        privateKey = try reader.take(VaultSecret.byteCount + VaultBox.overhead)
        sealedKey = try reader.take(VaultSecret.byteCount + SealedToKey.overhead)
        seal = try reader.take(32)
        try reader.finish()
        _ = try SealedToKey.publicKey(publicKey)
    }

    /// What the server keeps.
    public var bytes: Bytes { [Self.version, kind.rawValue] + publicKey + privateKey + sealedKey + seal }
}

/// What all slots of an account share.
public struct VaultAccount: Sendable, Equatable {
    /// The length of the salt in bytes.
    public static let saltByteCount = 16

    /// A random salt, made when the vault is set up; it is no secret.
    public let salt: Bytes

    /// Takes the salt of an account.
    ///
    /// - Throws: `malformed` unless it has 16 bytes.
    public init(salt: Bytes) throws(VaultError) {
        guard salt.count == Self.saltByteCount else { throw .malformed }
        self.salt = salt
    }

    /// A new account's salt.
    public static func random<Suite: VaultCryptoSuite>(_ suite: Suite) throws(VaultError) -> Self {
        try Self(salt: suite.fresh(saltByteCount))
    }
}

/// The seal on a slot: HMAC-SHA-256 under a key of the compartment.
enum SlotSeal {
    static func make<Suite: VaultCryptoSuite>(
        _ bytes: Bytes, _ compartment: Compartment, suite: Suite
    ) throws(VaultError) -> Bytes {
        let key = try compartment.key.derived(.slotSeal, suite: suite)
        let seal = suite.hmacSHA256(bytes, key: key.bytes)
        guard seal.count == 32 else { throw .suiteFailed }
        return seal
    }

    static func check<Suite: VaultCryptoSuite>(
        _ seal: Bytes, _ bytes: Bytes, _ compartment: Compartment, suite: Suite
    ) throws(VaultError) {
        guard try make(bytes, compartment, suite: suite).equalsInConstantTime(seal) else { throw .cannotOpen }
    }
}
