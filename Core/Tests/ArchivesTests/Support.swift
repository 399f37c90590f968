import Archives
import Encodings

extension ArchivePath {
    /// A path of text with slashes.
    init(_ text: String) throws { self = try ArchivePath(Bytes(text: text).split(at: 0x2F)) }
}

extension Bytes {
    /// The bytes in pieces of this length.
    func pieces(of length: Int) -> [Bytes] {
        stride(from: 0, to: count, by: length).map { Array(self[$0..<Swift.min($0 + length, count)]) }
    }
}

/// An entry and its content.
struct Unpacked: Equatable {
    let entry: ArchiveEntry
    var content: Bytes = []

    init(_ entry: ArchiveEntry, _ content: Bytes = []) {
        self.entry = entry
        self.content = content
    }

    static func file(_ path: String, _ content: Bytes, modified: Int64 = 1_700_000_000) throws -> Unpacked {
        let kind = ArchiveEntry.Kind.file(length: Int64(content.count))
        return Unpacked(ArchiveEntry(path: try ArchivePath(path), kind: kind, modified: modified), content)
    }

    static func folder(_ path: String, modified: Int64 = 1_700_000_000) throws -> Unpacked {
        Unpacked(ArchiveEntry(path: try ArchivePath(path), kind: .folder, modified: modified))
    }
}

func pack(_ entries: [Unpacked], pieces: Int = 1_000) throws -> Bytes {
    var (writer, archive) = (TarWriter(), Bytes())
    for one in entries {
        try writer.begin(one.entry, appendingTo: &archive)
        for piece in one.content.pieces(of: pieces) { try writer.write(piece, appendingTo: &archive) }
    }
    try writer.finish(appendingTo: &archive)
    return archive
}

func unpack(_ archive: Bytes, pieces: Int = 65_536) throws -> [Unpacked] {
    var (reader, entries) = (TarReader(), [Unpacked]())
    for piece in archive.pieces(of: pieces) {
        reader.feed(piece)
        while let event = try reader.next() {
            switch event {
            case .entry(let entry): entries.append(Unpacked(entry))
            case .content(let content): entries[entries.count - 1].content += content
            }
        }
    }
    try reader.finish()
    return entries
}

/// The error of ours that a call throws; `nil` if it throws none.
func refusal<Value>(_ body: () throws -> Value) -> ArchiveError? {
    do {
        _ = try body()
        return nil
    } catch {
        return error as? ArchiveError
    }
}

/// A header as other programs write it, with anything in it; then content, and what fills its last block.
struct RawEntry {
    var name: Bytes
    var type: UInt8 = 0x30
    var magic = Bytes(text: "ustar\u{0}00")
    var prefix: Bytes = []
    var size: Bytes?
    var modified = Bytes(text: "14312321400\u{0}")
    var content: Bytes = []

    init(_ name: String, type: Character = "0", content: Bytes = []) {
        self.name = Bytes(text: name)
        self.type = type.asciiValue ?? 0
        self.content = content
    }

    var bytes: Bytes {
        var block = Bytes(repeating: 0, count: 512)
        func put(_ place: Int, _ bytes: Bytes) { block.replaceSubrange(place..<place + bytes.count, with: bytes) }
        put(0, name)
        put(124, size ?? Bytes(text: String(content.count, radix: 8)))
        put(136, modified)
        put(148, Bytes(repeating: 0x20, count: 8))
        block[156] = type
        put(257, magic)
        put(345, prefix)
        put(148, Bytes(text: String(block.reduce(0) { $0 + Int($1) }, radix: 8)) + [0])
        return block + content + Bytes(repeating: 0, count: -content.count & 511)
    }

    /// The archive of these entries.
    static func archive(_ entries: RawEntry...) -> Bytes {
        entries.flatMap(\.bytes) + Bytes(repeating: 0, count: 1_024)
    }

    /// An extended header of these records.
    static func pax(_ records: String..., type: Character = "x") -> RawEntry {
        let content = records.flatMap { record in
            var length = record.utf8.count + 3
            while "\(length) \(record)\n".utf8.count != length { length = "\(length) \(record)\n".utf8.count }
            return Bytes(text: "\(length) \(record)\n")
        }
        return RawEntry("pax", type: type, content: content)
    }
}
