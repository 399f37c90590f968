import EllipticCurves
import Encodings

/// Seals content in pieces of 64 KiB (c2sp.org/age, "Payload"), in constant memory.
struct AgePayloadSealer<Suite: AgeCryptoSuite>: Sendable {
    private let key: SecretBytes
    private let suite: Suite
    private var chunk = AgeChunkNonce()
    /// What is not sealed yet: at most a chunk, because only what follows says whether it is the last.
    private var held: Bytes = []

    init(key: SecretBytes, suite: Suite) {
        self.key = key
        self.suite = suite
    }

    mutating func seal(_ plaintext: Bytes, appendingTo output: inout Bytes) throws(AgeError) {
        guard !plaintext.isEmpty else { return }
        guard !held.isEmpty || plaintext.count > AgeLimits.chunk else {
            // Shared with the caller, not copied.
            held = plaintext
            return
        }
        var start = 0
        if !held.isEmpty {
            start = min(AgeLimits.chunk - held.count, plaintext.count)
            if start > 0 { held += plaintext[..<start] }
            guard start < plaintext.count else { return }
            try append(held[...], isLast: false, to: &output)
            held.removeAll()
        }
        // Whole ones that something follows; at least a byte is held back.
        let whole = max(0, plaintext.count - start - 1) / AgeLimits.chunk
        if whole > 0 {
            let end = start + whole * AgeLimits.chunk
            try append(pieces: plaintext[start..<end], whole, to: &output)
            start = end
        }
        held = Array(plaintext[start...])
    }

    mutating func finish(appendingTo output: inout Bytes) throws(AgeError) {
        try append(held[...], isLast: true, to: &output)
        held.removeAll()
    }

    private mutating func append(
        _ plaintext: ArraySlice<UInt8>, isLast: Bool, to output: inout Bytes
    ) throws(AgeError) {
        var bytes = key.bytes
        defer { bytes.wipe() }
        let nonce = chunk.next(isLast: isLast)
        guard suite.sealChaCha20Poly1305(plaintext, key: bytes, nonce: nonce, appendingTo: &output) else {
            throw .suiteFailed
        }
    }

    private mutating func append(
        pieces: ArraySlice<UInt8>, _ count: Int, to output: inout Bytes
    ) throws(AgeError) {
        var bytes = key.bytes
        defer { bytes.wipe() }
        var nonces: [Bytes] = []
        for _ in 0..<count { nonces.append(chunk.next(isLast: false)) }
        guard suite.sealChaCha20Poly1305(pieces: pieces, key: bytes, nonces: nonces, appendingTo: &output) else {
            throw .suiteFailed
        }
    }
}

/// The nonces of the chunks: a counter of 11 bytes, and whether it is the last.
struct AgeChunkNonce: Sendable {
    private(set) var number: UInt64 = 0

    /// The nonce of this chunk; the next call gives that of the next.
    mutating func next(isLast: Bool) -> Bytes {
        defer { number += 1 }
        return nonce(isLast: isLast)
    }

    /// The nonce of this chunk.
    func nonce(isLast: Bool) -> Bytes { [0, 0, 0] + bigEndianBytes(number) + [isLast ? 1 : 0] }
}
