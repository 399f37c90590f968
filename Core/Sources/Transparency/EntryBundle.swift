public import Encodings

/// A file of entries, each behind its length in two big-endian bytes (C2SP tlog-tiles, "Log entries").
public enum EntryBundle {
    /// The longest entry that the form can carry, in bytes.
    public static let maximumEntryLength = 65_535

    /// Writes entries one behind the other.
    ///
    /// - Throws: `tooLarge` for an entry longer than 65,535 bytes.
    public static func encode(_ entries: [Bytes]) throws(TransparencyError) -> Bytes {
        var bundle: Bytes = []
        for entry in entries { try append(entry, to: &bundle) }
        return bundle
    }

    static func append(_ entry: Bytes, to bundle: inout Bytes) throws(TransparencyError) {
        guard entry.count <= maximumEntryLength else { throw .tooLarge }
        bundle.append(UInt8(entry.count >> 8))
        bundle.append(UInt8(entry.count & 255))
        bundle.append(contentsOf: entry)
    }

    /// Reads a bundle of exactly `width` entries.
    ///
    /// - Throws: `malformedBundle` when it ends early, goes on, or has another number of entries.
    public static func parse(_ bundle: Bytes, width: Int) throws(TransparencyError) -> [Bytes] {
        var entries: [Bytes] = []
        var offset = 0
        while offset < bundle.count {
            guard entries.count < width, bundle.count - offset >= 2 else { throw .malformedBundle }
            let length = Int(bundle[offset]) << 8 | Int(bundle[offset + 1])
            offset += 2
            guard bundle.count - offset >= length else { throw .malformedBundle }
            entries.append(Array(bundle[offset..<offset + length]))
            offset += length
        }
        guard entries.count == width else { throw .malformedBundle }
        return entries
    }
}
