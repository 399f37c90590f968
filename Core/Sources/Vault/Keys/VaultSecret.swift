import EllipticCurves
public import Encodings

/// A key of 32 bytes, wiped from memory when its last owner lets go of it.
public struct VaultSecret: Sendable {
    /// How many bytes a key has.
    public static var byteCount: Int { 32 }

    private let secret: SecretBytes

    /// Copies a key; the caller wipes its own.
    ///
    /// - Throws: `malformed` unless there are 32 bytes.
    public init(_ bytes: Bytes) throws(VaultError) {
        guard bytes.count == Self.byteCount else { throw .malformed }
        secret = SecretBytes(bytes)
    }

    /// A new key.
    ///
    /// - Throws: `suiteFailed` if the suite has no randomness.
    public static func random<Suite: VaultCryptoSuite>(_ suite: Suite) throws(VaultError) -> Self {
        var bytes = try suite.fresh(byteCount)
        defer { bytes.wipe() }
        return try Self(bytes)
    }

    /// A copy of the bytes, which the caller wipes.
    public var bytes: Bytes { secret.bytes }

    /// A key that is derived from this one.
    func derived<Suite: VaultCryptoSuite>(
        _ label: VaultLabel, _ context: Bytes = [], suite: Suite
    ) throws(VaultError) -> VaultSecret {
        var key = bytes
        defer { key.wipe() }
        var output = suite.derive(key, label, context)
        defer { output.wipe() }
        return try VaultSecret(output)
    }

    func seal<Suite: VaultCryptoSuite>(
        _ plaintext: Bytes, _ label: VaultLabel, _ binding: Bytes, suite: Suite
    ) throws(VaultError) -> Bytes {
        var key = bytes
        defer { key.wipe() }
        return try VaultBox.seal(plaintext, key: key, label, binding, suite: suite)
    }

    func open<Suite: VaultCryptoSuite>(
        _ box: Bytes, _ label: VaultLabel, _ binding: Bytes, suite: Suite
    ) throws(VaultError) -> Bytes {
        var key = bytes
        defer { key.wipe() }
        return try VaultBox.open(box, key: key, label, binding, suite: suite)
    }
}

extension VaultSecret: Equatable {
    /// Compares in constant time.
    public static func == (left: Self, right: Self) -> Bool { left.bytes.equalsInConstantTime(right.bytes) }
}
