public import Encodings

/// Opens a message piece by piece as its ciphertext comes, in constant memory.
///
/// Every byte that comes out was authenticated. The message is whole only when `finish` has succeeded: until then it may
/// have been cut between two chunks. After an error the opener answers nothing more.
public struct CobblestoneOpener<Suite: VaultCryptoSuite>: Sendable {
    private let inputKey: VaultSecret
    private let context: Bytes
    private let suite: Suite
    private var key: CobblestoneKey?
    private var waiting: Bytes = []
    private var chunk: UInt64 = 0
    private var isFinished = false

    /// Begins a message.
    ///
    /// - Throws: `malformed` unless the key has 32 bytes.
    public init(key: Bytes, context: Bytes, suite: Suite) throws(VaultError) {
        inputKey = try VaultSecret(key)
        self.context = context
        self.suite = suite
    }

    /// Takes some more ciphertext, and appends the message of every chunk that became whole.
    ///
    /// - Throws: `cannotOpen` for another key, another context or a changed chunk; `finished` after an error.
    public mutating func update(_ bytes: ArraySlice<UInt8>, into output: inout Bytes) throws(VaultError) {
        guard !isFinished else { throw .finished }
        isFinished = true
        var rest = bytes
        if key == nil {
            rest = fill(to: Cobblestone.header, from: rest)
            guard waiting.count == Cobblestone.header else {
                isFinished = false
                return
            }
            key = try CobblestoneReader.key(inputKey, context: context, header: waiting, suite: suite)
            waiting = []
        }
        if !waiting.isEmpty {
            rest = fill(to: Cobblestone.sealedChunk, from: rest)
            if waiting.count == Cobblestone.sealedChunk {
                try open(waiting[...], into: &output)
                waiting.removeAll(keepingCapacity: true)
            }
        }
        while rest.count >= Cobblestone.sealedChunk {
            try open(rest.prefix(Cobblestone.sealedChunk), into: &output)
            rest = rest.dropFirst(Cobblestone.sealedChunk)
        }
        waiting.append(contentsOf: rest)
        isFinished = false
    }

    /// Opens the last chunk.
    ///
    /// - Throws: `truncated` if the ciphertext ends before it, `cannotOpen` if it was changed.
    public mutating func finish(into output: inout Bytes) throws(VaultError) {
        guard !isFinished else { throw .finished }
        isFinished = true
        guard key != nil, waiting.count >= Cobblestone.tag else { throw .truncated }
        try open(waiting[...], into: &output)
    }

    /// Completes what waits for more bytes; the rest is returned.
    private mutating func fill(to count: Int, from bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        let taken = min(count - waiting.count, bytes.count)
        waiting.append(contentsOf: bytes.prefix(taken))
        return bytes.dropFirst(taken)
    }

    private mutating func open(_ sealed: ArraySlice<UInt8>, into output: inout Bytes) throws(VaultError) {
        guard let key else { throw .truncated }
        try key.open(sealed, chunk: chunk, into: &output, suite: suite)
        chunk += 1
    }
}
