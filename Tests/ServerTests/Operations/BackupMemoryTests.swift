import Encodings
import Foundation
import Interface
import Storage
import Synchronization
import Testing

@testable import Server

/// A store that makes its blobs up as they are asked for, counts what is asked for at once, and is never listed whole.
private final class CountedStore: BlobStore {
    struct Listed: Error {}

    private struct State {
        var names: Set<String> = []
        var most = 0
        var reading = 0
        var mostRead = 0
    }

    private let state = Mutex(State())

    init(_ names: [String] = []) { state.withLock { $0.names = Set(names) } }

    static func bytes(of name: String) -> Bytes { Bytes(text: "what is in \(name)") }

    /// The most names that were handed over or asked for in one go.
    var most: Int { state.withLock(\.most) }
    /// The most blobs that were read at the same time.
    var mostRead: Int { state.withLock(\.mostRead) }
    var names: Set<String> { state.withLock(\.names) }

    private func note(_ count: Int) { state.withLock { $0.most = max($0.most, count) } }

    func write(_ blobs: [Blob]) async throws {
        note(blobs.count)
        for blob in blobs {
            #expect(blob.bytes == Self.bytes(of: blob.name))
            state.withLock { _ = $0.names.insert(blob.name) }
        }
    }

    func read(_ name: String) async throws -> [UInt8]? {
        state.withLock { state in
            state.reading += 1
            state.mostRead = max(state.mostRead, state.reading)
        }
        await Task.yield()
        return state.withLock { state in
            state.reading -= 1
            return state.names.contains(name) ? Self.bytes(of: name) : nil
        }
    }

    func delete(_ name: String) async throws -> Bool { state.withLock { $0.names.remove(name) != nil } }
    func deleteAll(under folder: String) async throws {}
    func size(_ name: String) async throws -> Int64? { names.contains(name) ? 1 : nil }
    func list() async throws -> [BlobInfo] { throw Listed() }

    func missing(among names: [String]) async throws -> [String] {
        note(names.count)
        let own = self.names
        return names.filter { !own.contains($0) }
    }

    func forEachPage(_ body: ([BlobInfo]) async throws -> Void) async throws {
        let all = Array(names)
        for start in stride(from: 0, to: all.count, by: 700) {
            let page = all[start..<min(start + 700, all.count)]
            note(page.count)
            try await body(page.map { BlobInfo(name: $0, size: 1, modified: 1) })
        }
    }
}

/// Backup, restore and doctor hold a page or two of what there is, however much it is.
@Suite("Backups of more than memory should hold")
struct BackupMemoryTests {
    private static let count = 2_345

    private static func name(_ number: Int) -> String {
        "blob-\(String(number * 7_919 % 100_003, radix: 36))-\(number)"
    }

    /// An organisation with many documents.
    private static func fill() async throws -> (organisation: TestOrganisation, names: [String]) {
        let organisation = try await TestOrganisation()
        try await organisation.serve { client in
            _ = try await client.setUp(organisation.person("owner"))
            let holder = try await client.join(organisation.person("alice"))
            try await organisation.server.environment.database.write { transaction in
                for number in 0..<count {
                    try DocumentStore(transaction: transaction).insert(
                        DocumentStore.Stored(
                            id: "d\(number)", type: "generic", holder: holder.account.id, device: holder.deviceID,
                            issuer: holder.account.id, credential: "c\(number)",
                            status: StatusPlace(list: 1, position: Int64(number)), size: 1, blob: name(number),
                            statement: "s", logIndex: 0, issued: 1))
                }
                // Each points to one whose row comes before or behind its own.
                let devices = ["m-device", "a-device", "z-device"]
                for id in devices {
                    try transaction.execute(
                        """
                        INSERT INTO devices (id, account, name, signing_key, encryption_key, created)
                        VALUES ($1, $2, 'd', $3, $4, 1)
                        """, [.text(id), .text(holder.account.id), .text("s \(id)"), .text("e \(id)")])
                }
                for (id, other) in zip(devices, [holder.deviceID, "z-device", "m-device"]) {
                    try transaction.execute(
                        "UPDATE devices SET approved_by = $1 WHERE id = $2", [.text(other), .text(id)])
                }
            }
        }
        return (organisation, (0..<count).map(name))
    }

    @Test("names come in pages, in their order, each once, and of each column that has some")
    func pages() async throws {
        var (organisation, names) = try await Self.fill()
        let more = ["a-file", "m-file", "z-file"]
        names += more
        let files = more + [names[0]]
        try await organisation.server.environment.database.write { transaction in
            for name in files {
                try transaction.execute(
                    "INSERT INTO signed_files (digest, blob, media_type, created) VALUES ($1, $2, 'x', 1)",
                    [.text("of \(name)"), .text(name)])
            }
        }
        let pages = try await organisation.place.snapshot { transaction in
            var pages: [[String]] = []
            try BlobColumnStore(transaction: transaction, slices: Slice.all).forEachPage(at: 1) { pages.append($0) }
            return pages
        }
        #expect(pages.map(\.count) == [1_000, 1_000, 348])
        #expect(pages.flatMap(\.self) == names.sorted())
    }

    @Test("a backup, its check, a restore and the doctor ask for a page at once, and lose nothing")
    func bounded() async throws {
        let (organisation, names) = try await Self.fill()
        let folder = try BackupFolder()
        let lost = [names[7], names[1_234]]
        let store = CountedStore(names.filter { !lost.contains($0) })
        let contents = try await organisation.backUp(to: folder.path("one.backup"), blobs: store).contents
        #expect(contents.blobs == Int64(Self.count - 2))
        #expect(contents.missing.first.sorted() == lost.sorted() && contents.missing.count == 2)
        // Parts that are written and read are remembered only until the next list.
        #expect(contents.listCount == 2 && contents.parts.count <= BackupList.length)
        #expect(contents.parts.first?.name == "lists/000001")
        #expect(store.most == 0 && store.mostRead <= 4)

        let report = try await BackupCheck(path: folder.path("one.backup"), passphrase: nil).run()
        #expect(report.manifest.contents == contents)
        let (restored, log) = (CountedStore(), try await DirectoryBlobStore(folder.path("log")))
        try await folder.restore("one.backup", into: "restored", bucket: BlobStores(blobs: restored, log: log))
        #expect(restored.names == store.names)
        #expect(restored.most <= 32 && restored.mostRead <= 4)
        #expect(try await TestOrganisation.rows(folder.place("restored")) == organisation.rows())

        let found = await Self.findings(organisation, store)
        #expect(found.count == 1 && found[0].result == .bad && found[0].detail.hasPrefix("2 are missing"))
        #expect(store.most == BlobColumnStore.page)
        try await store.write(lost.map { Blob(name: $0, bytes: CountedStore.bytes(of: $0)) })
        #expect(await Self.findings(organisation, store).map(\.detail) == ["\(Self.count), all there"])
        try await store.write(["one", "two"].map { Blob(name: $0, bytes: CountedStore.bytes(of: $0)) })
        #expect(await Self.findings(organisation, store).map(\.detail) == ["2 files belong to no row"])
    }

    private static func findings(_ organisation: TestOrganisation, _ store: CountedStore) async -> [Finding] {
        var configuration = ServerConfiguration()
        configuration.dataDirectory = organisation.folder.path
        let log = BlobStores.folders(asTheyAreIn: organisation.folder.path).log
        return await Doctor(
            Deployment(
                configuration: configuration, place: organisation.place, stores: BlobStores(blobs: store, log: log),
                now: organisation.clock.clock.now())
        ).run().filter { $0.name == "documents" }
    }

    @Test("rows as long as anybody may make them fill many small parts, and come back")
    func longRows() async throws {
        let organisation = try await TestOrganisation()
        try await organisation.serve { client in
            _ = try await client.setUp(organisation.person("owner"))
            let holder = try await client.join(organisation.person("alice"))
            let long = String(repeating: "x", count: 350_000)
            try await organisation.server.environment.database.write { transaction in
                for number in 0..<80 {
                    try DocumentStore(transaction: transaction).insert(
                        DocumentStore.Stored(
                            id: "d\(number)", type: "generic", holder: holder.account.id, device: holder.deviceID,
                            issuer: holder.account.id, credential: "c\(number)",
                            status: StatusPlace(list: 1, position: Int64(number)), size: 1, blob: Self.name(number),
                            statement: number < 20 ? "s" : long, logIndex: 0, issued: 1))
                }
            }
        }
        let folder = try BackupFolder()
        let blobs = CountedStore((0..<80).map(Self.name))
        try await organisation.backUp(to: folder.path("one.backup"), blobs: blobs)
        let source = try await BackupSource(folder.path("one.backup"), passphrase: nil)
        var (parts, longest) = (0, 0)
        while let (header, content) = try source.part() {
            if header.name.hasPrefix("tables/documents/") { parts += 1 }
            longest = max(longest, content.count)
        }
        #expect(parts >= 20 && longest < 2 << 20)
        let log = try await DirectoryBlobStore(folder.path("log"))
        try await folder.restore(
            "one.backup", into: "restored", bucket: BlobStores(blobs: CountedStore(), log: log))
        #expect(try await TestOrganisation.rows(folder.place("restored")) == organisation.rows())
    }

    @Test("a list that lacks, adds or changes a part is refused, and so is a part more than a list may have")
    func lists() async throws {
        let (organisation, names) = try await Self.fill()
        let folder = try BackupFolder()
        try await organisation.backUp(to: folder.path("good.backup"), blobs: CountedStore(names))
        let source = try await BackupSource(folder.path("good.backup"), passphrase: nil)
        var parts: [(name: String, content: Bytes)] = []
        while let (header, content) = try source.part() { parts.append((header.name, content)) }
        let place = try #require(parts.firstIndex { $0.name == "lists/000000" })
        let words = parts[place].content.split(at: 0x0A)[3].split(at: 0x20)
        #expect(Hex.decode(words[0])?.count == 32 && words[1].isEmpty && words[2] == Bytes(text: parts[3].name))

        func check(_ change: (inout [(name: String, content: Bytes)]) -> Void) async throws {
            var changed = parts
            change(&changed)
            var archive = Bytes()
            for part in changed {
                let header = try TarHeader(name: part.name, size: part.content.count)
                archive += header.bytes + part.content + Bytes(repeating: 0, count: header.padding)
            }
            let file = folder.url.appendingPathComponent("bad-\(UUID().uuidString)")
            try Data(archive + Bytes(repeating: 0, count: 1_024)).write(to: file)
            _ = try await BackupCheck(path: file.path, passphrase: nil).run()
        }
        try await check { _ in }
        let fault = BackupError.damaged("lists/000000")
        await #expect(throws: fault) { try await check { $0[place].content[5] ^= 1 } }
        await #expect(throws: fault) { try await check { $0[place].content += $0[place].content } }
        await #expect(throws: fault) { try await check { $0.remove(at: place - 1) } }
        await #expect(throws: fault) { try await check { $0[place - 1].content += [0] } }
        let next = BackupError.damaged(parts[place + 1].name)
        await #expect(throws: next) { try await check { $0.remove(at: place) } }
        await #expect(throws: next) { try await check { $0.swapAt(place, place + 1) } }
    }

    @Test("a backup of format 1, as version 0.3 wrote it, restores")
    func format1() async throws {
        let folder = try BackupFolder()
        let archive = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appendingPathComponent("Fixtures/backup-1.tar.gz")
        let unpacked = try await OtherProgram.output(of: "gzip", ["-dc", archive.path])
        try unpacked.write(to: URL(filePath: folder.path("old.backup")))
        let report = try await BackupCheck(path: folder.path("old.backup"), passphrase: nil).run()
        #expect(report.about.format == 1 && report.about.program.hasPrefix("0."))
        #expect(report.manifest.contents.blobs == 4 && report.manifest.contents.keys.contains("log"))
        let old = try await TestDatabase(emptyFile: folder.path("restored.sqlite"))
        defer { old.remove() }
        try await old.database.close()
        try await folder.restore("old.backup", into: "restored", place: old.place)
        let blobs = BlobStores.folders(asTheyAreIn: folder.path("restored")).blobs
        let named = try await old.place.snapshot {
            try BlobColumnStore(transaction: $0, slices: Slice.all).names(at: report.about.created)
        }
        #expect(Set(try await blobs.list().map(\.name)) == named && named.count == 4)
    }
}

/// Lines that wait on the disk.
@Suite("Spool")
struct SpoolTests {
    @Test("gives back what was written, in pages, and leaves no file")
    func roundTrip() throws {
        let folder = try BackupFolder()
        let spool = try Spool(in: folder.url.path)
        let lines = (0..<20_001).map { Bytes(text: String(repeating: "x", count: $0 % 50) + "\($0)") }
        for line in lines { try spool.append(line) }
        #expect(spool.count == lines.count)
        var read: [Bytes] = []
        while case let page = try spool.next(1_000), !page.isEmpty {
            #expect(page.count == min(1_000, lines.count - read.count))
            read += page
        }
        #expect(read == lines)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path).isEmpty)
    }
}
