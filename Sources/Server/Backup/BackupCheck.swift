import CryptoProvider
package import Encodings
import Foundation
import Storage
package import Transparency

/// Reads a backup from its first byte to its last and believes none of it.
///
/// It checks the structure, every digest, every row, the log against its signed checkpoint, and every record against
/// its commitment.
package struct BackupCheck: Sendable {
    /// The file.
    package let path: String
    /// Of a sealed one.
    package let passphrase: String?
    /// The log's key, from anywhere but the backup; without it the backup's own is believed.
    package let policy: LogPolicy?
    /// The newest signed checkpoint that anyone saw.
    package let newest: Bytes?
    /// The parts that this program's server has.
    let slices: [Slice]

    /// A check of a file.
    package init(
        path: String, passphrase: String?, policy: LogPolicy? = nil, newest: Bytes? = nil, slices: [Slice] = Slice.all
    ) {
        self.path = path
        self.passphrase = passphrase
        self.policy = policy
        self.newest = newest
        self.slices = slices
    }

    /// What a sound backup holds.
    package struct Report: Sendable {
        /// The organisation and version that it is from.
        package let about: BackupAbout
        /// What is in it.
        package let manifest: BackupManifest
        /// How many entries the published log has behind the end of the backup; `nil` when nobody said.
        package let behind: UInt64?
        /// The signed checkpoint.
        package let checkpoint: Bytes
        /// A digest of all that was read: a second reading of the file notices any difference.
        let chain: Bytes
    }

    /// Runs the check.
    ///
    /// - Parameter progress: is told how many bytes are done.
    /// - Throws: `BackupError` for the first thing that is wrong.
    package func run(progress: (Int) -> Void = { _ in }) async throws -> Report {
        let source = try await BackupSource(path, passphrase: passphrase)
        var reading = Reading(check: self)
        var done = 0
        while let (header, content) = try source.part() {
            try reading.add(header.name, content, source.digest)
            done += content.count
            progress(done)
        }
        return try reading.finish(chain: source.chain)
    }

    /// What was read so far.
    private struct Reading {
        let check: BackupCheck
        private let suite = SwiftCryptoSuite()
        private var about: BackupAbout?
        private var contents = BackupContents()
        private var rows: [String: Int64] = [:]
        private var columns: [String: [String]] = [:]
        private var log: LogRebuild?
        private var behind: UInt64?
        private var manifest: (value: BackupManifest, digest: Bytes)?
        private var isComplete = false
        private var order = PartOrder()

        init(check: BackupCheck) { self.check = check }

        mutating func add(_ name: String, _ content: Bytes, _ digest: Bytes) throws {
            guard !isComplete else { throw BackupError.damaged("something after its end") }
            if let manifest {
                guard name == BackupManifest.digestName, content == manifest.digest else {
                    throw BackupError.damaged(BackupManifest.digestName)
                }
                isComplete = true
                return
            }
            if name == BackupManifest.partName, let about {
                manifest = (
                    try BackupManifest.parse(content, format: about.format), BackupManifest.digestLine(content)
                )
                return
            }
            // Version 1 has no lists, and all its parts in the manifest.
            if about?.format != 1, let due = contents.dueList, due.name != name { throw BackupError.damaged(name) }
            try contents.add(BackupPart(name: name, size: content.count, digest: digest), content)
            guard let about else {
                guard name == BackupAbout.partName else { throw BackupError.notABackup }
                return try begin(BackupAbout.parse(content))
            }
            guard BackupPart.isWanted(name, in: about), order.allows(name) else { throw BackupError.damaged(name) }
            if let table = BackupTables.table(ofPart: name) { try add(table: table, name, content) }
        }

        private mutating func begin(_ found: BackupAbout) throws {
            try BackupSchema.check(found.migrations, check.slices)
            let key = try? NoteVerifierKey.parse(Bytes(text: found.logKey))
            guard let key, key.name == Bytes(text: CountersignServer.origin(of: found.publicURL)) else {
                throw BackupError.damaged(BackupAbout.partName)
            }
            about = found
        }

        private mutating func add(table: String, _ name: String, _ content: Bytes) throws {
            let page = try BackupRows(content, name: name)
            guard columns[table] == nil || columns[table] == page.columns else { throw BackupError.damaged(name) }
            columns[table] = page.columns
            rows[table, default: 0] += Int64(page.rows.count)
            if table == BackupTables.logState { log = try makeLog(try page.sealed()) }
            if table == BackupTables.log {
                guard log != nil else { throw BackupError.damaged(name) }
                _ = try log?.add(try page.logEntries())
            }
        }

        private mutating func makeLog(_ sealed: LogStore.Sealed) throws -> LogRebuild {
            let key = try NoteVerifierKey.parse(Bytes(text: about?.logKey ?? ""))
            let name = String(decoding: key.name, as: UTF8.self)
            // While the log's key changes, two keys sign, so a verifier who pins either of them can check.
            let pinned = check.policy?.logs.map(\.key) ?? [key]
            func isSigned(_ note: Bytes, by keys: [NoteVerifierKey]) -> Checkpoint? {
                try? VerifiedCheckpoint.verify(note, policy: LogPolicy(logKeys: keys), suite: suite).checkpoint
            }
            guard isSigned(Bytes(text: sealed.checkpoint), by: pinned) != nil else {
                // If its own key did not sign it either, the backup is not whole.
                _ = try LogRebuild(sealed: sealed, key: key)
                throw BackupError.otherLog(name)
            }
            var earlier: Checkpoint?
            if let note = check.newest {
                guard let seen = isSigned(note, by: pinned + [key]) else { throw BackupError.otherLog(name) }
                behind = seen.size > UInt64(sealed.size) ? seen.size - UInt64(sealed.size) : 0
                if behind == 0 { earlier = seen }
            }
            return try LogRebuild(sealed: sealed, key: key, earlier: earlier)
        }

        func finish(chain: Bytes) throws -> Report {
            guard let about, let log, let manifest = manifest?.value, isComplete else {
                throw BackupError.damaged("it ends too early")
            }
            guard manifest.contents == contents else {
                throw BackupError.damaged("a part is not what the manifest says")
            }
            _ = try log.finish()
            let counts = Dictionary(manifest.tables.map { ($0.name, $0.rows) }) { first, _ in first }
            guard counts.count == manifest.tables.count else { throw BackupError.damaged(BackupManifest.partName) }
            let found = BackupManifest.Log(
                size: log.checkpoint.size, root: log.checkpoint.root, waiting: log.waiting, forgotten: log.forgotten)
            guard counts == rows, manifest.log == found,
                manifest.tables.allSatisfy({ columns[$0.name] == $0.columns })
            else { throw BackupError.damaged(BackupManifest.partName) }
            return Report(
                about: about, manifest: manifest, behind: behind, checkpoint: log.note, chain: chain)
        }
    }
}

/// No part comes twice: keys, then tables by their numbers, then blobs by their names, as every version has written
/// them.
private struct PartOrder {
    private var keys: Set<String> = []
    private var tables: [String: Int] = [:]
    private var blob = ""

    mutating func allows(_ name: String) -> Bool {
        if name.hasPrefix("keys/") { return keys.insert(name).inserted && tables.isEmpty && blob.isEmpty }
        if name.hasPrefix("blobs/") {
            defer { blob = name }
            return name > blob
        }
        guard let table = BackupTables.table(ofPart: name) else { return true }
        let number = tables[table, default: 0]
        tables[table] = number + 1
        return blob.isEmpty && name == BackupTables.partName(table, number)
    }
}

/// The history of a backup's tables.
enum BackupSchema {
    /// The migrations that lead to the tables of a backup, in the order in which they were run there: of each slice the
    /// beginning of the program's.
    ///
    /// - Throws: `BackupError.newer` when a later program made it.
    @discardableResult
    static func check(_ recorded: [RecordedMigration], _ slices: [Slice]) throws(BackupError) -> [Migration] {
        guard !recorded.isEmpty else { throw .damaged(BackupAbout.partName) }
        do {
            return try slices.histories.match(recorded)
        } catch .migration(.unknown(let name)), .migration(.changed(let name)), .migration(.reordered(_, let name)),
            .migration(.duplicate(let name))
        {
            throw .newer("migration \(name)")
        } catch {
            throw .damaged(BackupAbout.partName)
        }
    }
}
