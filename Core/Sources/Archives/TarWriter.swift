public import Encodings

/// Writes a tar archive (POSIX ustar, with extended headers where a path or number needs one) in constant memory.
///
/// Every program that knows tar opens it. It says who owns nothing: files are for their owner alone once unpacked.
public struct TarWriter: Sendable {
    /// What is missing of the current file.
    private var missing: Int64 = 0
    private var padding = 0
    private var isFinished = false

    /// An archive without entries.
    public init() {}

    /// Appends the header of an entry; `write` gives the content of a file.
    ///
    /// - Throws: `wrongLength` if the file before is not complete, `outOfRange`, `finished`.
    public mutating func begin(_ entry: ArchiveEntry, appendingTo archive: inout Bytes) throws(ArchiveError) {
        guard !isFinished else { throw .finished }
        guard missing == 0 else { throw .wrongLength }
        guard entry.length >= 0, -ArchiveLimits.time...ArchiveLimits.time ~= entry.modified else { throw .outOfRange }
        var path = entry.path.text
        if case .folder = entry.kind { path.append(ArchivePath.slash) }
        var records: Bytes = []
        let fields = Self.fields(for: path)
        if fields == nil { records += Self.record("path", path) }
        if entry.length > TarHeader.highestOctal {
            records += Self.record("size", decimalBytes(UInt64(entry.length)))
        }
        let hasOctalTime = 0...TarHeader.highestOctal ~= entry.modified
        if !hasOctalTime { records += Self.record("mtime", Self.decimal(entry.modified)) }
        let modified = hasOctalTime ? entry.modified : 0
        if !records.isEmpty { appendExtension(records, modified: modified, to: &archive) }
        let (prefix, name) = fields ?? ([], Bytes(text: "extended"))
        let isFolder = entry.kind == .folder
        archive += Self.block(
            prefix, name, type: isFolder ? 0x35 : 0x30, mode: isFolder ? 0o700 : 0o600,
            size: entry.length > TarHeader.highestOctal ? 0 : entry.length, modified: modified)
        missing = entry.length
        padding = TarHeader.padding(after: entry.length)
    }

    /// Appends content of the file that was begun last.
    ///
    /// - Throws: `wrongLength` if it is more than the entry said.
    public mutating func write(_ content: Bytes, appendingTo archive: inout Bytes) throws(ArchiveError) {
        guard Int64(content.count) <= missing else { throw .wrongLength }
        archive += content
        missing -= Int64(content.count)
        guard missing == 0 else { return }
        archive += Bytes(repeating: 0, count: padding)
        padding = 0
    }

    /// Appends the end mark.
    ///
    /// - Throws: `wrongLength` if the last file is not complete, `finished`.
    public mutating func finish(appendingTo archive: inout Bytes) throws(ArchiveError) {
        guard !isFinished else { throw .finished }
        guard missing == 0 else { throw .wrongLength }
        isFinished = true
        archive += Bytes(repeating: 0, count: 2 * ArchiveLimits.block)
    }

    /// An extended header (POSIX, "pax Extended Header") for the entry that follows.
    private func appendExtension(_ records: Bytes, modified: Int64, to archive: inout Bytes) {
        archive += Self.block(
            [], Bytes(text: "extension"), type: 0x78, mode: 0o600, size: Int64(records.count), modified: modified)
        archive += records + Bytes(repeating: 0, count: TarHeader.padding(after: Int64(records.count)))
    }

    /// Length, key and value; the length counts its own digits.
    private static func record(_ key: String, _ value: Bytes) -> Bytes {
        let rest = [0x20] + Bytes(text: key) + [0x3D] + value + [0x0A]
        var length = decimalBytes(UInt64(rest.count))
        while length.count + rest.count != Int(parseDecimal(length) ?? 0) {
            length = decimalBytes(UInt64(length.count + rest.count))
        }
        return length + rest
    }

    private static func decimal(_ value: Int64) -> Bytes {
        value < 0 ? [0x2D] + decimalBytes(value.magnitude) : decimalBytes(UInt64(value))
    }

    /// Both fields of a path that ustar can say: in ASCII, and split at a slash if it is long.
    private static func fields(for path: Bytes) -> (prefix: Bytes, name: Bytes)? {
        guard path.allSatisfy({ $0 < 0x80 }) else { return nil }
        if path.count <= TarHeader.name.count { return ([], path) }
        // The first place that leaves a name that fits; a later one has a longer prefix.
        let earliest = path.count - TarHeader.name.count - 1
        guard earliest <= TarHeader.prefix.count,
            let slash = path[earliest...].firstIndex(of: ArchivePath.slash), slash > 0,
            slash <= TarHeader.prefix.count, slash < path.count - 1
        else { return nil }
        return (Array(path[..<slash]), Array(path[(slash + 1)...]))
    }

    private static func block(
        _ prefix: Bytes, _ name: Bytes, type: UInt8, mode: Int64, size: Int64, modified: Int64
    ) -> Bytes {
        var block = Bytes(repeating: 0, count: ArchiveLimits.block)
        func put(_ field: Range<Int>, _ bytes: Bytes) {
            block.replaceSubrange(field.lowerBound..<field.lowerBound + bytes.count, with: bytes)
        }
        put(TarHeader.name, name)
        put(TarHeader.mode, TarHeader.octal(mode, count: 8))
        put(TarHeader.owner, TarHeader.octal(0, count: 8))
        put(TarHeader.group, TarHeader.octal(0, count: 8))
        put(TarHeader.size, TarHeader.octal(size, count: 12))
        put(TarHeader.modified, TarHeader.octal(modified, count: 12))
        block[TarHeader.type] = type
        put(TarHeader.magic, TarHeader.posix)
        put(TarHeader.prefix, prefix)
        put(TarHeader.checksum, TarHeader.octal(TarHeader.sum(block), count: 7) + [0x20])
        return block
    }
}
