import EllipticCurves
public import Encodings

/// The cryptography that the age format asks of its surroundings (c2sp.org/age).
///
/// Randomness has to come from outside. The rest is computed by `Core` unless a suite with a library overrides it. The
/// hybrid keys need a library: without one, files for them cannot be written or opened.
public protocol AgeCryptoSuite: Sendable {
    /// So many bytes from a source fit for keys.
    func randomBytes(_ count: Int) -> Bytes

    /// HMAC with SHA-256 (RFC 2104), 32 bytes.
    func hmacSHA256(_ message: Bytes, key: Bytes) -> Bytes

    /// X25519 (RFC 7748 section 5) of a secret and a public key, 32 bytes each.
    ///
    /// - Returns: `nil` for other lengths, or if the result is all zeros.
    func x25519(_ secret: Bytes, publicKey: Bytes) -> Bytes?

    /// scrypt (RFC 7914) with a block size of 8 and a parallelism of 1, 32 bytes.
    ///
    /// - Parameter logWork: the base-two logarithm of the work factor; it takes 2^`logWork` KiB of memory.
    /// - Returns: `nil` if the suite cannot do it.
    func scrypt(_ passphrase: Bytes, salt: Bytes, logWork: Int) -> Bytes?

    /// Appends ciphertext and tag of ChaCha20-Poly1305 (RFC 8439), without additional data.
    ///
    /// - Returns: `false`, with nothing appended, for a key other than 32 bytes or a nonce other than 12.
    func sealChaCha20Poly1305(
        _ plaintext: ArraySlice<UInt8>, key: Bytes, nonce: Bytes, appendingTo output: inout Bytes
    ) -> Bool

    /// Appends what `sealChaCha20Poly1305` gives for each piece of a text, one after the other.
    ///
    /// A library may seal them at the same time.
    /// - Parameters:
    ///   - plaintext: as many pieces of `AgeLimits.chunk` bytes as there are nonces.
    ///   - nonces: one for each piece.
    /// - Returns: `false` as there, or if the plaintext has another length; then nothing of what was appended is of use.
    func sealChaCha20Poly1305(
        pieces plaintext: ArraySlice<UInt8>, key: Bytes, nonces: [Bytes], appendingTo output: inout Bytes
    ) -> Bool

    /// Appends the plaintext of what `sealChaCha20Poly1305` gave.
    ///
    /// - Returns: `false`, with nothing appended, if the tag does not hold.
    func openChaCha20Poly1305(
        _ sealed: ArraySlice<UInt8>, key: Bytes, nonce: Bytes, appendingTo output: inout Bytes
    ) -> Bool

    /// Appends what `openChaCha20Poly1305` gives for each piece, one after the other, up to the first that does not open.
    ///
    /// A library may open them at the same time.
    /// - Parameters:
    ///   - sealed: pieces of `AgeLimits.sealedChunk` bytes; one of another length does not open.
    ///   - nonces: one for each piece.
    /// - Returns: how many pieces were opened; only their plaintext is appended. None are if there are more or fewer nonces
    ///   than pieces.
    func openChaCha20Poly1305(
        pieces sealed: [ArraySlice<UInt8>], key: Bytes, nonces: [Bytes], appendingTo output: inout Bytes
    ) -> Int

    /// The public key of MLKEM768-X25519 (X-Wing), 1,216 bytes, of a seed of 32 bytes.
    ///
    /// - Returns: `nil` if the suite has no hybrid keys.
    func hybridPublicKey(of seed: Bytes) -> Bytes?

    /// A shared secret of 32 bytes, and its encapsulation of 1,120 bytes to a public key.
    ///
    /// - Returns: `nil` if the suite has no hybrid keys, or the public key is none.
    func hybridEncapsulate(to publicKey: Bytes) -> AgeEncapsulation?

    /// The shared secret in an encapsulation.
    ///
    /// - Returns: `nil` if the suite has no hybrid keys. A changed encapsulation gives another secret.
    func hybridDecapsulate(_ encapsulation: Bytes, seed: Bytes) -> Bytes?
}

/// What a key encapsulation gives its sender.
public struct AgeEncapsulation: Sendable {
    /// 32 bytes, which stay with the sender.
    public let sharedSecret: Bytes
    /// 1,120 bytes for the recipient.
    public let bytes: Bytes

    /// Takes both.
    public init(sharedSecret: Bytes, bytes: Bytes) {
        self.sharedSecret = sharedSecret
        self.bytes = bytes
    }
}

extension AgeCryptoSuite {
    /// By `Core`'s own HMAC.
    public func hmacSHA256(_ message: Bytes, key: Bytes) -> Bytes { HMACSHA256.authenticate(message, key: key) }

    /// By `Core`'s own arithmetic, in constant time.
    public func x25519(_ secret: Bytes, publicKey: Bytes) -> Bytes? { X25519.sharedSecret(of: secret, with: publicKey) }

    /// By `Core`'s own scrypt.
    public func scrypt(_ passphrase: Bytes, salt: Bytes, logWork: Int) -> Bytes? {
        Scrypt.derive(passphrase, salt: salt, logWork: logWork)
    }

    /// By `Core`'s own cipher, in constant time.
    public func sealChaCha20Poly1305(
        _ plaintext: ArraySlice<UInt8>, key: Bytes, nonce: Bytes, appendingTo output: inout Bytes
    ) -> Bool {
        ChaCha20Poly1305.seal(plaintext, key: key, nonce: nonce, appendingTo: &output)
    }

    /// One piece after the other.
    public func sealChaCha20Poly1305(
        pieces plaintext: ArraySlice<UInt8>, key: Bytes, nonces: [Bytes], appendingTo output: inout Bytes
    ) -> Bool {
        guard plaintext.count == nonces.count * AgeLimits.chunk else { return false }
        var rest = plaintext
        for nonce in nonces {
            let piece = rest.prefix(AgeLimits.chunk)
            guard sealChaCha20Poly1305(piece, key: key, nonce: nonce, appendingTo: &output) else { return false }
            rest = rest.dropFirst(AgeLimits.chunk)
        }
        return true
    }

    /// By `Core`'s own cipher, in constant time.
    public func openChaCha20Poly1305(
        _ sealed: ArraySlice<UInt8>, key: Bytes, nonce: Bytes, appendingTo output: inout Bytes
    ) -> Bool {
        ChaCha20Poly1305.open(sealed, key: key, nonce: nonce, appendingTo: &output)
    }

    /// One piece after the other.
    public func openChaCha20Poly1305(
        pieces sealed: [ArraySlice<UInt8>], key: Bytes, nonces: [Bytes], appendingTo output: inout Bytes
    ) -> Int {
        guard sealed.count == nonces.count else { return 0 }
        for index in sealed.indices {
            guard sealed[index].count == AgeLimits.sealedChunk,
                openChaCha20Poly1305(sealed[index], key: key, nonce: nonces[index], appendingTo: &output)
            else { return index }
        }
        return sealed.count
    }

    /// `nil`: `Core` has no ML-KEM.
    public func hybridPublicKey(of seed: Bytes) -> Bytes? { nil }
    /// `nil`: `Core` has no ML-KEM.
    public func hybridEncapsulate(to publicKey: Bytes) -> AgeEncapsulation? { nil }
    /// `nil`: `Core` has no ML-KEM.
    public func hybridDecapsulate(_ encapsulation: Bytes, seed: Bytes) -> Bytes? { nil }
}

extension AgeCryptoSuite {
    /// Random bytes, of which there are certainly as many as asked for.
    func fresh(_ count: Int) throws(AgeError) -> Bytes {
        let bytes = randomBytes(count)
        guard bytes.count == count else { throw .suiteFailed }
        return bytes
    }

    /// HKDF with SHA-256 (RFC 5869), the first 32 bytes.
    func derive(_ secret: Bytes, salt: Bytes, info: Bytes) -> Bytes {
        hmacSHA256(info + [1], key: hmacSHA256(secret, key: salt))
    }

    /// The file key in the body of a stanza; `nil` if the tag does not hold.
    func unwrap(_ body: Bytes, key: Bytes, nonce: Bytes = Bytes(repeating: 0, count: 12)) -> AgeFileKey? {
        var plaintext: Bytes = []
        guard openChaCha20Poly1305(body[...], key: key, nonce: nonce, appendingTo: &plaintext) else { return nil }
        defer { plaintext.wipe() }
        return AgeFileKey(plaintext)
    }

    /// The body of a stanza for the file key.
    func wrap(
        _ fileKey: AgeFileKey, key: Bytes, nonce: Bytes = Bytes(repeating: 0, count: 12)
    ) throws(AgeError) -> Bytes {
        var plaintext = fileKey.bytes
        defer { plaintext.wipe() }
        var body: Bytes = []
        guard sealChaCha20Poly1305(plaintext[...], key: key, nonce: nonce, appendingTo: &body) else {
            throw .suiteFailed
        }
        return body
    }
}
