public import Encodings

/// The six digits that both sides of a face-to-face check compare.
public enum EnrolmentDigits {
    /// Six ASCII digits that depend on both of the holder's keys and on both nonces.
    ///
    /// The holder commits to their nonce before they know the administrator's, so neither side can choose them. An
    /// administrator who typed eight characters has all of the code from the server. Then the digits alone show whether
    /// it exchanged a key: the one that signs or the one that documents are sealed to.
    /// - Parameters:
    ///   - holderKey: the thumbprint of the holder's signing key, from the holder's code.
    ///   - encryptionKey: the thumbprint of the holder's encryption key, from the holder's code.
    ///   - holderNonce: 32 bytes, committed to before the administrator's nonce was known.
    ///   - administratorNonce: 32 bytes.
    public static func digits(
        holderKey: Bytes, encryptionKey: Bytes, holderNonce: Bytes, administratorNonce: Bytes
    ) -> Bytes {
        let parts = holderKey + encryptionKey + holderNonce + administratorNonce
        let hash = SHA256.hash(Bytes(text: "countersign enrolment digits v2\u{0}") + parts)
        var number: UInt64 = 0
        for byte in hash[0..<8] { number = number << 8 | UInt64(byte) }
        let digits = decimalBytes(number % 1_000_000)
        return Bytes(repeating: 0x30, count: 6 - digits.count) + digits
    }
}
