import CryptoProvider
import Encodings
import Foundation
import Interface
import Storage
import Testing
import Transparency

@testable import Server

/// The log's writer over a folder and a database, stopped, damaged and started again.
@Suite("The log's writer", .timeLimit(.minutes(5)))
struct LogWriterTests {
    private final class Scratch {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("log-\(UUID().uuidString)")
        let key = LogSigningKey()

        init() throws { try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true) }
        deinit { try? FileManager.default.removeItem(at: folder) }

        func database() async throws -> SQLiteDatabase {
            let database = try await SQLiteDatabase.open(folder.appendingPathComponent("log.sqlite").path)
            try await database.migrate(Slice.all.histories)
            return database
        }

        func files() async throws -> DirectoryBlobStore {
            try await DirectoryBlobStore(folder.appendingPathComponent("log").path)
        }

        func log(_ database: any Database) async throws -> TransparencyLog {
            try await log(database, on: files())
        }

        func log(_ database: any Database, on store: any BlobStore) async throws -> TransparencyLog {
            try await TransparencyLog(
                TransparencyLog.Parts(
                    store: store, origin: "localhost/log", keys: [key],
                    labelSecret: { Bytes(repeating: 1, count: 32) }, database: database, random: .system))
        }
    }

    private static func append(_ count: Int, _ log: TransparencyLog, _ database: any Database) async throws {
        var last: Int64 = 0
        for _ in 0..<count {
            last = try await database.write { transaction in
                try log.record(
                    TrustEvent(.documentIssued, account: "a", [("credential", .text("x"))]), in: transaction, now: 1)
            }
        }
        _ = try await log.receipt(last)
    }

    @Test(
        "receipts of every entry verify across tile boundaries, and after a restart",
        arguments: [1, 255, 256, 257, 600])
    func receipts(count: Int) async throws {
        let scratch = try Scratch()
        let database = try await scratch.database()
        let log = try await scratch.log(database)
        try await Self.append(count, log, database)
        let again = try await scratch.log(database)
        let key = try NoteVerifierKey.parse(Bytes(text: again.verifierKey))
        for index in stride(from: 0, to: count, by: max(1, count / 40)) {
            let receipt = try await again.receipt(Int64(index))
            let verified = try Transparency.Receipt.verify(
                Bytes(text: receipt.proof), policy: LogPolicy(logKey: key), suite: SwiftCryptoSuite())
            #expect(verified.index == UInt64(index))
        }
        try await database.close()
    }

    @Test("a receipt that cannot be had since the database is busy does not say that nothing was done")
    func busy() async throws {
        let faults = StorageFaults()
        let organisation = try await TestOrganisation(faults: faults)
        try await organisation.serve { client in
            _ = try await client.setUp(organisation.person("owner"))
            _ = try await client.join(organisation.person("bob"))
            let log = organisation.server.environment.log
            await log.forget()
            faults.fail(.read, .busy)
            await #expect(throws: TransparencyLog.LogError.unsealed(.busy)) { _ = try await log.receipt(0) }
            faults.heal()
            _ = try await log.receipt(0)
        }
    }

    @Test("entries that were durable but not sealed when the process died are sealed at the next start")
    func unsealed() async throws {
        let scratch = try Scratch()
        let database = try await scratch.database()
        let log = try await scratch.log(database)
        for _ in 0..<3 {
            _ = try await database.write { transaction in
                try log.record(TrustEvent(.deviceEnrolled, account: "a", []), in: transaction, now: 1)
            }
        }
        #expect(await log.size == 0)
        let next = try await scratch.log(database)
        #expect(await next.size == 3)
        try await database.close()
    }

    @Test(
        "a batch that made a tile full, and whose process died before the checkpoint, is sealed at the next start",
        arguments: [(255, 2), (511, 1), (600, 300), (256, 256)])
    func filledTile(before: Int, more: Int) async throws {
        let scratch = try Scratch()
        let database = try await scratch.database()
        let log = try await scratch.log(database)
        try await Self.append(before, log, database)
        let old = try await database.read { try LogStore(transaction: $0).sealed() }
        try await Self.append(more, log, database)
        // Its tiles are there, and the partial ones that they replaced are not.
        let isTakenBack = try await database.write { transaction in
            let store = LogStore(transaction: transaction)
            return try store.advance(from: store.sealed(), to: old, policy: 0)
        }
        #expect(isTakenBack)
        try Data(old.checkpoint.utf8).write(to: scratch.folder.appendingPathComponent("log/checkpoint"))
        let next = try await scratch.log(database)
        #expect(await next.size == UInt64(before + more))
        _ = try await next.receipt(Int64(before))
        try await database.close()
    }

    @Test("a batch is read once and stored once, and one look follows its publication")
    func statements() async throws {
        let scratch = try Scratch()
        let database = try await scratch.database()
        let count = StatementCount()
        let counted = CountingDatabase(inner: database, count: count)
        let log = try await scratch.log(counted)
        try await Self.append(3, log, counted)
        _ = count.take()
        try await Self.append(1, log, counted)
        // The entry's place and the entry; where the log is and what waits; the checkpoint; the look.
        #expect(count.take() == 6)
        try await database.close()
    }

    @Test("what comes while a batch is published shares the next one")
    func whilePublishing() async throws {
        let scratch = try Scratch()
        let database = try await scratch.database()
        let gate = Gate()
        let log = try await scratch.log(database, on: LateStore(store: scratch.files(), gate: gate))
        gate.close()
        async let first: Void = Self.append(1, log, database)
        await gate.someoneWaits()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 2...6 {
                group.addTask { try await Self.append(1, log, database) }
                while try await database.read({ try LogStore(transaction: $0).count() }) < number, !Task.isCancelled {
                    await Task.yield()
                }
                // Time for a batch that would not wait.
                for _ in 0..<100 { await Task.yield() }
            }
            gate.open()
            try await group.waitForAll()
        }
        try await first
        let bundles = scratch.folder.appendingPathComponent("log/tile/entries/000.p").path
        #expect(Set(try FileManager.default.contentsOfDirectory(atPath: bundles)) == ["1", "6"])
        try await database.close()
    }

    @Test("a checkpoint that could not be published is published with the next receipt")
    func unpublished() async throws {
        let scratch = try Scratch()
        let database = try await scratch.database()
        let log = try await scratch.log(database)
        try await Self.append(3, log, database)
        // A folder that is not empty cannot be replaced by a file.
        let checkpoint = scratch.folder.appendingPathComponent("log/checkpoint")
        try FileManager.default.removeItem(at: checkpoint)
        try FileManager.default.createDirectory(
            at: checkpoint.appendingPathComponent("in the way"), withIntermediateDirectories: true)
        await #expect(throws: TransparencyLog.LogError.self) { try await Self.append(1, log, database) }
        try FileManager.default.removeItem(at: checkpoint)
        _ = try await log.receipt(3)
        #expect(try Bytes(Data(contentsOf: checkpoint)) == (try await log.newestCheckpoint()))
        #expect(await log.size == 4)
        try await database.close()
    }

    @Test("a transaction that fails takes its entry back, and leaves no gap")
    func rolledBack() async throws {
        struct Refusal: Error {}
        let scratch = try Scratch()
        let database = try await scratch.database()
        let log = try await scratch.log(database)
        await #expect(throws: Refusal.self) {
            _ = try await database.write { transaction -> Int64 in
                _ = try log.record(TrustEvent(.deviceEnrolled, account: "a", []), in: transaction, now: 1)
                throw Refusal()
            }
        }
        try await Self.append(2, log, database)
        #expect(await log.size == 2)
        try await database.close()
    }

    /// The damage to the folder while the server is down.
    enum Damage: String, CaseIterable { case changedTile, missingTile, changedEntry }

    @Test("a damaged log refuses to start instead of showing another history", arguments: Damage.allCases)
    func damaged(damage: Damage) async throws {
        let scratch = try Scratch()
        let database = try await scratch.database()
        try await Self.append(5, try await scratch.log(database), database)
        let folder = scratch.folder.appendingPathComponent("log/tile")
        let tile = folder.appendingPathComponent("0/000.p/5")
        let entries = folder.appendingPathComponent("entries/000.p/5")
        switch damage {
        case .changedTile:
            var bytes = try Data(contentsOf: tile)
            bytes[40] ^= 1
            try bytes.write(to: tile)
        case .missingTile: try FileManager.default.removeItem(at: tile)
        case .changedEntry:
            var bytes = try Data(contentsOf: entries)
            bytes[60] ^= 1
            try bytes.write(to: entries)
        }
        await #expect(throws: TransparencyLog.LogError.self) { _ = try await scratch.log(database) }
        try await database.close()
    }

    @Test("the partial forms of a tile go when it is full, and an earlier tree is still read")
    func partialForms() async throws {
        let scratch = try Scratch()
        let database = try await scratch.database()
        let log = try await scratch.log(database)
        try await Self.append(250, log, database)
        let sealed = try await database.read { try LogStore(transaction: $0).sealed() }
        let tiles = scratch.folder.appendingPathComponent("log/tile").path
        #expect(FileManager.default.fileExists(atPath: "\(tiles)/entries/000.p/250"))
        try await Self.append(50, log, database)
        while FileManager.default.fileExists(atPath: "\(tiles)/entries/000.p")
            || FileManager.default.fileExists(atPath: "\(tiles)/0/000.p")
        { try await Task.sleep(for: .milliseconds(2)) }
        let files = LogFiles(store: try await DirectoryBlobStore(scratch.folder.appendingPathComponent("log").path))
        let signer = try CheckpointSigner(origin: Bytes(text: "localhost/log"), keys: [scratch.key])
        let state = try await files.state(of: sealed, signer: signer, suite: SwiftCryptoSuite())
        #expect(state.size == 250)
        try await database.close()
    }

    @Test("a database older than the published log refuses to start")
    func olderDatabase() async throws {
        let scratch = try Scratch()
        let database = try await scratch.database()
        let log = try await scratch.log(database)
        try await Self.append(2, log, database)
        let old = try await database.read { try LogStore(transaction: $0).sealed() }
        try await Self.append(2, log, database)
        try await database.write { transaction in
            try transaction.execute("DELETE FROM log_entries WHERE position >= 2")
            let store = LogStore(transaction: transaction)
            #expect(try store.advance(from: store.sealed(), to: old, policy: 0))
        }
        await #expect(throws: TransparencyLog.LogError.self) { _ = try await scratch.log(database) }
        try await database.close()
    }

    @Test("several that share database and tiles seal one log, and each gives receipts for all entries")
    func several() async throws {
        let scratch = try Scratch()
        let database = try await scratch.database()
        let logs = [try await scratch.log(database), try await scratch.log(database), try await scratch.log(database)]
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<300 {
                let log = logs[number % logs.count]
                group.addTask { try await Self.append(1, log, database) }
            }
            try await group.waitForAll()
        }
        let key = try NoteVerifierKey.parse(Bytes(text: logs[0].verifierKey))
        for (number, log) in logs.enumerated() {
            for index in stride(from: Int64(number), to: 300, by: 7) {
                let receipt = try await log.receipt(index)
                let verified = try Transparency.Receipt.verify(
                    Bytes(text: receipt.proof), policy: LogPolicy(logKey: key), suite: SwiftCryptoSuite())
                #expect(verified.index == UInt64(index))
            }
        }
        // A server that starts now reads everything back, and finds it to be what was signed.
        let next = try await scratch.log(database)
        #expect(await next.size == 300)
        #expect(try await next.newestCheckpoint() == logs[0].newestCheckpoint())
        try await database.close()
    }

    @Test("of two checkpoints that follow the same one the database takes the first")
    func race() async throws {
        let scratch = try Scratch()
        let database = try await scratch.database()
        let none = LogStore.Sealed(size: 0, checkpoint: "")
        let (one, other) = (LogStore.Sealed(size: 1, checkpoint: "a"), LogStore.Sealed(size: 1, checkpoint: "b"))
        let larger = LogStore.Sealed(size: 2, checkpoint: "c")
        let steps = [(none, one, true), (none, other, false), (other, larger, false), (one, larger, true)]
        for (known, next, isTaken) in steps + [(one, larger, false)] {
            let taken = try await database.write { transaction in
                try LogStore(transaction: transaction).advance(from: known, to: next, policy: 0)
            }
            #expect(taken == isTaken, "\(known) to \(next)")
        }
        #expect(try await database.read { try LogStore(transaction: $0).sealed() } == larger)
        // Nor does it take what was signed under a policy that is no longer in force.
        let last = LogStore.Sealed(size: 3, checkpoint: "d")
        try await database.write { transaction in
            try LogPolicyStore(transaction: transaction).insert(
                LogPolicyStore.Stored(version: 1, text: "", statement: "", certificate: "", created: 1))
            #expect(try !LogStore(transaction: transaction).advance(from: larger, to: last, policy: 0))
            #expect(try LogStore(transaction: transaction).advance(from: larger, to: last, policy: 1))
        }
        try await database.close()
    }
}
