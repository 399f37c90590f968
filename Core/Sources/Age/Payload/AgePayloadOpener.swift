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

    private static var sealedChunk: Int { AgeLimits.chunk + AgeLimits.tag }

    init(key: SecretBytes, suite: Suite) {
        self.key = key
        self.suite = suite
    }

    mutating func open(_ sealed: ArraySlice<UInt8>, appendingTo output: inout Bytes) throws(AgeError) {
        guard !sealed.isEmpty else { return }
        var start = sealed.startIndex
        if !held.isEmpty {
            let count = min(Self.sealedChunk - held.count, sealed.count)
            if count > 0 { held += sealed.prefix(count) }
            start += count
            guard start < sealed.endIndex else { return }
            try openInner(held[...], appendingTo: &output)
            held.removeAll(keepingCapacity: true)
        }
        while sealed.endIndex - start > Self.sealedChunk {
            try openInner(sealed[start..<start + Self.sealedChunk], appendingTo: &output)
            start += Self.sealedChunk
        }
        held += sealed[start...]
    }

    mutating func finish(appendingTo output: inout Bytes) throws(AgeError) {
        let isEmpty = held.count == AgeLimits.tag
        guard held.count >= AgeLimits.tag, !isEmpty || chunk.number == 0 else { throw .truncatedPayload }
        if append(held[...], isLast: true, to: &output) { return }
        // The chunk may be one from before the end, if it has the length of those.
        guard held.count == Self.sealedChunk, append(held[...], isLast: false, to: &output) else {
            throw .corruptPayload
        }
        throw .truncatedPayload
    }

    /// Opens a chunk that something follows.
    private mutating func openInner(_ sealed: ArraySlice<UInt8>, appendingTo output: inout Bytes) throws(AgeError) {
        if append(sealed, isLast: false, to: &output) { return _ = chunk.next(isLast: false) }
        throw append(sealed, isLast: true, to: &output) ? .trailingBytes : .corruptPayload
    }

    private func append(_ sealed: ArraySlice<UInt8>, isLast: Bool, to output: inout Bytes) -> Bool {
        var bytes = key.bytes
        defer { bytes.wipe() }
        return suite.openChaCha20Poly1305(
            sealed, key: bytes, nonce: chunk.nonce(isLast: isLast), appendingTo: &output)
    }
}
