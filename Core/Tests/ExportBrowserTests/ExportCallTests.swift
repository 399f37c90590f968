import BrowserCalls
import Encodings
import Testing

@testable import Age
@testable import Archives
@testable import ExportBrowser

@Suite("Exports and imports, call by call")
struct ExportCallTests {
    private let passphrase = Bytes(text: "correct horse battery staple")
    private let random = JSON.base64URL(Bytes(0..<48))

    private func named(_ names: [String], length: Int64?) -> [(String, JSON)] {
        [
            ("names", .array(names.map { .string(Bytes(text: $0)) })), ("folder", .bool(length == nil)),
            ("length", .integer(length ?? 0)), ("modified", .integer(1_700_000_000)),
        ]
    }

    /// An export of a folder with a file of these bytes.
    private func exported(_ content: Bytes) throws -> Bytes {
        let worker = Worker()
        let asked = try worker.call("write", [("random", random), ("log_work", .integer(1))], [passphrase])
        let key = try worker.stretched(asked.value, passphrase)
        try worker.call("write", [("random", random), ("log_work", .integer(1))], [passphrase, key])
        var file = try worker.call("entry", named(["Papers"], length: nil)).blobs[0]
        file += try worker.call("entry", named(["Papers", "Pass.txt"], length: Int64(content.count))).blobs[0]
        for piece in content.pieces(of: 100_000) { file += try worker.call("content", [], [piece]).blobs[0] }
        return file + (try worker.call("write_end").blobs[0])
    }

    /// What an import gives, as one line for each event, and the content.
    private func imported(_ file: Bytes, _ secret: Bytes, pieces: Int) throws -> ([String], Bytes) {
        let worker = Worker()
        try worker.call("read", [], [secret])
        var (lines, content): ([String], Bytes) = ([], [])
        func take(_ answer: (value: JSON, blobs: [Bytes])) {
            for event in answer.value["events"]?.array ?? [] { lines.append(text(event)) }
            content += answer.blobs[0]
        }
        for piece in file.pieces(of: pieces) {
            var answer = try worker.call("feed", [], [piece])
            if answer.value["salt"] != nil {
                answer = try worker.call("feed", [], [[], try worker.stretched(answer.value, secret)])
            }
            take(answer)
        }
        take(try worker.call("read_end"))
        return (lines.filter { !$0.hasPrefix(#"{"content""#) }, content)
    }

    private func text(_ json: JSON) -> String { String(decoding: json.serialized(), as: UTF8.self) }

    @Test("What was written is read, in whatever pieces", arguments: [1_000_000, 65_536, 97])
    func roundTrip(pieces: Int) throws {
        let content = Bytes((0..<200_000).map { UInt8(truncatingIfNeeded: $0 &* 131 >> 3) })
        let (lines, read) = try imported(try exported(content), passphrase, pieces: pieces)
        #expect(read.hasSameBytes(as: content))
        #expect(
            lines == [
                #"{"names":["Papers"],"folder":true,"length":0,"modified":1700000000}"#,
                #"{"names":["Papers","Pass.txt"],"folder":false,"length":200000,"modified":1700000000}"#,
            ])
    }

    @Test("Core's own reader opens it")
    func ageFile() throws {
        let file = try exported([1, 2, 3])
        var opener = AgeOpener([AgeIdentity(passphrase: passphrase)], suite: PureAgeSuite.counting())
        var archive: Bytes = []
        try opener.open(file, appendingTo: &archive)
        try opener.finish(appendingTo: &archive)
        #expect(archive.count == 4 * 512 + 1024 - 512)
    }

    @Test("A private key opens what was sealed for it")
    func key() throws {
        let suite = PureAgeSuite.counting()
        let identity = try AgeIdentity.generate(suite: suite)
        let archive = try #require(try? tar("a"))
        var (sealer, file) = (try AgeSealer(to: [try identity.recipient(suite: suite)], suite: suite), Bytes())
        try sealer.seal(archive, appendingTo: &file)
        try sealer.finish(appendingTo: &file)
        let (lines, content) = try imported(file, try #require(identity.text), pieces: 1_000)
        #expect(lines.count == 1 && content == [1, 2])
        #expect(throws: Refused(code: "invalid_key")) {
            try Worker().call("read", [], [Bytes(text: "AGE-SECRET-KEY-1ABC")])
        }
    }

    private func tar(_ name: String) throws -> Bytes {
        var (writer, archive) = (TarWriter(), Bytes())
        let path = try ArchivePath([Bytes(text: name)])
        try writer.begin(ArchiveEntry(path: path, kind: .file(length: 2), modified: 0), appendingTo: &archive)
        try writer.write([1, 2], appendingTo: &archive)
        try writer.finish(appendingTo: &archive)
        return archive
    }

    private func sealed(_ archive: Bytes) throws -> Bytes {
        let suite = PureAgeSuite.counting()
        var (sealer, file) = (try AgeSealer(passphrase: passphrase, logWork: 1, suite: suite), Bytes())
        try sealer.seal(archive, appendingTo: &file)
        try sealer.finish(appendingTo: &file)
        return file
    }

    @Test("Another passphrase, a cut or changed file, and what is no export are refused")
    func spoiled() throws {
        let file = try exported(Bytes(repeating: 7, count: 1000))
        func code(_ file: Bytes, _ passphrase: Bytes) -> String? {
            do {
                _ = try imported(file, passphrase, pieces: 1_000_000)
                return nil
            } catch { return (error as? Refused)?.code }
        }
        #expect(code(file, passphrase) == nil)
        #expect(code(file, passphrase + [1]) == "no_match")
        for cut in [10, 100, 190, file.count - 600, file.count - 1] {
            #expect(["truncated", "corrupt"].contains(code(Array(file.prefix(cut)), passphrase)), "\(cut)")
        }
        for place in [0, 60, 150, file.count - 5] {
            var changed = file
            changed[place] ^= 1
            #expect(code(changed, passphrase) != nil, "\(place)")
        }
        #expect(code(Bytes(text: "PK\u{3}\u{4} and more of it"), passphrase) == "not_age")
        #expect(code(try sealed(Bytes(repeating: 65, count: 2_000)), passphrase) == "no_archive")
        #expect(code(try sealed(Array(try tar("a").dropLast(512))), passphrase) == "truncated")
    }

    @Test("Hostile archives are refused, and nothing follows")
    func hostile() throws {
        func changed(_ change: (inout Bytes) -> Void) throws -> Bytes {
            var archive = try tar("aaaaaa")
            change(&archive)
            archive.replaceSubrange(148..<156, with: Bytes(text: "        "))
            let sum = archive[0..<512].reduce(0) { $0 + Int($1) }
            archive.replaceSubrange(148..<156, with: Bytes(text: String(sum, radix: 8) + "\u{0}       ").prefix(8))
            return archive
        }
        let traps: [(String, (inout Bytes) -> Void)] = [
            ("unsafe_path", { $0.replaceSubrange(0..<6, with: Bytes(text: "../../")) }),
            ("unsafe_path", { $0.replaceSubrange(0..<6, with: Bytes(text: "/etc/x")) }),
            ("unsafe_path", { $0.replaceSubrange(0..<6, with: [0xE2, 0x80, 0xAE, 0x66, 0x64, 0x70]) }),
            ("link", { $0[156] = 0x32 }), ("link", { $0[156] = 0x31 }), ("not_a_file", { $0[156] = 0x33 }),
        ]
        for (code, trap) in traps {
            let worker = Worker()
            try worker.call("read", [], [passphrase])
            let file = try sealed(try changed(trap))
            let asked = try worker.call("feed", [], [file])
            let key = try worker.stretched(asked.value, passphrase)
            // The only piece is the last one, which is opened at the end.
            try worker.call("feed", [], [[], key])
            #expect(throws: Refused(code: code)) { try worker.call("read_end") }
            #expect(throws: Refused(code: "nothing_under_way")) { try worker.call("feed", [], [[]]) }
            #expect(throws: Refused(code: "nothing_under_way")) { try worker.call("read_end") }
        }
    }

    @Test("An entry that is not as long as it said ends the export")
    func wrongLength() throws {
        let worker = Worker()
        #expect(throws: Refused(code: "nothing_under_way")) { try worker.call("entry", named(["a"], length: 2)) }
        let begin: [(String, JSON)] = [("random", random), ("log_work", .integer(1))]
        let key = try worker.stretched(try worker.call("write", begin, [passphrase]).value, passphrase)
        try worker.call("write", begin, [passphrase, key])
        try worker.call("entry", named(["a"], length: 2))
        #expect(throws: Refused(code: "wrong_length")) { try worker.call("content", [], [[1, 2, 3]]) }
        #expect(throws: Refused(code: "nothing_under_way")) { try worker.call("write_end") }
        #expect(throws: Refused(code: "out_of_range")) {
            try worker.call("stretch", [("salt", .base64URL([1])), ("log_work", .integer(21))], [passphrase])
        }
        #expect(throws: Refused(code: "out_of_range")) {
            try worker.call("write", [("random", random), ("log_work", .integer(21))], [passphrase])
        }
    }
}

/// A module, as one worker has it.
private struct Worker {
    let module = ExportBrowser()

    @discardableResult
    func call(
        _ name: String, _ arguments: [(String, JSON)] = [], _ blobs: [Bytes] = []
    ) throws -> (value: JSON, blobs: [Bytes]) {
        let frames = Frames.joined([Bytes(text: name), JSON.members(arguments).serialized()] + blobs)
        let parts = try #require(Frames.split(module.answer(frames)))
        let value = try JSON.parse(parts[1])
        guard parts[0] == [0] else { throw Refused(code: String(decoding: value["code"]?.string ?? [], as: UTF8.self)) }
        return (value, Array(parts.dropFirst(2)))
    }

    /// What another instance computes.
    func stretched(_ asked: JSON, _ passphrase: Bytes) throws -> Bytes {
        let (salt, logWork) = (try #require(asked["salt"]), try #require(asked["log_work"]))
        return try Worker().call("stretch", [("salt", salt), ("log_work", logWork)], [passphrase]).blobs[0]
    }
}

/// What the module refused, by its code.
private struct Refused: Error, Equatable {
    let code: String
}

extension Bytes {
    fileprivate func pieces(of length: Int) -> [Bytes] {
        stride(from: 0, to: count, by: length).map { Array(self[$0..<Swift.min($0 + length, count)]) }
    }

    fileprivate func hasSameBytes(as other: Bytes) -> Bool { count == other.count && elementsEqual(other) }
}

extension PureAgeSuite {
    fileprivate static func counting() -> PureAgeSuite {
        PureAgeSuite { count in Bytes((0..<count).map { UInt8($0 & 255) }) }
    }
}
