import Archives
import Encodings
import Testing

@Suite("Hostile archives")
struct HostileArchiveTests {
    @Test(
        "No path leads out of the folder, or shows something else",
        arguments: [
            "/etc/passwd", "../a", "a/../../b", "a/..", "..", ".", "", "/", "//a", "a//b", "a/./b", "./../a", "a/",
            "./", "a\nb",
            "a\u{1B}[2Jb", "a\u{7F}", "\u{202E}fdp.exe", "a\u{85}b", "\u{2066}a", "a\u{FEFF}", "a\u{2028}b",
        ])
    func paths(path: String) {
        #expect(refusal { try unpack(RawEntry.archive(RawEntry(path, content: [1]))) } == .unsafePath)
        guard !path.isEmpty else { return }
        let pax = RawEntry.archive(.pax("path=\(path)"), RawEntry("a", content: [1]))
        #expect(refusal { try unpack(pax) } == .unsafePath)
        let long = RawEntry.archive(
            RawEntry("l", type: "L", content: Bytes(text: path) + [0]), RawEntry("a", content: [1]))
        #expect(refusal { try unpack(long) } == .unsafePath)
        #expect(refusal { try ArchivePath(path) } == .unsafePath)
    }

    @Test("Bytes that are no UTF-8, and a NUL in a pax path, are refused")
    func bytes() {
        for name in [[0xFF], [0xC0, 0xAF], [0xED, 0xA0, 0x80], [0x61, 0xE2, 0x80]] as [Bytes] {
            var entry = RawEntry("", content: [1])
            entry.name = name
            #expect(refusal { try unpack(RawEntry.archive(entry)) } == .unsafePath)
        }
        let archive = RawEntry.archive(.pax("path=a\u{0}b"), RawEntry("a"))
        #expect(refusal { try unpack(archive) } == .unsafePath)
    }

    @Test("Links are refused, in whatever form", arguments: ["1", "2", "K"] as [Character])
    func links(type: Character) {
        #expect(refusal { try unpack(RawEntry.archive(RawEntry("a", type: type))) } == .link)
    }

    @Test(
        "Devices, pipes, sparse files and unknown kinds are refused",
        arguments: ["3", "4", "5", "6", "7", "A", "D", "M", "N", "S", "V", "X", "z"] as [Character])
    func kinds(type: Character) {
        let expected: ArchiveError = type == "5" ? .malformed : .unsupported
        #expect(refusal { try unpack(RawEntry.archive(RawEntry("a", type: type, content: [1]))) } == expected)
    }

    @Test(
        "Extended headers that lie or say what nobody writes are refused",
        arguments: [
            (["path="], ArchiveError.unsupported), (["size="], .unsupported), (["size=-1"], .outOfRange),
            (["size=9223372036854775808"], .outOfRange), (["size=1a"], .outOfRange), (["mtime=x"], .malformed),
            (["mtime=1.2.3"], .malformed), (["mtime=1.-2"], .malformed), (["mtime=--1"], .malformed),
            (["mtime=100000000001"], .outOfRange), (["mtime=-100000000001"], .outOfRange),
            (["hdrcharset=BINARY"], .unsupported),
            (["GNU.sparse.major=1"], .unsupported), (["comment"], .malformed),
        ])
    func extended(records: [String], expected: ArchiveError) {
        let archive = RawEntry.archive(.pax(records[0]), RawEntry("a"))
        #expect(refusal { try unpack(archive) } == expected)
    }

    @Test(
        "Records with a wrong length are refused",
        arguments: [
            "5 a=b\n", "7 a=b\n", "x a=b\n", "6 a=b", "06 a=b\n", "2 ", "3 \n", "0 a=b\n", "99999999999999999999 a=b\n",
            "6 a=bc",
        ])
    func records(text: String) {
        let archive = RawEntry.archive(RawEntry("pax", type: "x", content: Bytes(text: text)), RawEntry("a"))
        #expect(refusal { try unpack(archive) } == .malformed)
    }

    @Test("A path for all that follows is refused, a comment for all is not")
    func global() throws {
        let comment = RawEntry.archive(.pax("comment=abc", type: "g"), RawEntry("a"))
        #expect(try unpack(comment).count == 1)
        for record in ["path=x", "size=5", "mtime=1"] {
            #expect(refusal { try unpack(RawEntry.archive(.pax(record, type: "g"), RawEntry("a"))) } == .unsupported)
        }
    }

    @Test("Paths and extended headers have an end")
    func long() {
        let deep = Bytes(repeating: 0x61, count: 1) + Bytes(text: String(repeating: "/a", count: 64))
        let wide = Bytes(repeating: 0x61, count: 256)
        let whole = Bytes(text: String(repeating: String(repeating: "a", count: 200) + "/", count: 21) + "a")
        for path in [deep, wide, whole] {
            let archive = RawEntry.archive(RawEntry("l", type: "L", content: path + [0]), RawEntry("a"))
            #expect(refusal { try unpack(archive) } == .pathTooLong)
        }
        let huge = RawEntry.archive(RawEntry("l", type: "x", content: Bytes(repeating: 0x61, count: 65_537)))
        #expect(refusal { try unpack(huge) } == .pathTooLong)
        #expect(refusal { try unpack(RawEntry.archive(RawEntry("l", type: "x"))) } == .pathTooLong)
    }

    @Test("Sizes that no file has are refused")
    func sizes() {
        for size in [
            [0xFF] + Bytes(repeating: 0xFF, count: 11), [0x80] + Bytes(repeating: 0xFF, count: 11),
            [0x81] + Bytes(repeating: 0, count: 11),
        ] as [Bytes] {
            var entry = RawEntry("a")
            entry.size = size
            #expect(refusal { try unpack(RawEntry.archive(entry)) } == .outOfRange)
        }
        for size in ["8", "1x", "-1", "7777 7"] {
            var entry = RawEntry("a")
            entry.size = Array(Bytes(text: size).prefix(12))
            #expect(refusal { try unpack(RawEntry.archive(entry)) } == .malformed)
        }
    }

    @Test("Other kinds of files are no archives")
    func others() {
        for bytes in [
            Bytes(repeating: 0x41, count: 2_000), Bytes(text: "%PDF-1.7") + Bytes(repeating: 0, count: 1_100),
        ] {
            #expect(refusal { try unpack(bytes) } == .malformed)
        }
        #expect(refusal { try unpack([]) } == .truncated)
        // Without a magic: Unix version 7.
        var old = RawEntry("a")
        old.magic = Bytes(repeating: 0, count: 8)
        #expect(refusal { try unpack(RawEntry.archive(old)) } == .malformed)
        // An extended header for nothing, and an entry after the first half of the end mark.
        #expect(refusal { try unpack(RawEntry.archive(.pax("path=a"))) } == .malformed)
        let late = Bytes(repeating: 0, count: 512) + RawEntry.archive(RawEntry("a"))
        #expect(refusal { try unpack(late) } == .malformed)
    }

    @Test("GNU's long names, prefixes, leading dots and large numbers are read")
    func forms() throws {
        var gnu = RawEntry("b", content: [1])
        gnu.magic = Bytes(text: "ustar  \u{0}")
        gnu.prefix = Bytes(text: "14312321400")
        #expect(try unpack(RawEntry.archive(gnu)).first?.entry.path.text == Bytes(text: "b"))
        var posix = gnu
        posix.magic = Bytes(text: "ustar\u{0}00")
        #expect(try unpack(RawEntry.archive(posix)).first?.entry.path.text == Bytes(text: "14312321400/b"))
        let dots = RawEntry.archive(RawEntry("./", type: "5"), RawEntry("./a/", type: "5"), RawEntry("./a/b"))
        #expect(try unpack(dots).map(\.entry.path.text) == [Bytes(text: "a"), Bytes(text: "a/b")])
        #expect(try unpack(RawEntry.archive(RawEntry("a", type: "\u{0}"))).count == 1)
        var large = RawEntry("a", content: [1])
        large.size = [0x80] + Bytes(repeating: 0, count: 10) + [1]
        large.modified = [0xFF] + Bytes(repeating: 0xFF, count: 10) + [0xFE]
        #expect(try unpack(RawEntry.archive(large)).first?.entry.modified == -2)
        for (text, seconds) in [("1.9", 1), ("-1.5", -2), ("-1.0", -1), ("7", 7)] as [(String, Int64)] {
            #expect(try unpack(RawEntry.archive(.pax("mtime=\(text)"), RawEntry("a"))).first?.entry.modified == seconds)
        }
    }

    @Test("Names become safe, and stay as they are if they were")
    func safeNames() {
        for name in ["a", "Zeugnis 2024.pdf", "Ω", ".hidden", "a\\b", "..."] {
            #expect(ArchivePath.safeName(for: Bytes(text: name)) == Bytes(text: name))
        }
        for (name, safe) in [
            ("a/b", "a_b"), ("../a", ".._a"), ("..", "_"), (".", "_"), ("", "_"), ("a\nb", "a_b"), ("\u{202E}x", "_x"),
            (String(repeating: "é", count: 200), String(repeating: "é", count: 127)),
        ] {
            #expect(ArchivePath.safeName(for: Bytes(text: name)) == Bytes(text: safe))
        }
        #expect(ArchivePath.safeName(for: [0xFF, 0x61]) == Bytes(text: "_"))
    }
}
