public import Encodings

/// Seals the content of a version piece by piece, and pads it.
public struct ContentSealer<Suite: VaultCryptoSuite>: Sendable {
    /// The first 56 bytes of the ciphertext, which come before what `update` and `finish` append.
    public var header: Bytes { sealer.header }
    private var sealer: CobblestoneSealer<Suite>
    private var remaining: UInt64
    private var padding: UInt64

    init(_ version: OpenedVersion, salt: Bytes? = nil, suite: Suite) throws(VaultError) {
        sealer = try CobblestoneSealer(key: version.key.bytes, context: version.context, salt: salt, suite: suite)
        remaining = version.size
        padding = Padme.length(of: version.size) - version.size
    }

    /// Seals some more bytes, and appends every chunk that became full.
    ///
    /// - Throws: `outOfRange` for more bytes than the version has, `finished` after the end or an error.
    public mutating func update(_ bytes: ArraySlice<UInt8>, into output: inout Bytes) throws(VaultError) {
        guard UInt64(bytes.count) <= remaining else { throw .outOfRange }
        try sealer.update(bytes, into: &output)
        remaining -= UInt64(bytes.count)
    }

    /// Appends some of the end; call it until it answers `true`.
    ///
    /// The padding of a large file is long: it comes in pieces of at most 256 KiB.
    ///
    /// - Throws: `truncated` if bytes of the content are missing.
    public mutating func finish(into output: inout Bytes) throws(VaultError) -> Bool {
        guard remaining == 0 else { throw .truncated }
        let piece = min(padding, 256 << 10)
        try sealer.update(Bytes(repeating: 0, count: Int(piece))[...], into: &output)
        padding -= piece
        guard padding == 0 else { return false }
        try sealer.finish(into: &output)
        return true
    }
}

/// Opens the content of a version piece by piece, and takes the padding off.
public struct ContentOpener<Suite: VaultCryptoSuite>: Sendable {
    private var opener: CobblestoneOpener<Suite>
    private var remaining: UInt64
    private var padding: UInt64

    init(_ version: OpenedVersion, suite: Suite) throws(VaultError) {
        opener = try CobblestoneOpener(key: version.key.bytes, context: version.context, suite: suite)
        remaining = version.size
        padding = Padme.length(of: version.size) - version.size
    }

    /// Takes some more ciphertext, header included, and appends the content of every chunk that became whole.
    ///
    /// - Throws: `cannotOpen` for a changed ciphertext or that of something else; `malformed` for padding that is not zero.
    public mutating func update(_ bytes: ArraySlice<UInt8>, into output: inout Bytes) throws(VaultError) {
        let start = output.count
        try opener.update(bytes, into: &output)
        try trim(&output, from: start)
    }

    /// Opens the last chunk; only now is the content whole.
    ///
    /// - Throws: `truncated` if some of it is missing.
    public mutating func finish(into output: inout Bytes) throws(VaultError) {
        let start = output.count
        try opener.finish(into: &output)
        try trim(&output, from: start)
        guard remaining == 0, padding == 0 else { throw .truncated }
    }

    private mutating func trim(_ output: inout Bytes, from start: Int) throws(VaultError) {
        let count = UInt64(output.count - start)
        let content = min(count, remaining)
        remaining -= content
        let rest = output[(start + Int(content))...]
        guard UInt64(rest.count) <= padding, rest.allSatisfy({ $0 == 0 }) else { throw .malformed }
        padding -= UInt64(rest.count)
        output.removeLast(rest.count)
    }
}
