import CryptoProvider
import Encodings
import Foundation
import Storage
import Testing
import Transparency

@testable import Server

/// Backups that were changed, cut or made up.
///
/// Where a digest refuses one, there is no database yet that it could be restored into: that is tried on one engine.
@Suite("Damaged backups are refused before anything is written")
struct BackupDamageTests {
    /// A small organisation's backup.
    private static func make(_ folder: BackupFolder, passphrase: String? = nil) async throws -> TestOrganisation {
        let organisation = try await TestOrganisation()
        try await organisation.serve { client in
            _ = try await client.setUp(organisation.person("owner"))
            let session = try await client.join(organisation.person("alice"))
            try await organisation.addDocument("one", holder: session, sealed: Bytes(repeating: 7, count: 700))
        }
        try await organisation.addEntries(3)
        try await organisation.backUp(to: folder.path("good.backup"), passphrase: passphrase)
        return organisation
    }

    /// Where each part begins and ends, with its header and padding.
    private static func parts(_ archive: Bytes) throws -> [(name: String, range: Range<Int>, size: Int)] {
        var parts: [(String, Range<Int>, Int)] = []
        var start = 0
        while let header = try TarHeader.parse(Array(archive[start..<start + 512])) {
            let end = start + 512 + header.size + header.padding
            parts.append((header.name, start..<end, header.size))
            start = end
        }
        return parts
    }

    private static func expectRefused(
        _ bytes: Bytes, _ what: String, _ folder: BackupFolder, passphrase: String? = nil
    ) async throws {
        let file = folder.url.appendingPathComponent("bad.backup")
        try Data(bytes).write(to: file)
        await #expect(throws: BackupError.self, "\(what)") {
            try await folder.restore("bad.backup", into: "restored", passphrase: passphrase)
        }
        #expect(!folder.exists("restored"), "\(what)")
    }

    @Test("one byte changed anywhere in any part: header, content, padding", .onOneEngine)
    func flipped() async throws {
        let folder = try BackupFolder()
        let organisation = try await Self.make(folder)
        let good = try folder.bytes("good.backup")
        let parts = try Self.parts(good)
        #expect(parts.count > 20)
        for part in parts {
            let content = part.range.lowerBound + 512
            var places = [part.range.lowerBound + 2, part.range.lowerBound + 130, part.range.lowerBound + 400, content]
            places += [content + part.size / 2, content + part.size - 1]
            if part.range.upperBound > content + part.size { places.append(content + part.size) }
            for place in places {
                var bad = good
                bad[place] ^= 1
                try await Self.expectRefused(bad, "\(part.name) at \(place)", folder)
            }
        }
        _ = organisation
    }

    @Test("a part missing, twice, or in another's place", .onOneEngine)
    func moved() async throws {
        let folder = try BackupFolder()
        let organisation = try await Self.make(folder)
        let good = try folder.bytes("good.backup")
        let parts = try Self.parts(good)
        for (index, part) in parts.enumerated() {
            var bad = good
            bad.removeSubrange(part.range)
            try await Self.expectRefused(bad, "without \(part.name)", folder)
            try await Self.expectRefused(
                Array(good[..<part.range.upperBound]) + Array(good[part.range.lowerBound...]), "twice \(part.name)",
                folder)
            guard index + 1 < parts.count else { continue }
            let next = parts[index + 1].range
            let exchanged =
                Array(good[..<part.range.lowerBound]) + Array(good[next]) + Array(good[part.range])
                + Array(good[next.upperBound...])
            try await Self.expectRefused(exchanged, "\(part.name) behind \(parts[index + 1].name)", folder)
        }
        _ = organisation
    }

    @Test(
        "with a part that nobody asked for, listed and digested like the others",
        arguments: [
            "keys/../../evil", "keys/a/b", "keys/.hidden", "keys/", "blobs/../evil", "blobs//a", "tables/x/1",
            "tables/../../000000", "evil", "../evil", "about.json",
        ])
    func foreign(name: String) async throws {
        let folder = try BackupFolder()
        let organisation = try await Self.make(folder)
        try await Self.expectRefused(
            try Self.adding(name, to: try folder.bytes("good.backup"), folder), "with \(name)", folder)
        #expect(!folder.exists("evil"))
        _ = organisation
    }

    @Test("with a key, though it was made without them, and with a table that is listed twice")
    func uncalledFor() async throws {
        let folder = try BackupFolder()
        let organisation = try await Self.make(folder)
        try await organisation.backUp(to: folder.path("bare.backup"), includesKeys: false)
        try FileManager.default.createDirectory(
            atPath: folder.path("restored"), withIntermediateDirectories: true)
        try FileManager.default.copyItem(
            at: organisation.folder.appendingPathComponent("keys"),
            to: folder.url.appendingPathComponent("restored/keys"))
        let bare = try Self.adding("keys/log", to: try folder.bytes("bare.backup"), folder)
        try Data(bare).write(to: folder.url.appendingPathComponent("bad.backup"))
        await #expect(throws: BackupError.damaged("keys/log")) {
            try await folder.restore("bad.backup", into: "restored")
        }
        let twice = try Self.adding(nil, to: try folder.bytes("good.backup"), folder) { manifest in
            manifest.tables.append(manifest.tables[0])
        }
        try Data(twice).write(to: folder.url.appendingPathComponent("bad.backup"))
        await #expect(throws: BackupError.damaged("manifest.json")) {
            try await folder.restore("bad.backup", into: "elsewhere")
        }
    }

    /// A rebuilt backup, consistent in itself, with an extra part or another manifest.
    private static func adding(
        _ name: String?, to archive: Bytes, _ folder: BackupFolder, _ change: (inout BackupManifest) -> Void = { _ in }
    ) throws -> Bytes {
        let file = folder.path("made-\(UUID().uuidString)")
        let sink = try BackupSink(file, seal: nil)
        for part in try parts(archive) {
            let start = part.range.lowerBound + TarHeader.blockLength
            let content = Array(archive[start..<start + part.size])
            guard part.name == BackupManifest.partName else {
                if part.name != BackupManifest.digestName { try sink.add(part.name, content) }
                continue
            }
            if let name { try sink.add(name, Bytes(text: "evil")) }
            var manifest = try BackupManifest.parse(content)
            manifest.contents = sink.contents
            change(&manifest)
            try sink.add(manifest)
        }
        try sink.finish()
        return Array(try Data(contentsOf: URL(fileURLWithPath: file)))
    }

    @Test("cut anywhere, or with something after its end", .onOneEngine)
    func cut() async throws {
        let folder = try BackupFolder()
        let organisation = try await Self.make(folder)
        let good = try folder.bytes("good.backup")
        var lengths = [0, 1, 511, 512, 513, good.count - 1, good.count - 512, good.count - 1_024]
        for part in try Self.parts(good) { lengths += [part.range.lowerBound, part.range.lowerBound + 700] }
        for length in lengths where length < good.count {
            try await Self.expectRefused(Array(good.prefix(length)), "cut to \(length)", folder)
        }
        try await Self.expectRefused(good + [0], "one byte more", folder)
        try await Self.expectRefused(good + Bytes(repeating: 0, count: 512), "a block more", folder)
        try await Self.expectRefused(Bytes(text: "something else\n"), "no archive", folder)
        _ = organisation
    }

    @Test("a sealed one: changed, cut, chunks exchanged or left out", .onOneEngine)
    func sealed() async throws {
        let folder = try BackupFolder()
        let organisation = try await TestOrganisation()
        try await organisation.serve { client in
            _ = try await client.setUp(organisation.person("owner"))
            let session = try await client.join(organisation.person("alice"))
            try await organisation.addDocument("one", holder: session, sealed: RandomBytes.make(3 << 20))
        }
        let passphrase = "keep this one elsewhere"
        try await organisation.backUp(to: folder.path("good.backup"), passphrase: passphrase)
        let good = try folder.bytes("good.backup")
        let first = try #require(good.firstIndex(of: 0x0A)) + 1
        let chunk = BackupSeal.chunkLength + BackupSeal.overhead
        for place in [0, 30, 36, 45, first - 3, first, first + 12, first + 500, first + chunk + 5, good.count - 1] {
            var bad = good
            bad[place] ^= 1
            try await Self.expectRefused(bad, "at \(place)", folder, passphrase: passphrase)
        }
        for length in [first, first + 10, first + chunk, first + 2 * chunk, good.count - 1] {
            try await Self.expectRefused(Array(good.prefix(length)), "cut to \(length)", folder, passphrase: passphrase)
        }
        let second = first + chunk..<first + 2 * chunk
        let without = Array(good[..<second.lowerBound]) + Array(good[second.upperBound...])
        try await Self.expectRefused(without, "without a chunk", folder, passphrase: passphrase)
        let twice = Array(good[..<second.upperBound]) + Array(good[second.lowerBound...])
        try await Self.expectRefused(twice, "a chunk twice", folder, passphrase: passphrase)
    }

    /// The changes by an attacker who knows the format.
    enum Forgery: String, CaseIterable {
        case changedRow, changedRecord, changedEntry, removedEntry, newerMigration, newerFormat, weakRows
    }

    @Test("a made-up one whose digests are right is held against the log and the schema", arguments: Forgery.allCases)
    func forged(forgery: Forgery) async throws {
        let folder = try BackupFolder()
        let organisation = try await Self.make(folder)
        let source = try await BackupSource(folder.path("good.backup"), passphrase: nil)
        var parts: [(String, Bytes)] = []
        while let (header, content) = try source.part() { parts.append((header.name, content)) }
        var manifest = try BackupManifest.parse(parts[parts.count - 2].1)
        parts.removeLast(2)
        func change(_ name: String, _ from: String, _ to: String) throws {
            let index = try #require(parts.firstIndex { $0.0.hasPrefix(name) })
            let text = String(decoding: parts[index].1, as: UTF8.self)
            #expect(text.contains(from))
            parts[index].1 = Bytes(text: text.replacing(from, with: to, maxReplacements: 1))
        }
        switch forgery {
        // Not the log's: a row that breaks a rule of the schema is refused by the database, and all with it.
        case .changedRow: try change("tables/accounts/", "\"alice\"", "\"owner\"")
        case .changedRecord: try change("tables/log_entries/", "credential\\\":\\\"c1", "credential\\\":\\\"c9")
        case .changedEntry: try change("tables/log_entries/", "\"time\\\":1,", "\"time\\\":2,")
        case .removedEntry:
            let index = try #require(parts.firstIndex { $0.0.hasPrefix("tables/log_entries/") })
            parts[index].1 = Array(parts[index].1.dropLast().prefix { _ in true })
            let lines = parts[index].1.split(at: 0x0A).dropLast()
            parts[index].1 = lines.flatMap { $0 + [0x0A] }
            let table = try #require(manifest.tables.firstIndex { $0.name == "log_entries" })
            manifest.tables[table].rows -= 1
        case .newerMigration:
            try change("about.json", "}],\"organisation\"", "},{\"digest\":\"x\",\"name\":\"9999\"}],\"organisation\"")
        case .newerFormat: try change("about.json", "\"version\":2", "\"version\":3")
        case .weakRows: try change("tables/accounts/", "[\"", "[1.5,\"")
        }
        let sink = try BackupSink(folder.path("made-up.backup"), seal: nil)
        for (name, content) in parts { try sink.add(name, content) }
        manifest.contents = sink.contents
        try sink.add(manifest)
        try sink.finish()
        await #expect(throws: (any Error).self) { try await folder.restore("made-up.backup", into: "restored") }
        let left = (try? FileManager.default.contentsOfDirectory(atPath: folder.path("restored"))) ?? []
        #expect(left == [])
        _ = organisation
    }
}
