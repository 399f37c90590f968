public import EllipticCurves
public import Encodings

/// The cryptography that the vault asks of its surroundings.
///
/// AES-256-GCM and randomness have to come from outside: `Core` has neither. The rest is computed by `Core` unless a
/// suite with a library overrides it.
public protocol VaultCryptoSuite: CryptoSuite {
    /// Encrypts with AES-256-GCM (SP 800-38D), and appends the ciphertext and the tag of 16 bytes.
    ///
    /// - Parameters:
    ///   - plaintext: any length.
    ///   - key: 32 bytes.
    ///   - nonce: 12 bytes.
    ///   - additionalData: any length.
    /// - Returns: `false` if the suite cannot do it; then nothing was appended.
    func sealAES256GCM(
        _ plaintext: ArraySlice<UInt8>, key: Bytes, nonce: Bytes, additionalData: Bytes, appendingTo output: inout Bytes
    ) -> Bool

    /// Decrypts what `sealAES256GCM` gives, and appends the plaintext.
    ///
    /// - Parameter sealed: ciphertext and tag; fewer than 16 bytes are refused.
    /// - Returns: `false` if the tag does not hold; then nothing was appended.
    func openAES256GCM(
        _ sealed: ArraySlice<UInt8>, key: Bytes, nonce: Bytes, additionalData: Bytes, appendingTo output: inout Bytes
    ) -> Bool

    /// So many bytes from a source fit for keys.
    func randomBytes(_ count: Int) -> Bytes

    /// HMAC with SHA-256 (RFC 2104), 32 bytes.
    func hmacSHA256(_ message: Bytes, key: Bytes) -> Bytes

    /// HMAC with SHA-512 (RFC 2104), 64 bytes.
    func hmacSHA512(_ message: Bytes, key: Bytes) -> Bytes

    /// The x coordinate of the product of both keys, as long as the prime and with its leading zeros.
    ///
    /// - Returns: `nil` for keys of different curves.
    func sharedSecret(of key: ECPrivateKey, with peer: ECPublicKey) -> Bytes?
}

extension VaultCryptoSuite {
    /// By `Core`'s own HMAC.
    public func hmacSHA256(_ message: Bytes, key: Bytes) -> Bytes { HMACSHA256.authenticate(message, key: key) }

    /// By `Core`'s own SHA-512.
    public func hmacSHA512(_ message: Bytes, key: Bytes) -> Bytes {
        var padded = key.count > 128 ? SHA512.hash(key) : key
        padded.append(contentsOf: Bytes(repeating: 0, count: 128 - padded.count))
        let inner = SHA512.hash(padded.map { $0 ^ 0x36 } + message)
        return SHA512.hash(padded.map { $0 ^ 0x5C } + inner)
    }

    /// By `Core`'s own arithmetic, in constant time.
    public func sharedSecret(of key: ECPrivateKey, with peer: ECPublicKey) -> Bytes? {
        try? key.sharedSecret(with: peer)
    }
}

extension VaultCryptoSuite {
    /// Random bytes, of which there are certainly as many as asked for.
    func fresh(_ count: Int) throws(VaultError) -> Bytes {
        let bytes = randomBytes(count)
        guard bytes.count == count else { throw .suiteFailed }
        return bytes
    }

    /// HKDF-SHA-256 (RFC 5869) without salt, where the info is a label and what the key is for.
    ///
    /// - Parameter count: at most 255 · 32 bytes.
    func derive(_ key: Bytes, _ label: VaultLabel, _ context: Bytes = [], count: Int = 32) -> Bytes {
        let extracted = hmacSHA256(key, key: Bytes(repeating: 0, count: 32))
        return expandSHA256(extracted, info: label.bytes + context, count: count)
    }

    /// HKDF-Expand with SHA-256 (RFC 5869 section 2.3).
    func expandSHA256(_ key: Bytes, info: Bytes, count: Int) -> Bytes {
        var output: Bytes = []
        var block: Bytes = []
        var number: UInt8 = 1
        while output.count < count {
            block = hmacSHA256(block + info + [number], key: key)
            output += block
            number &+= 1
        }
        return Array(output.prefix(count))
    }

    /// HKDF-Expand with SHA-512 (RFC 5869 section 2.3).
    func expandSHA512(_ key: Bytes, info: Bytes, count: Int) -> Bytes {
        var output: Bytes = []
        var block: Bytes = []
        var number: UInt8 = 1
        while output.count < count {
            block = hmacSHA512(block + info + [number], key: key)
            output += block
            number &+= 1
        }
        return Array(output.prefix(count))
    }
}
