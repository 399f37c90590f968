import Encodings
import Foundation
import Interface
package import Storage
import Synchronization
import Transparency

/// Makes a backup beside a server that goes on working.
///
/// The order makes it consistent: one snapshot of all rows, and then the blobs that these rows name. A blob never
/// changes under its name, and is there before its row. One that its owner deletes in between is noted as gone, and a
/// restore deletes its row as the owner did. If a row has got another one, such as the file of a template, that of the
/// snapshot is noted as missing. The log's files follow from the rows (see `LogRebuild`).
package struct BackupWriter: Sendable {
    /// The tables.
    package let place: DatabasePlace
    /// The sealed documents.
    package let blobs: any BlobStore
    /// The data directory, which holds the keys.
    package let directory: String
    /// Whether the keys come along.
    package let includesKeys: Bool
    /// The parts that the server has.
    let slices: [Slice]

    /// A backup of what is here.
    package init(
        place: DatabasePlace, blobs: any BlobStore, directory: String, includesKeys: Bool, slices: [Slice] = Slice.all
    ) {
        self.place = place
        self.blobs = blobs
        self.directory = directory
        self.includesKeys = includesKeys
        self.slices = slices
    }

    /// How far a backup has come.
    package enum Progress: Sendable {
        /// So many rows are written.
        case rows(Int64)
        /// So many of so many blobs are written.
        case blobs(Int, of: Int)
    }

    /// The folders of a data directory that no backup has: with them it would bring back what was destroyed.
    package static func leftOut(of directory: String) -> [String] {
        [GuardFolder.name, VaultEpochs.name].filter { FileManager.default.fileExists(atPath: "\(directory)/\($0)") }
    }

    /// Writes a backup.
    ///
    /// - Parameters:
    ///   - path: a file that does not exist; it is there once the backup is whole.
    ///   - passphrase: seals it.
    ///   - now: seconds since 1970.
    /// - Throws: `BackupError`, or what reading and writing throw.
    package func write(
        to path: String, passphrase: String?, now: Int64, random: RandomSource = .system,
        progress: @escaping @Sendable (Progress) -> Void = { _ in }
    ) async throws -> (about: BackupAbout, manifest: BackupManifest) {
        let seal: BackupSeal? =
            if let passphrase { try await BackupSeal(passphrase: passphrase, random: random) } else { nil }
        let sink = try BackupSink(path, seal: seal)
        do {
            let names = try Spool(in: DurableFile.directory(of: path))
            return try await write(into: sink, names, now: now, progress: progress)
        } catch {
            // A thread of the database may hold the sink a moment longer than this call lasts.
            sink.discard()
            throw error
        }
    }

    /// - Parameter names: where the names of the blobs wait until the rows are written.
    private func write(
        into sink: BackupSink, _ names: Spool, now: Int64, progress: @escaping @Sendable (Progress) -> Void
    ) async throws -> (about: BackupAbout, manifest: BackupManifest) {
        let (about, tables, log, replaceable) = try await place.snapshot { transaction in
            let about = try self.about(transaction, now: now)
            try sink.add(BackupAbout.partName, about.encoded())
            if includesKeys {
                for (name, content) in try KeyFolder(in: directory).files() {
                    try sink.add("keys/\(name)", content)
                }
            }
            let (tables, log) = try copyRows(transaction, about, sink, progress: progress)
            let columns = BlobColumnStore(transaction: transaction, slices: slices)
            try columns.forEachPage(at: now) { page in
                for name in page { try names.append(Bytes(text: name)) }
            }
            return (about, tables, log, try columns.replaceable(at: now))
        }
        var copying = BackupBlobs(
            place: place, blobs: blobs, slices: slices, sink: sink, now: now, count: names.count,
            replaceable: replaceable, progress: progress)
        try await copying.copy(names)
        let manifest = BackupManifest(contents: sink.contents, tables: tables, log: log)
        try sink.add(manifest)
        try sink.finish()
        return (about, manifest)
    }

    private func about(_ transaction: Transaction, now: Int64) throws -> BackupAbout {
        guard !(try transaction.recordedMigrations().isEmpty),
            let organisation = try OrganisationStore(transaction: transaction).find()
        else { throw BackupError.notSetUp }
        let origin = CountersignServer.origin(of: organisation.publicURL)
        let sealed = Bytes(text: try LogStore(transaction: transaction).sealed().checkpoint)
        guard let key = try KeyFolder(in: directory).logKey(origin: origin, thatSigned: sealed) else {
            throw BackupError.logDamaged("its key is not in the data directory")
        }
        return BackupAbout(
            created: now, program: CountersignVersion.text, engine: place.engine, organisation: organisation.name,
            publicURL: organisation.publicURL, logKey: String(decoding: key.encoded(), as: UTF8.self),
            hasKeys: includesKeys, migrations: try transaction.recordedMigrations())
    }

    private func copyRows(
        _ transaction: Transaction, _ about: BackupAbout, _ sink: BackupSink, progress: (Progress) -> Void
    ) throws -> (tables: [BackupManifest.Table], log: BackupManifest.Log) {
        let key = try NoteVerifierKey.parse(Bytes(text: about.logKey))
        var log = try LogRebuild(sealed: try LogStore(transaction: transaction).sealed(), key: key)
        var tables: [BackupManifest.Table] = []
        var total: Int64 = 0
        for shape in BackupTables.ordered(try transaction.tables()) {
            var table = BackupManifest.Table(name: shape.name, columns: shape.columns, rows: 0)
            var parts = TableParts(table: shape.name, sink: sink)
            var last: [SQLValue]?
            while true {
                let limit = parts.pageLength
                var page = BackupRows(columns: shape.columns)
                page.rows = try transaction.page(of: shape, after: last, limit: limit)
                if shape.name == BackupTables.log { _ = try log.add(try page.logEntries()) }
                table.rows += Int64(page.rows.count)
                total += Int64(page.rows.count)
                last = page.rows.last
                try parts.add(page)
                progress(.rows(total))
                if page.rows.count < limit { break }
            }
            try parts.finish(columns: shape.columns)
            tables.append(table)
        }
        _ = try log.finish()
        return (
            tables,
            BackupManifest.Log(
                size: log.checkpoint.size, root: log.checkpoint.root, waiting: log.waiting, forgotten: log.forgotten)
        )
    }
}
