import CryptoProvider
import Encodings
import Foundation
import Interface
import Storage
import Testing

@testable import Server

/// A folder for backups and what is restored from them, gone afterwards.
final class BackupFolder: Sendable {
    let url = FileManager.default.temporaryDirectory.appendingPathComponent("backup-\(UUID().uuidString)")

    init() throws { try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true) }
    deinit { try? FileManager.default.removeItem(at: url) }

    func path(_ name: String) -> String { url.appendingPathComponent(name).path }
    func bytes(_ name: String) throws -> Bytes { Array(try Data(contentsOf: url.appendingPathComponent(name))) }
    func exists(_ name: String) -> Bool { FileManager.default.fileExists(atPath: path(name)) }

    /// Where a restore of SQLite puts its tables.
    func place(_ name: String) -> DatabasePlace { DatabasePlace(url: nil, directory: path(name)) }
}

extension TestOrganisation {
    /// What makes a backup of this organisation.
    func backupWriter(includesKeys: Bool = true, blobs: (any BlobStore)? = nil) -> BackupWriter {
        BackupWriter(
            place: place, blobs: blobs ?? server.environment.blobs, directory: folder.path, includesKeys: includesKeys)
    }

    /// Writes a backup of this organisation.
    @discardableResult
    func backUp(
        to path: String, passphrase: String? = nil, includesKeys: Bool = true, blobs: (any BlobStore)? = nil
    ) async throws -> BackupManifest {
        try await backupWriter(includesKeys: includesKeys, blobs: blobs)
            .write(to: path, passphrase: passphrase, now: clock.clock.now()).manifest
    }

    /// Adds a document whose sealed package is stored.
    func addDocument(_ id: String, holder: NewSession, sealed: Bytes) async throws {
        let name = "blob-of-\(id)"
        try await server.environment.blobs.write(name, sealed)
        try await server.environment.database.write { transaction in
            try DocumentStore(transaction: transaction).insert(
                DocumentStore.Stored(
                    id: id, type: "generic", holder: holder.account.id, device: holder.deviceID,
                    issuer: holder.account.id, credential: "credential of \(id)",
                    status: StatusPlace(list: 1, position: 1), size: Int64(sealed.count), blob: name, statement: "s",
                    logIndex: 0, issued: 1))
        }
    }

    /// Adds entries to the log.
    func addEntries(_ count: Int) async throws {
        let log = server.environment.log
        let last = try await server.environment.database.write { transaction in
            var last: Int64 = 0
            for number in 0..<count {
                last = try log.record(
                    TrustEvent(.documentIssued, account: "nobody", [("credential", .text("c\(number)"))]),
                    in: transaction, now: 1)
            }
            return last
        }
        _ = try await log.receipt(last)
    }

    /// Every row of every table.
    func rows() async throws -> [String: [[SQLValue]]] { try await Self.rows(place) }

    /// Every row of every table at a place.
    static func rows(_ place: DatabasePlace) async throws -> [String: [[SQLValue]]] {
        try await place.snapshot { transaction in
            var rows: [String: [[SQLValue]]] = [:]
            for table in try transaction.tables() {
                rows[table.name] = try transaction.page(of: table, after: nil, limit: 100_000)
            }
            return rows
        }
    }
}

extension BackupFolder {
    /// Checks a backup and restores it.
    func restore(
        _ file: String, into name: String, place: DatabasePlace? = nil, passphrase: String? = nil,
        bucket: BlobStores? = nil
    ) async throws {
        let check = BackupCheck(path: path(file), passphrase: passphrase)
        let report = try await check.run()
        try await BackupRestore(
            check: check, report: report, directory: path(name), place: place ?? self.place(name),
            bucket: bucket
        ).run()
    }
}

extension BlobColumnStore {
    /// All names at once, for the few of a test.
    func names(at time: Int64) throws -> Set<String> {
        var names: Set<String> = []
        try forEachPage(at: time) { names.formUnion($0) }
        return names
    }
}
