public import Encodings

/// What a compartment holds as a whole: it is sealed again with every change.
///
/// The sum is the XOR of HMAC-SHA-256 over the vouched bytes of all live records. So one old record among new ones is
/// found by anyone who has read them all, and so is one that is missing.
public struct VaultHead: Sendable, Equatable {
    /// How often the compartment was changed; 0 for a new one.
    public private(set) var sequence: UInt64
    /// How many live records there are.
    public private(set) var count: UInt64
    private var sum: Bytes

    /// The length of a sealed head in bytes.
    public static let sealedByteCount = 48 + VaultBox.overhead

    /// The head of an empty compartment.
    public init() {
        sequence = 0
        count = 0
        sum = Bytes(repeating: 0, count: 32)
    }

    /// Opens a head.
    ///
    /// - Throws: `cannotOpen` for the head of another compartment.
    public init<Suite: VaultCryptoSuite>(
        _ sealed: Bytes, of compartment: Compartment, suite: Suite
    ) throws(VaultError) {
        guard sealed.count == Self.sealedByteCount else { throw .malformed }
        var reader = ByteReader(
            try compartment.headKey.open(sealed, .head, compartment.id.bytes, suite: suite))
        sequence = try reader.number(8)
        count = try reader.number(8)
        sum = try reader.take(32)
        guard sequence <= UInt64(JSON.safeInteger) else { throw .outOfRange }
    }

    /// The head as the server keeps it.
    public func sealed<Suite: VaultCryptoSuite>(
        of compartment: Compartment, suite: Suite
    ) throws(VaultError) -> Bytes {
        try compartment.headKey.seal(
            bigEndianBytes(sequence) + bigEndianBytes(count) + sum, .head, compartment.id.bytes, suite: suite)
    }

    /// The head after a change.
    ///
    /// - Parameters:
    ///   - removed: the live records that are gone, also those that are replaced and those that went to the trash.
    ///   - added: the live records that came, also those that replace others and those that came back from the trash.
    /// - Throws: `incomplete` if more are removed than there are.
    public func changed<Suite: VaultCryptoSuite>(
        removing removed: [NodeRecord], adding added: [NodeRecord], in compartment: Compartment, suite: Suite
    ) throws(VaultError) -> VaultHead {
        guard UInt64(removed.count) <= count else { throw .incomplete }
        var head = self
        head.sequence += 1
        head.count = count - UInt64(removed.count) + UInt64(added.count)
        let key = compartment.accumulatorKey.bytes
        for record in removed + added {
            let code = suite.hmacSHA256(record.vouchedBytes, key: key)
            guard code.count == 32 else { throw .suiteFailed }
            for index in 0..<32 { head.sum[index] ^= code[index] }
        }
        return head
    }

    /// Checks that these are the live records, all of them and no others.
    ///
    /// - Throws: `incomplete`.
    public func check<Suite: VaultCryptoSuite>(
        _ records: [NodeRecord], in compartment: Compartment, suite: Suite
    ) throws(VaultError) {
        let found = try VaultHead().changed(removing: [], adding: records, in: compartment, suite: suite)
        guard found.count == count, found.sum.equalsInConstantTime(sum) else { throw .incomplete }
    }
}
