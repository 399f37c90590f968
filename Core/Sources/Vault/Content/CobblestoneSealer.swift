import EllipticCurves
public import Encodings

/// Seals a message of any length piece by piece, in constant memory.
public struct CobblestoneSealer<Suite: VaultCryptoSuite>: Sendable {
    /// The first 56 bytes of the ciphertext: salt and commitment.
    public let header: Bytes
    private let key: CobblestoneKey
    private let suite: Suite
    private var waiting: Bytes = []
    private var chunk: UInt64 = 0
    private var isFinished = false

    /// Begins a message.
    ///
    /// - Parameters:
    ///   - key: 32 random bytes.
    ///   - context: what the message belongs to; the reader needs the same.
    ///   - salt: 24 bytes that never come twice with the same key; without it they are random.
    /// - Throws: `malformed` for another length of key or salt.
    public init(key: Bytes, context: Bytes, salt: Bytes? = nil, suite: Suite) throws(VaultError) {
        let salt = if let salt { salt } else { try suite.fresh(Cobblestone.salt) }
        self.key = try CobblestoneKey(key, salt: salt, context: context, suite: suite)
        self.suite = suite
        header = salt + self.key.commitment
    }

    /// Seals some more bytes, and appends every chunk that became full.
    ///
    /// - Throws: `finished` after the end or an error, `outOfRange` beyond 4 PiB.
    public mutating func update(_ bytes: ArraySlice<UInt8>, into output: inout Bytes) throws(VaultError) {
        guard !isFinished else { throw .finished }
        isFinished = true
        var rest = bytes
        if !waiting.isEmpty {
            let taken = min(Cobblestone.chunk - waiting.count, rest.count)
            waiting.append(contentsOf: rest.prefix(taken))
            rest = rest.dropFirst(taken)
            if waiting.count == Cobblestone.chunk {
                try seal(waiting[...], into: &output)
                waiting.removeAll(keepingCapacity: true)
            }
        }
        while rest.count >= Cobblestone.chunk {
            try seal(rest.prefix(Cobblestone.chunk), into: &output)
            rest = rest.dropFirst(Cobblestone.chunk)
        }
        waiting.append(contentsOf: rest)
        isFinished = false
    }

    /// Appends the last chunk.
    public mutating func finish(into output: inout Bytes) throws(VaultError) {
        guard !isFinished else { throw .finished }
        isFinished = true
        try seal(waiting[...], into: &output)
        waiting.wipe()
        waiting = []
    }

    private mutating func seal(_ message: ArraySlice<UInt8>, into output: inout Bytes) throws(VaultError) {
        try key.seal(message, chunk: chunk, into: &output, suite: suite)
        chunk += 1
    }
}
