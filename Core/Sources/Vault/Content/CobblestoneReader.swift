import EllipticCurves
public import Encodings

/// Opens any part of a message whose ciphertext lies somewhere else.
///
/// It says which bytes of the ciphertext it needs and opens them. The length is what the keeper of the ciphertext says,
/// until the last chunk was opened: `open` a range that reaches the end, or call `authenticateLength`.
public struct CobblestoneReader<Suite: VaultCryptoSuite>: Sendable {
    /// The length of the message in bytes.
    public let length: UInt64
    private let sealedLength: UInt64
    private let key: CobblestoneKey
    private let suite: Suite

    /// Begins with the first 56 bytes of the ciphertext.
    ///
    /// - Parameters:
    ///   - header: salt and commitment.
    ///   - sealedLength: how long the ciphertext is.
    /// - Throws: `cannotOpen` for another key or context, `truncated` if no message has such a ciphertext.
    public init(
        key: Bytes, context: Bytes, header: Bytes, sealedLength: UInt64, suite: Suite
    ) throws(VaultError) {
        length = try Cobblestone.messageLength(ofSealed: sealedLength)
        self.key = try Self.key(VaultSecret(key), context: context, header: header, suite: suite)
        self.sealedLength = sealedLength
        self.suite = suite
    }

    /// The part of the ciphertext that holds a part of the message: whole chunks.
    ///
    /// - Throws: `outOfRange` for a range that is not in the message.
    public func sealedRange(of range: Range<UInt64>) throws(VaultError) -> Range<UInt64> {
        guard range.upperBound <= length else { throw .outOfRange }
        let first = range.lowerBound / UInt64(Cobblestone.chunk)
        let last = range.isEmpty ? first : (range.upperBound - 1) / UInt64(Cobblestone.chunk)
        return offset(first)..<min(offset(last + 1), sealedLength)
    }

    /// Opens a part of the message.
    ///
    /// - Parameter sealed: the bytes that `sealedRange` names for this range.
    /// - Throws: `malformed` for another number of bytes, `cannotOpen` if they were changed.
    public func open(_ range: Range<UInt64>, sealed: Bytes) throws(VaultError) -> Bytes {
        let place = try sealedRange(of: range)
        guard UInt64(sealed.count) == place.upperBound - place.lowerBound else { throw .malformed }
        var chunk = range.lowerBound / UInt64(Cobblestone.chunk)
        let start = Int(range.lowerBound - chunk * UInt64(Cobblestone.chunk))
        var message: Bytes = []
        message.reserveCapacity(sealed.count)
        var rest = sealed[...]
        while !rest.isEmpty {
            let part = rest.prefix(Cobblestone.sealedChunk)
            try key.open(part, chunk: chunk, into: &message, suite: suite)
            rest = rest.dropFirst(part.count)
            chunk += 1
        }
        return Array(message[start..<start + Int(range.upperBound - range.lowerBound)])
    }

    /// The part of the ciphertext that proves the length: the last chunk.
    public var lastChunk: Range<UInt64> { offset(length / UInt64(Cobblestone.chunk))..<sealedLength }

    /// Checks that the message has the length that it is said to have.
    ///
    /// - Parameter sealed: the bytes of `lastChunk`.
    /// - Throws: `malformed` for another number of bytes, `cannotOpen` if the message is longer or shorter.
    public func authenticateLength(_ sealed: Bytes) throws(VaultError) {
        guard UInt64(sealed.count) == lastChunk.upperBound - lastChunk.lowerBound else { throw .malformed }
        var message: Bytes = []
        try key.open(sealed[...], chunk: length / UInt64(Cobblestone.chunk), into: &message, suite: suite)
        message.wipe()
    }

    private func offset(_ chunk: UInt64) -> UInt64 {
        UInt64(Cobblestone.header) + chunk * UInt64(Cobblestone.sealedChunk)
    }

    /// The keys of a message, once its commitment was checked.
    static func key(
        _ inputKey: VaultSecret, context: Bytes, header: Bytes, suite: Suite
    ) throws(VaultError) -> CobblestoneKey {
        guard header.count == Cobblestone.header else { throw .truncated }
        let key = try CobblestoneKey(
            inputKey.bytes, salt: Array(header[..<Cobblestone.salt]), context: context, suite: suite)
        guard key.commitment.equalsInConstantTime(Array(header[Cobblestone.salt...])) else { throw .cannotOpen }
        return key
    }
}
