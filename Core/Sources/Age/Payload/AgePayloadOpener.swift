import EllipticCurves
import Encodings

/// Opens content in pieces of 64 KiB (c2sp.org/age, "Payload"), in constant memory.
///
/// It gives only what is authentic. That the content is whole, only `finish` says.
struct AgePayloadOpener<Suite: AgeCryptoSuite>: Sendable {
    private let key: SecretBytes
    private let suite: Suite
    private var chunk = AgeChunkNonce()
    /// What is not opened yet: at most a sealed chunk, because only what follows says whether it is the last.
    private var held: Bytes = []

    init(key: SecretBytes, suite: Suite) {
        self.key = key
        self.suite = suite
    }

    mutating func open(_ sealed: ArraySlice<UInt8>, appendingTo output: inout Bytes) throws(AgeError) {
        guard !sealed.isEmpty else { return }
        var rest = sealed
        var pieces: [ArraySlice<UInt8>] = []
        if !held.isEmpty {
            let missing = AgeLimits.sealedChunk - held.count
            held += rest.prefix(missing)
            rest = rest.dropFirst(missing)
            guard !rest.isEmpty else { return }
            pieces.append(held[...])
        }
        // Whole ones that something follows; at least a byte is held back.
        while rest.count > AgeLimits.sealedChunk {
            pieces.append(rest.prefix(AgeLimits.sealedChunk))
            rest = rest.dropFirst(AgeLimits.sealedChunk)
        }
        try openInner(pieces, appendingTo: &output)
        // They share the memory of what was held, which is used again.
        pieces.removeAll()
        held.removeAll(keepingCapacity: true)
        held += rest
    }

    mutating func finish(appendingTo output: inout Bytes) throws(AgeError) {
        let isEmpty = held.count == AgeLimits.tag
        guard held.count >= AgeLimits.tag, !isEmpty || chunk.number == 0 else { throw .truncatedPayload }
        if append(held[...], isLast: true, to: &output) { return }
        // The chunk may be one from before the end, if it has the length of those.
        guard held.count == AgeLimits.sealedChunk, append(held[...], isLast: false, to: &output) else {
            throw .corruptPayload
        }
        throw .truncatedPayload
    }

    /// Opens chunks that something follows.
    ///
    /// If one does not open, those before it are given out, and nothing of those behind it.
    private mutating func openInner(
        _ pieces: [ArraySlice<UInt8>], appendingTo output: inout Bytes
    ) throws(AgeError) {
        guard !pieces.isEmpty else { return }
        var bytes = key.bytes
        defer { bytes.wipe() }
        var (ahead, nonces): (AgeChunkNonce, [Bytes]) = (chunk, [])
        for _ in pieces { nonces.append(ahead.next(isLast: false)) }
        let count = suite.openChaCha20Poly1305(pieces: pieces, key: bytes, nonces: nonces, appendingTo: &output)
        guard count < pieces.count else { return chunk = ahead }
        for _ in 0..<count { _ = chunk.next(isLast: false) }
        throw append(pieces[count], isLast: true, to: &output) ? .trailingBytes : .corruptPayload
    }

    private func append(_ sealed: ArraySlice<UInt8>, isLast: Bool, to output: inout Bytes) -> Bool {
        var bytes = key.bytes
        defer { bytes.wipe() }
        return suite.openChaCha20Poly1305(
            sealed, key: bytes, nonce: chunk.nonce(isLast: isLast), appendingTo: &output)
    }
}
