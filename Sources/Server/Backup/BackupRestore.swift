import CryptoProvider
import Encodings
import Foundation
package import Storage
import Transparency

/// Puts a backup that was checked into an empty place.
///
/// The published checkpoint comes first, because a server refuses to start over it; nothing else is written without it.
/// The rows come last, in one transaction. A restore that was cut leaves a directory that no server starts on.
package struct BackupRestore: Sendable {
    /// The check that the backup has passed.
    package let check: BackupCheck
    /// What it found.
    package let report: BackupCheck.Report
    /// The data directory.
    package let directory: String
    /// Where the tables go, of whichever engine.
    package let place: DatabasePlace
    /// Where sealed documents and the log go; `nil` for folders of the data directory.
    package let bucket: BlobStores?

    /// A restore of what was checked.
    package init(
        check: BackupCheck, report: BackupCheck.Report, directory: String, place: DatabasePlace,
        bucket: BlobStores? = nil
    ) {
        self.check = check
        self.report = report
        self.directory = directory
        self.place = place
        self.bucket = bucket
    }

    /// Restores, and reads back what was written.
    ///
    /// - Throws: `BackupError.notEmpty` before anything is written; after any other error what was written is removed.
    package func run(progress: @escaping @Sendable (Int) -> Void = { _ in }) async throws {
        try requireEmptyDirectory()
        // Before anything can fail and be removed again: what others have there is not ours to remove.
        if let bucket { try await requireEmpty(bucket) }
        let held = try DataDirectory.open(directory, isShared: place.isShared)
        do {
            let database = try await place.open()
            do {
                try await requireEmpty(database)
                try await restore(into: database, held, progress)
            } catch {
                try? await database.close()
                throw error
            }
            try await database.close()
        } catch {
            await removeWritten()
            throw error
        }
    }

    // MARK: Before

    private func requireEmptyDirectory() throws {
        guard FileManager.default.fileExists(atPath: directory) else {
            guard report.about.hasKeys else { throw BackupError.keysMissing }
            return
        }
        let found = try FileManager.default.contentsOfDirectory(atPath: directory)
        let allowed = report.about.hasKeys ? ["lost+found"] : ["lost+found", "keys"]
        guard found.allSatisfy(allowed.contains) else { throw BackupError.notEmpty(directory) }
        guard !report.about.hasKeys else { return }
        let origin = CountersignServer.origin(of: report.about.publicURL)
        let keys = try KeyFolder(in: directory).logKeys(origin: origin).map { $0.encoded() }
        guard keys.contains(Bytes(text: report.about.logKey)) else { throw BackupError.keysMissing }
    }

    private func requireEmpty(_ database: any Database) async throws {
        let tables = try await database.read { transaction in
            (try transaction.tables().map(\.name), try transaction.recordedMigrations())
        }
        guard tables.0.isEmpty, tables.1.isEmpty else { throw BackupError.notEmpty("the database") }
    }

    private func requireEmpty(_ bucket: BlobStores) async throws {
        try await bucket.tryOut()
        guard try await bucket.log.isEmpty(), try await bucket.blobs.isEmpty() else {
            throw BackupError.notEmpty("the part of the bucket")
        }
    }

    // MARK: Writing

    private func restore(
        into database: any Database, _ held: DataDirectory, _ progress: @escaping @Sendable (Int) -> Void
    ) async throws {
        let stores = if let bucket { bucket } else { try await BlobStores.folders(of: held) }
        let log = LogFiles(store: stores.log)
        try await log.publish(report.checkpoint)
        try await writeFiles(log, stores.blobs, progress)
        try await confirm(log)
        let migrations = try BackupSchema.check(report.about.migrations, check.slices)
        let source = try await BackupSource(check.path, passphrase: check.passphrase)
        // A thread of the database waits for the file here: nobody else is there to be held up.
        let rows = RestoredRows(source, report: report, slices: check.slices, directory: directory)
        try await database.write { transaction in
            try transaction.migrate(migrations)
            try rows.insert(into: transaction)
        }
    }

    /// Keys, blobs and the log's tiles.
    private func writeFiles(
        _ log: LogFiles, _ blobs: any BlobStore, _ progress: @Sendable (Int) -> Void
    ) async throws {
        let source = try await BackupSource(check.path, passphrase: check.passphrase)
        let keys = KeyFolder(in: directory)
        let key = try NoteVerifierKey.parse(Bytes(text: report.about.logKey))
        var rebuild: LogRebuild?
        var waiting = WaitingBlobs()
        var done = 0
        while let (header, content) = try source.part() {
            let name = header.name
            if name.hasPrefix("keys/") {
                try keys.write(String(name.dropFirst(5)), content)
            } else if name.hasPrefix("blobs/") {
                waiting.add(Blob(name: String(name.dropFirst(6)), bytes: content), source.digest)
                if waiting.isFull { try await waiting.write(to: blobs) }
            } else if let table = BackupTables.table(ofPart: name) {
                if table == BackupTables.logState {
                    rebuild = try LogRebuild(sealed: try BackupRows(content, name: name).sealed(), key: key)
                } else if table == BackupTables.log,
                    let files = try rebuild?.add(
                        try BackupRows(content, name: name).logEntries()), !files.isEmpty
                {
                    try await log.write(files)
                }
            }
            done += content.count
            progress(done)
        }
        try await waiting.write(to: blobs)
        guard source.chain == report.chain else { throw BackupError.damaged("it was changed after it was checked") }
        if let files = try rebuild?.finish(), !files.isEmpty { try await log.write(files) }
    }

    // MARK: After

    /// Reads the edge of the tree back, against the signed root.
    private func confirm(_ log: LogFiles) async throws {
        let suite = SwiftCryptoSuite()
        let size = report.manifest.log.size
        guard let state = try? await log.edge(of: size, suite: suite),
            state.root(suite: suite) == report.manifest.log.root
        else { throw BackupError.notRestored("the log") }
    }

    /// The place was empty: everything in it is ours, but keys that were there.
    private func removeWritten() async {
        if let bucket { try? await empty(bucket) }
        var names = ["log", "blobs", "lock"]
        if report.about.hasKeys { names.append("keys") }
        if case .sqlite = place { names += ["", "-wal", "-shm"].map { "countersign.sqlite\($0)" } }
        for name in names { try? FileManager.default.removeItem(atPath: "\(directory)/\(name)") }
    }
}

/// Blobs that are written in one go: a store does several at once.
private struct WaitingBlobs {
    private var blobs: [Blob] = []
    private var digests: [String: Bytes] = [:]
    private var bytes = 0

    var isFull: Bool { blobs.count >= 32 || bytes >= 16 << 20 }

    mutating func add(_ blob: Blob, _ digest: Bytes) {
        blobs.append(blob)
        digests[blob.name] = digest
        bytes += blob.bytes.count
    }

    /// Writes them, and reads each back.
    mutating func write(to store: any BlobStore) async throws {
        try await store.write(blobs)
        let suite = SwiftCryptoSuite()
        try await store.forEach(blobs.map(\.name)) { name, bytes in
            guard let bytes, suite.sha256(bytes) == digests[name] else {
                throw BackupError.notRestored("blobs/\(name)")
            }
        }
        self = WaitingBlobs()
    }
}

/// The published checkpoint goes last: as long as anything is left, no server starts on it.
private func empty(_ bucket: BlobStores) async throws {
    try await bucket.blobs.forEachPage { page in
        for blob in page { try await bucket.blobs.delete(blob.name) }
    }
    try await bucket.log.deleteAll(under: "tile")
    try await bucket.log.delete("checkpoint")
}
