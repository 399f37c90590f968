public import EllipticCurves
public import Encodings

/// The slot of an emergency contact: the compartment key, sealed to the contact's own key.
///
/// The server hands it out after a waiting time in which the owner may veto. The contact's key is the one that the log
/// vouches for; who makes a slot has checked that.
public struct ContactSlot: Sendable, Equatable {
    /// The length of a slot in bytes.
    public static let byteCount = 212
    private static let version: UInt8 = 1
    private static let kind: UInt8 = 5

    /// The contact's public key: an uncompressed point on P-256.
    public let publicKey: Bytes
    private let sealedKey: Bytes
    private let seal: Bytes

    /// Makes a slot.
    ///
    /// - Throws: `malformed` for a key that is not on P-256.
    public init<Suite: VaultCryptoSuite>(
        for publicKey: Bytes, id: SlotID, of account: VaultAccount, compartment: Compartment, suite: Suite
    ) throws(VaultError) {
        self.publicKey = publicKey
        let binding = account.salt + id.bytes + [Self.kind]
        var key = compartment.key.bytes
        defer { key.wipe() }
        sealedKey = try SealedToKey.seal(key, to: publicKey, .slot, binding, suite: suite)
        seal = try SlotSeal.make(binding + publicKey, compartment, suite: suite)
    }

    /// Opens the slot, as the contact.
    public func open<Suite: VaultCryptoSuite>(
        with privateKey: ECPrivateKey, id: SlotID, of account: VaultAccount, suite: Suite
    ) throws(VaultError) -> Compartment {
        guard privateKey.publicKey.x963 == publicKey else { throw .cannotOpen }
        let binding = account.salt + id.bytes + [Self.kind]
        var key = try SealedToKey.open(sealedKey, with: privateKey, .slot, binding, suite: suite)
        defer { key.wipe() }
        let compartment = try Compartment(VaultSecret(key), suite: suite)
        try SlotSeal.check(seal, binding + publicKey, compartment, suite: suite)
        return compartment
    }

    /// The slot for a compartment with another key.
    ///
    /// - Throws: `cannotOpen` if the slot was not made by somebody who knew the old compartment's key.
    public func renewed<Suite: VaultCryptoSuite>(
        from old: Compartment, to new: Compartment, id: SlotID, of account: VaultAccount, suite: Suite
    ) throws(VaultError) -> Self {
        let binding = account.salt + id.bytes + [Self.kind]
        try SlotSeal.check(seal, binding + publicKey, old, suite: suite)
        return try Self(for: publicKey, id: id, of: account, compartment: new, suite: suite)
    }

    /// Reads what the server keeps.
    public init(_ bytes: Bytes) throws(VaultError) {
        guard bytes.count == Self.byteCount else { throw .malformed }
        var reader = ByteReader(bytes)
        guard try reader.byte() == Self.version else { throw .unsupportedVersion }
        guard try reader.byte() == Self.kind else { throw .malformed }
        publicKey = try reader.take(65)
        sealedKey = try reader.take(VaultSecret.byteCount + SealedToKey.overhead)
        seal = try reader.take(32)
        try reader.finish()
        _ = try SealedToKey.publicKey(publicKey)
    }

    /// What the server keeps.
    public var bytes: Bytes { [Self.version, Self.kind] + publicKey + sealedKey + seal }
}
