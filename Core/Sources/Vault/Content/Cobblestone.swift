import EllipticCurves
import Encodings

/// Cobblestone-256: C2SP chunked-encryption with AES-256-GCM and SHA-512 (c2sp.org/chunked-encryption).
///
/// The ciphertext is a salt of 24 bytes, a commitment of 32 bytes, and chunks. Each chunk holds 16 KiB of the message and
/// a tag of 16 bytes; the last one is shorter and may be empty. Chunks can be opened in any order.
public enum Cobblestone {
    /// The message bytes of every chunk but the last.
    public static let chunk = 16_384
    /// The bytes of a sealed chunk that is not the last.
    public static let sealedChunk = chunk + tag
    /// The bytes of salt and commitment.
    public static let header = salt + commitment
    /// The most chunks of a message.
    public static let maximumChunks: UInt64 = 1 << 38
    static let salt = 24
    static let commitment = 32
    static let tag = 16

    /// How long the ciphertext of a message is.
    ///
    /// - Parameter length: of the message in bytes, below 2^52.
    public static func sealedLength(of length: UInt64) -> UInt64 {
        UInt64(header) + length + (length / UInt64(chunk) + 1) * UInt64(tag)
    }

    /// How long the message of a ciphertext is.
    ///
    /// - Throws: `truncated` if no message has a ciphertext of this length, `outOfRange` for more than 2^38 chunks.
    public static func messageLength(ofSealed length: UInt64) throws(VaultError) -> UInt64 {
        guard length >= UInt64(header + tag) else { throw .truncated }
        let body = length - UInt64(header)
        let whole = body / UInt64(sealedChunk)
        let rest = body % UInt64(sealedChunk)
        guard rest >= UInt64(tag) else { throw .truncated }
        guard whole < maximumChunks else { throw .outOfRange }
        return whole * UInt64(chunk) + rest - UInt64(tag)
    }
}

/// What is derived for one message: its key, base nonce and commitment.
struct CobblestoneKey: Sendable {
    let key: VaultSecret
    private let baseNonce: Bytes
    let commitment: Bytes

    /// - Parameters:
    ///   - inputKey: 32 bytes.
    ///   - salt: 24 bytes.
    init<Suite: VaultCryptoSuite>(_ inputKey: Bytes, salt: Bytes, context: Bytes, suite: Suite) throws(VaultError) {
        guard inputKey.count == VaultSecret.byteCount, salt.count == Cobblestone.salt else { throw .malformed }
        let info = Bytes(text: "c2sp.org/chunked-encryption@v1+AEAD_AES_256_GCM") + [0] + salt + context
        var output = suite.expandSHA512(inputKey, info: info, count: 32 + 12 + Cobblestone.commitment)
        defer { output.wipe() }
        guard output.count == 76 else { throw .suiteFailed }
        key = try VaultSecret(Array(output[..<32]))
        baseNonce = Array(output[32..<44])
        commitment = Array(output[44...])
    }

    /// The base nonce, whose last five bytes are combined with the number of the chunk.
    func nonce(_ chunk: UInt64) throws(VaultError) -> Bytes {
        guard chunk < Cobblestone.maximumChunks else { throw .outOfRange }
        var nonce = baseNonce
        for place in 0..<5 { nonce[11 - place] ^= UInt8(truncatingIfNeeded: chunk >> UInt64(8 * place)) }
        return nonce
    }

    func seal<Suite: VaultCryptoSuite>(
        _ message: ArraySlice<UInt8>, chunk: UInt64, into output: inout Bytes, suite: Suite
    ) throws(VaultError) {
        let nonce = try nonce(chunk)
        guard
            suite.sealAES256GCM(message, key: key.bytes, nonce: nonce, additionalData: [], appendingTo: &output)
        else { throw .suiteFailed }
    }

    func open<Suite: VaultCryptoSuite>(
        _ sealed: ArraySlice<UInt8>, chunk: UInt64, into output: inout Bytes, suite: Suite
    ) throws(VaultError) {
        let nonce = try nonce(chunk)
        guard
            suite.openAES256GCM(sealed, key: key.bytes, nonce: nonce, additionalData: [], appendingTo: &output)
        else { throw .cannotOpen }
    }
}
