import EllipticCurves
public import Encodings

/// What a PIN slot holds.
public struct PINContents: Sendable, Equatable {
    /// What the PIN opens.
    public let purpose: PINPurpose
    /// The key of a compartment, or of a lock.
    public let key: VaultSecret
    /// The lock, if the purpose is `item`; otherwise zeros.
    public let lock: LockID
    /// The number with which the slot's element was made: proofs need it.
    let scalar: Bytes

    static var byteCount: Int { 112 }

    package var bytes: Bytes {
        let used = [1, purpose.rawValue] + key.bytes + lock.bytes + scalar
        return used + Bytes(repeating: 0, count: Self.byteCount - used.count)
    }

    init(purpose: PINPurpose, key: VaultSecret, lock: LockID, scalar: Bytes) {
        self.purpose = purpose
        self.key = key
        self.lock = lock
        self.scalar = scalar
    }

    /// Reads what a slot holds once it is open: for pages, which open it with WebCrypto.
    package init(_ bytes: Bytes) throws(VaultError) {
        var reader = ByteReader(bytes)
        guard try reader.byte() == 1 else { throw .unsupportedVersion }
        guard let purpose = PINPurpose(rawValue: try reader.byte()) else { throw .malformed }
        self.purpose = purpose
        key = try VaultSecret(reader.take(VaultSecret.byteCount))
        lock = try LockID(reader.take(LockID.byteCount))
        scalar = try reader.take(ObliviousFunction.scalar)
        try reader.finishPadding()
    }
}

/// The four PIN slots of an account: an unused one is random bytes, and nobody sees which.
public enum PINSlot {
    /// The length of a slot in bytes.
    public static let byteCount = PINContents.byteCount + VaultBox.overhead
    /// How many there are, always.
    public static let count = 4

    /// Bytes for a slot that no PIN opens.
    public static func unused<Suite: VaultCryptoSuite>(_ suite: Suite) throws(VaultError) -> Bytes {
        try suite.fresh(byteCount)
    }

    /// What the guard is asked about a PIN: the PIN, stretched and bound to the account.
    ///
    /// - Parameter stretching: less only in tests.
    /// - Throws: `outOfRange` for more than 64 bytes.
    public static func input<Suite: VaultCryptoSuite>(
        _ pin: Bytes, of account: VaultAccount, stretching: Argon2id = .pin, suite: Suite
    ) throws(VaultError) -> VaultSecret {
        guard pin.count <= 64 else { throw .outOfRange }
        var stretched = try stretching.hash(pin, salt: account.salt)
        defer { stretched.wipe() }
        return try VaultSecret(stretched)
    }

    /// Makes a slot.
    ///
    /// - Parameters:
    ///   - index: of the slot, 0 to 3.
    ///   - input: what `input` gives for the PIN.
    ///   - output: the guard's value for the input under the key of this slot, 48 bytes.
    ///   - scalar: that of the slot's verifier (`PINVerifier.make`).
    static func seal<Suite: VaultCryptoSuite>(
        _ contents: PINContents, index: Int, input: VaultSecret, output: Bytes, of account: VaultAccount, suite: Suite
    ) throws(VaultError) -> Bytes {
        try key(input, output, index, account, suite: suite)
            .seal(contents.bytes, .pinSlot, account.salt + [UInt8(index)], suite: suite)
    }

    /// Opens a slot.
    ///
    /// - Throws: `cannotOpen` if the PIN is not the one of this slot.
    static func open<Suite: VaultCryptoSuite>(
        _ slot: Bytes, index: Int, input: VaultSecret, output: Bytes, of account: VaultAccount, suite: Suite
    ) throws(VaultError) -> PINContents {
        guard slot.count == byteCount else { throw .malformed }
        var plaintext = try key(input, output, index, account, suite: suite)
            .open(slot, .pinSlot, account.salt + [UInt8(index)], suite: suite)
        defer { plaintext.wipe() }
        return try PINContents(plaintext)
    }

    private static func key<Suite: VaultCryptoSuite>(
        _ input: VaultSecret, _ output: Bytes, _ index: Int, _ account: VaultAccount, suite: Suite
    ) throws(VaultError) -> VaultSecret {
        guard 0..<count ~= index, output.count == ObliviousFunction.output else { throw .malformed }
        var secret = input.bytes + output
        defer { secret.wipe() }
        return try VaultSecret(suite.derive(secret, .pinSlot, account.salt + [UInt8(index)]))
    }
}
