import Encodings

/// What extended headers say of the entry that follows them.
struct TarExtension: Sendable, Equatable {
    /// The types of headers whose content says something of other entries.
    enum Kind: UInt8 {
        /// pax, for the next entry.
        case next = 0x78
        /// pax, for all that follow.
        case all = 0x67
        /// GNU's long name.
        case longName = 0x4C
    }

    private(set) var path: Bytes?
    private(set) var size: Int64?
    private(set) var modified: Int64?

    var isEmpty: Bool { self == TarExtension() }

    /// Takes the content of an extended header.
    mutating func read(_ content: Bytes, as kind: Kind) throws(ArchiveError) {
        guard kind != .longName else {
            path = Array(content.prefix { $0 != 0 })
            return
        }
        var rest = content[...]
        while !rest.isEmpty {
            // The length of a record counts itself, and the line feed at the end.
            guard let space = rest.prefix(21).firstIndex(of: 0x20), let length = parseDecimal(Array(rest[..<space])),
                length <= UInt64(rest.count), length > UInt64(space - rest.startIndex + 2)
            else { throw .malformed }
            let record = rest[(space + 1)..<rest.startIndex + Int(length)]
            guard record.last == 0x0A, let equals = record.firstIndex(of: 0x3D) else { throw .malformed }
            let value = Array(record[(equals + 1)...].dropLast())
            try take(Array(record[..<equals]), value, forAll: kind == .all)
            rest = rest.dropFirst(Int(length))
        }
    }

    private mutating func take(_ key: Bytes, _ value: Bytes, forAll: Bool) throws(ArchiveError) {
        if key.starts(with: Bytes(text: "GNU.sparse.")) { throw .unsupported }
        let isOurs = ["path", "size", "mtime", "hdrcharset"].contains { key.equals(text: $0) }
        guard isOurs else { return }
        // A path for everything is a trick, and nobody writes the others.
        guard !forAll, !value.isEmpty else { throw .unsupported }
        if key.equals("path") {
            path = value
        } else if key.equals("size") {
            guard let number = parseDecimal(value), let length = Int64(exactly: number) else { throw .outOfRange }
            size = length
        } else if key.equals("mtime") {
            modified = try Self.seconds(value)
        } else if !value.equals("ISO-IR 10646 2000 UTF-8") {
            throw .unsupported
        }
    }

    /// Whole seconds of a decimal number that may have a sign and a fraction, rounded down.
    private static func seconds(_ text: Bytes) throws(ArchiveError) -> Int64 {
        let isNegative = text.first == 0x2D
        let parts = Array(text.dropFirst(isNegative ? 1 : 0)).split(at: 0x2E)
        guard parts.count <= 2, let number = parseDecimal(parts[0]), let whole = Int64(exactly: number),
            parts.count == 1 || parts[1].allSatisfy({ 0x30...0x39 ~= $0 })
        else { throw .malformed }
        let hasFraction = parts.count == 2 && parts[1].contains { $0 != 0x30 }
        return isNegative ? -whole - (hasFraction ? 1 : 0) : whole
    }
}
