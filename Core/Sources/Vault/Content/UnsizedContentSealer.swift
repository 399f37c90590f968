public import Encodings

/// Seals content whose length nobody knows yet, such as what comes through a pipe.
///
/// The ciphertext is the one that `ContentSealer` would make: the length decides the padding at the end, and nothing before.
public struct UnsizedContentSealer<Suite: VaultCryptoSuite>: Sendable {
    /// The first 56 bytes of the ciphertext, which come before what `update` and `finish` append.
    public var header: Bytes { sealer.header }
    private let begun: OpenedVersion
    private var sealer: CobblestoneSealer<Suite>
    private var size: UInt64 = 0
    private var padding: UInt64?

    /// Begins the first version of a node, or another one.
    ///
    /// - Parameter now: in milliseconds since 1970.
    public init(of node: NodeID, in compartment: Compartment, now: Int64, suite: Suite) throws(VaultError) {
        begun = try compartment.newVersion(of: node, size: 0, now: now, suite: suite)
        sealer = try CobblestoneSealer(key: begun.key.bytes, context: begun.context, suite: suite)
    }

    /// Seals some more bytes, and appends every chunk that became full.
    ///
    /// - Throws: `finished` after `finish` was called, `outOfRange` for more than a version may have.
    public mutating func update(_ bytes: ArraySlice<UInt8>, into output: inout Bytes) throws(VaultError) {
        guard padding == nil else { throw .finished }
        size += UInt64(bytes.count)
        guard size <= UInt64(JSON.safeInteger) / 2 else { throw .outOfRange }
        try sealer.update(bytes, into: &output)
    }

    /// Appends some of the end, at most 256 KiB; call it until it answers with the version.
    public mutating func finish(into output: inout Bytes) throws(VaultError) -> OpenedVersion? {
        var left = padding ?? Padme.length(of: size) - size
        let piece = min(left, 256 << 10)
        try sealer.update(Bytes(repeating: 0, count: Int(piece))[...], into: &output)
        left -= piece
        padding = left
        guard left == 0 else { return nil }
        try sealer.finish(into: &output)
        return OpenedVersion(
            id: begun.id, node: begun.node, size: size, created: begun.created, key: begun.key, home: begun.home)
    }
}
