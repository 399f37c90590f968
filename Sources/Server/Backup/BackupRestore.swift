import CryptoProvider
import Encodings
import Foundation
package import Storage
import Synchronization
import Transparency

/// Puts a backup that was checked into an empty place.
///
/// What refuses a server comes first: the published checkpoint, without which nothing else is written, and last the
/// rows, in one transaction. A restore that was cut leaves a directory that no server starts on.
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
        guard try await bucket.log.list().isEmpty, try await bucket.blobs.list().isEmpty else {
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
        try await confirm(log, stores.blobs)
        let migrations = try BackupSchema.check(report.about.migrations, check.slices)
        let source = try await BackupSource(check.path, passphrase: check.passphrase)
        // A thread of the database waits for the file here: nobody else is there to be held up.
        let rows = RowSource(source)
        try await database.write { transaction in
            try transaction.migrate(migrations)
            try rows.insert(into: transaction)
            let store = BlobColumnStore(transaction: transaction, slices: check.slices)
            for name in report.manifest.gone { try store.end(name, at: report.about.created) }
            try confirm(transaction)
        }
    }

    /// Blobs, and bytes of them, that are written in one go: a store does several at once.
    private static let together = 32
    private static let bytesTogether = 16 << 20

    /// Keys, blobs and the log's tiles.
    private func writeFiles(
        _ log: LogFiles, _ blobs: any BlobStore, _ progress: @Sendable (Int) -> Void
    ) async throws {
        let source = try await BackupSource(check.path, passphrase: check.passphrase)
        let keys = KeyFolder(in: directory)
        let key = try NoteVerifierKey.parse(Bytes(text: report.about.logKey))
        var rebuild: LogRebuild?
        var waiting: [Blob] = []
        var done = 0
        while let (header, content) = try source.part() {
            let name = header.name
            if name.hasPrefix("keys/") {
                try keys.write(String(name.dropFirst(5)), content)
            } else if name.hasPrefix("blobs/") {
                waiting.append(Blob(name: String(name.dropFirst(6)), bytes: content))
                if waiting.count >= Self.together || waiting.reduce(0, { $0 + $1.bytes.count }) >= Self.bytesTogether {
                    try await blobs.write(waiting)
                    waiting = []
                }
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
        try await blobs.write(waiting)
        if let files = try rebuild?.finish(), !files.isEmpty { try await log.write(files) }
    }

    // MARK: After

    /// Reads back what the transaction wrote: the engine's own rules hold for it already.
    private func confirm(_ transaction: Transaction) throws {
        let shapes = try transaction.tables()
        guard Set(shapes.map(\.name)) == Set(report.manifest.tables.map(\.name)) else {
            throw BackupError.notRestored("the tables")
        }
        for table in report.manifest.tables {
            guard let shape = shapes.first(where: { $0.name == table.name }),
                try transaction.count(shape) == table.rows
            else { throw BackupError.notRestored("table \(table.name)") }
        }
        let named = try BlobColumnStore(transaction: transaction, slices: check.slices)
            .names(at: report.about.created)
        guard named == Set(report.blobs).union(report.manifest.missing) else {
            throw BackupError.notRestored("the names of the sealed documents")
        }
    }

    /// Reads files back: the edge of the tree against the signed root, each blob against its digest.
    private func confirm(_ log: LogFiles, _ blobs: any BlobStore) async throws {
        let suite = SwiftCryptoSuite()
        let size = report.manifest.log.size
        guard let state = try? await log.edge(of: size, suite: suite),
            state.root(suite: suite) == report.manifest.log.root
        else { throw BackupError.notRestored("the log") }
        let digests = Dictionary(uniqueKeysWithValues: report.manifest.parts.map { ($0.name, $0.digest) })
        try await blobs.forEach(report.blobs) { name, bytes in
            guard let bytes, suite.sha256(bytes) == digests["blobs/\(name)"] else {
                throw BackupError.notRestored("blobs/\(name)")
            }
        }
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

/// The published checkpoint goes last: as long as anything is left, no server starts on it.
private func empty(_ bucket: BlobStores) async throws {
    for blob in try await bucket.blobs.list() { try await bucket.blobs.delete(blob.name) }
    try await bucket.log.deleteAll(under: "tile")
    try await bucket.log.delete("checkpoint")
}

/// Hands the rows of a backup to a transaction.
private final class RowSource: Sendable {
    private let source: Mutex<BackupSource>

    init(_ source: sending BackupSource) { self.source = Mutex(source) }

    func insert(into transaction: Transaction) throws {
        let shapes = try transaction.tables()
        try source.withLock { source in
            var own: (shape: TableShape, page: BackupRows)?
            while let (header, content) = try source.part() {
                guard let name = BackupTables.table(ofPart: header.name) else { continue }
                guard let shape = shapes.first(where: { $0.name == name }) else {
                    throw BackupError.notRestored("table \(name)")
                }
                let page = try BackupRows(content, name: header.name)
                guard page.columns == shape.columns else { throw BackupError.notRestored("table \(name)") }
                if let waiting = own, waiting.shape != shape {
                    try Self.insert(waiting.page, waiting.shape, transaction)
                    own = nil
                }
                guard !shape.ownReferences.isEmpty else {
                    try transaction.insert(page.rows, into: shape)
                    continue
                }
                own = own ?? (shape, BackupRows(columns: shape.columns))
                own?.page.rows += page.rows
            }
            if let own { try Self.insert(own.page, own.shape, transaction) }
        }
    }

    /// Rows that point to others of their table go after these.
    private static func insert(_ page: BackupRows, _ shape: TableShape, _ transaction: Transaction) throws {
        var known: [String: Set<String>] = [:]
        var waiting = page.rows
        while !waiting.isEmpty {
            let isReady = { (row: [SQLValue]) in
                shape.ownReferences.allSatisfy { reference in
                    guard let target = page.text(reference.column, row) else { return true }
                    return known[reference.target]?.contains(target) ?? false
                }
            }
            let ready = waiting.filter(isReady)
            guard !ready.isEmpty else { throw BackupError.notRestored("table \(shape.name)") }
            waiting.removeAll(where: isReady)
            try transaction.insert(ready, into: shape)
            for reference in shape.ownReferences {
                known[reference.target, default: []].formUnion(ready.compactMap { page.text(reference.target, $0) })
            }
        }
    }
}
