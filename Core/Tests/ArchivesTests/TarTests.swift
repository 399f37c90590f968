import Encodings
import Testing

@testable import Archives

@Suite("Tar archives")
struct TarTests {
    private func content(_ count: Int) -> Bytes { (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 7) } }

    @Test("What is packed is unpacked, in whatever pieces it comes", arguments: [1, 100, 511, 512, 513, 65_536])
    func roundTrip(pieces: Int) throws {
        var entries = [try Unpacked.folder("papers")]
        for (index, count) in [0, 1, 511, 512, 513, 1_024, 5_000].enumerated() {
            entries.append(try .file("papers/\(index).pdf", content(count), modified: Int64(index)))
        }
        entries.append(try .file("Ω/Übergrößenträger/शैक्षिक प्रमाणपत्र.pdf", [1]))
        #expect(try unpack(pack(entries, pieces: pieces), pieces: pieces) == entries)
    }

    @Test("Paths of every length are written, as plain ustar where it can")
    func lengths() throws {
        for length in [1, 99, 100, 101, 155, 156, 200, 254, 255, 256, 257, 300, 4_000] {
            // Names of 70 with slashes between them: up to 242 the last slash but one is where both fields can be split.
            let text = String((0..<length).map { $0 % 71 == 70 && $0 < length - 1 ? "/" : "n" })
            let entries = [try Unpacked.file(text, [7]), try .folder(text)]
            let archive = try pack(entries)
            #expect(try unpack(archive) == entries)
            #expect((archive[156] == 0x78) == (length > 242), "of \(length)")
        }
        for text in [
            String(repeating: "n", count: 101), String(repeating: "n", count: 156) + "/a",
            "a/" + String(repeating: "n", count: 100) + "x",
        ] {
            #expect(try unpack(pack([.file(text, [])])) == [.file(text, [])])
            #expect(try pack([.file(text, [])])[156] == 0x78)
        }
    }

    @Test("Times before 1970 and after 2242, and files from 8 GiB on, have extended headers")
    func extended() throws {
        for modified in [-1, -1_000_000, 0, 8_589_934_591, 8_589_934_592, 99_999_999_999] as [Int64] {
            let entries = [try Unpacked.file("a", [1], modified: modified)]
            #expect(try unpack(pack(entries)) == entries)
        }
        for length in [8_589_934_591, 8_589_934_592, 1 << 40] as [Int64] {
            let entry = ArchiveEntry(path: try ArchivePath("a"), kind: .file(length: length), modified: 0)
            var (writer, reader, archive) = (TarWriter(), TarReader(), Bytes())
            try writer.begin(entry, appendingTo: &archive)
            reader.feed(archive)
            #expect(try reader.next() == .entry(entry))
            #expect(refusal { try reader.finish() } == .truncated)
            #expect(refusal { try writer.finish(appendingTo: &archive) } == .wrongLength)
        }
    }

    @Test("A writer takes as much content as was said, once, and nothing after the end")
    func lengthsOfContent() throws {
        var (writer, archive) = (TarWriter(), Bytes())
        let entry = try Unpacked.file("a", [1, 2]).entry
        #expect(refusal { try writer.write([1], appendingTo: &archive) } == .wrongLength)
        try writer.begin(entry, appendingTo: &archive)
        #expect(refusal { try writer.begin(entry, appendingTo: &archive) } == .wrongLength)
        #expect(refusal { try writer.write([1, 2, 3], appendingTo: &archive) } == .wrongLength)
        try writer.write([1], appendingTo: &archive)
        #expect(refusal { try writer.finish(appendingTo: &archive) } == .wrongLength)
        try writer.write([2], appendingTo: &archive)
        try writer.finish(appendingTo: &archive)
        #expect(refusal { try writer.finish(appendingTo: &archive) } == .finished)
        #expect(refusal { try writer.begin(entry, appendingTo: &archive) } == .finished)
        let late = ArchiveEntry(path: entry.path, kind: .folder, modified: .max)
        let negative = ArchiveEntry(path: entry.path, kind: .file(length: -1), modified: 0)
        for wrong in [late, negative] {
            var writer = TarWriter()
            #expect(refusal { try writer.begin(wrong, appendingTo: &archive) } == .outOfRange)
        }
    }

    @Test("No shortened archive is taken for a whole one")
    func cuts() throws {
        let archive = try pack([.file("a", content(700)), .file("Ω", [1])])
        for count in archive.indices.dropLast(1) where count % 37 == 0 || count % 512 < 2 {
            #expect(refusal { try unpack(Array(archive[..<count])) } == .truncated, "after \(count)")
        }
        #expect(try unpack(archive + Bytes(repeating: 0, count: 9_000)).count == 2)
        #expect(refusal { try unpack(archive + [0, 0, 1]) } == .trailingBytes)
    }

    @Test("A changed header is refused")
    func changed() throws {
        let archive = try pack([.file("name", [1])])
        for index in 0..<512 where index != 156 {
            var changed = archive
            changed[index] ^= 1
            #expect(throws: ArchiveError.self, "byte \(index)") { try unpack(changed) }
        }
    }

    @Test("Content is given out of the fed bytes, and what is fed early waits")
    func events() throws {
        let archive = try pack([.file("a", content(1_000)), .folder("b")])
        var reader = TarReader()
        reader.feed(Array(archive[..<600]))
        reader.feed(Array(archive[600...]))
        let first = try Unpacked.file("a", content(1_000))
        #expect(try reader.next() == .entry(first.entry))
        #expect(try reader.next() == .content(content(1_000)[...]))
        #expect(try reader.next() == .entry(Unpacked.folder("b").entry))
        #expect(try reader.next() == nil)
        try reader.finish()
    }
}
