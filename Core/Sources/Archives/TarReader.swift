public import Encodings

/// What a tar archive says next.
public enum TarEvent: Sendable, Equatable {
    /// A file or folder begins.
    case entry(ArchiveEntry)
    /// More of the content of the file that began last.
    case content(ArraySlice<UInt8>)
}

/// Reads a tar archive that comes in pieces of any length, in constant memory.
///
/// Takes ustar, GNU's long names and pax's extended headers. Strict: only files and folders, whose paths stay inside
/// their folder. Two entries may have the same path: the caller decides what that means.
///
/// Give it bytes with `feed`, and call `next` until it gives `nil`; when there are no more bytes, call `finish`.
public struct TarReader: Sendable {
    private enum Place {
        case header
        case content(missing: Int64, padding: Int)
        case extended(TarExtension.Kind, missing: Int, Bytes, padding: Int)
        case padding(Int)
        case end
    }

    private var place = Place.header
    private var input: ArraySlice<UInt8> = []
    /// A header that is not complete yet.
    private var block: Bytes = []
    private var pending = TarExtension()
    private var endBlocks = 0

    /// An archive of which nothing is read.
    public init() {}

    /// Gives the next bytes of the archive.
    ///
    /// They are kept, not copied, if `next` has taken all that came before.
    public mutating func feed(_ bytes: Bytes) {
        if input.isEmpty { input = bytes[...] } else { input += bytes }
    }

    /// What comes next; `nil` if that needs more bytes.
    public mutating func next() throws(ArchiveError) -> TarEvent? {
        while !input.isEmpty {
            switch place {
            case .header:
                guard let header = takeBlock() else { return nil }
                if let entry = try read(header) { return .entry(entry) }
            case .content(let missing, let padding):
                let content = take(Int(min(missing, Int64(input.count))))
                let rest = missing - Int64(content.count)
                place = rest == 0 ? .padding(padding) : .content(missing: rest, padding: padding)
                return .content(content)
            case .extended(let kind, let missing, let begun, let padding):
                let bytes = begun + take(missing)
                let rest = missing - (bytes.count - begun.count)
                place = rest == 0 ? .padding(padding) : .extended(kind, missing: rest, bytes, padding: padding)
                if rest == 0 { try pending.read(bytes, as: kind) }
            case .padding(let missing):
                let rest = missing - take(missing).count
                place = rest == 0 ? .header : .padding(rest)
            case .end:
                guard input.allSatisfy({ $0 == 0 }) else { throw .trailingBytes }
                input = []
            }
        }
        return nil
    }

    /// Says that no more bytes come.
    ///
    /// - Throws: `truncated` unless the archive is complete.
    public func finish() throws(ArchiveError) {
        guard case .end = place, input.isEmpty else { throw .truncated }
    }

    /// The next bytes, fewer if there are no more.
    private mutating func take(_ count: Int) -> ArraySlice<UInt8> {
        let part = input.prefix(count)
        input = input.dropFirst(part.count)
        return part
    }

    /// The next 512 bytes, or `nil` if they are not all there.
    private mutating func takeBlock() -> Bytes? {
        block += take(ArchiveLimits.block - block.count)
        guard block.count == ArchiveLimits.block else { return nil }
        defer { block.removeAll(keepingCapacity: true) }
        return block
    }

    /// The entry that a header begins; `nil` for one that only says something of the next, and for the end mark.
    private mutating func read(_ header: Bytes) throws(ArchiveError) -> ArchiveEntry? {
        guard !header.allSatisfy({ $0 == 0 }) else {
            // An end within what an extended header announced is none.
            guard pending.isEmpty else { throw .malformed }
            endBlocks += 1
            if endBlocks == 2 { place = .end }
            return nil
        }
        guard endBlocks == 0 else { throw .malformed }
        let magic = Array(header[TarHeader.magic])
        guard magic == TarHeader.posix || magic == TarHeader.gnu,
            try TarHeader.number(header[TarHeader.checksum]) == TarHeader.sum(header)
        else { throw .malformed }
        let size = try TarHeader.number(header[TarHeader.size])
        guard size >= 0 else { throw .outOfRange }
        if let kind = TarExtension.Kind(rawValue: header[TarHeader.type]) {
            guard size > 0, size <= ArchiveLimits.extendedHeader else { throw .pathTooLong }
            place = .extended(kind, missing: Int(size), [], padding: TarHeader.padding(after: size))
            return nil
        }
        return try entry(header, magic, size)
    }

    private mutating func entry(
        _ header: Bytes, _ magic: Bytes, _ size: Int64
    ) throws(ArchiveError) -> ArchiveEntry? {
        defer { pending = TarExtension() }
        let isFolder: Bool
        switch header[TarHeader.type] {
        case 0x30, 0: isFolder = false
        case 0x35: isFolder = true
        // A link, or the long target of one.
        case 0x31, 0x32, 0x4B: throw .link
        default: throw .unsupported
        }
        var path = TarHeader.text(header, TarHeader.name)
        let prefix = magic == TarHeader.posix ? TarHeader.text(header, TarHeader.prefix) : []
        if !prefix.isEmpty { path = prefix + [ArchivePath.slash] + path }
        let length = pending.size ?? size
        let written = try TarHeader.number(header[TarHeader.modified])
        let modified = pending.modified ?? written
        guard length >= 0, -ArchiveLimits.time...ArchiveLimits.time ~= modified else { throw .outOfRange }
        guard !isFolder || length == 0 else { throw .malformed }
        guard let safe = try ArchivePath.read(pending.path ?? path, isFolder: isFolder) else { return nil }
        if length > 0 { place = .content(missing: length, padding: TarHeader.padding(after: length)) }
        return ArchiveEntry(path: safe, kind: isFolder ? .folder : .file(length: length), modified: modified)
    }
}
