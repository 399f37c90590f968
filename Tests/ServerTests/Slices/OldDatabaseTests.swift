import Foundation
import Interface
import Storage
import Testing

@testable import Server

/// A database that version 0.3 has written, whose migrations are recorded as one list.
@Suite("A database of 0.3")
struct OldDatabaseTests {
    private static func counts(_ transaction: Transaction) throws -> [String: Int64] {
        try transaction.tables().reduce(into: [:]) { $0[$1.name] = try transaction.count($1) }
    }

    @Test("opens with everything in it, and is backed up and restored")
    func opens() async throws {
        let old = try await OldOrganisation()
        let before = try await old.database.place.snapshot { try Self.counts($0) }
        #expect(before["accounts"] == 3 && before["log_entries"] == 11 && before["signings"] == 1)
        let place = old.database.place
        let history = try await place.snapshot { try $0.recordedMigrations() }
        let server = try await old.server()
        let recorded = try await place.snapshot { try $0.recordedMigrations() }
        #expect(history.count == 6 && Array(recorded.prefix(6)) == history)
        #expect(Set(recorded.map(\.name)) == Set(Slice.all.flatMap(\.migrations).map(\.name)))
        let after = try await place.snapshot { try Self.counts($0) }
        let gone = "replaced_owner_certificates"
        // Three secrets more: those of approvals, of notifications and of wallets that scan.
        let more = ["server_keys": 3] as [String: Int64]
        for (table, count) in before where table != gone {
            #expect(after[table] == count + (more[table] ?? 0), "\(table)")
        }
        // Its root, the certificates of its main administrator and of two keys, and the main administrator's earlier
        // ones.
        #expect(try after["organisation_certificates"] == 4 + #require(before[gone]))
        #expect(await server.environment.log.size == 11)
        // Its start has removed no file: each is named by a row.
        let blobs = Set(try await server.environment.blobs.list().map(\.name))
        #expect(blobs.count == 4)
        #expect(try await place.snapshot { try Self.names($0) } == blobs)

        let folder = try BackupFolder()
        _ = try await BackupWriter(
            place: place, blobs: server.environment.blobs, directory: old.folder.path, includesKeys: true
        ).write(to: folder.path("old.backup"), passphrase: nil, now: OldOrganisation.time)
        try await folder.restore("old.backup", into: "restored")
        let again = folder.place("restored")
        #expect(try await again.snapshot { try $0.recordedMigrations() } == recorded)
        #expect(try await again.snapshot { try Self.counts($0) } == after)
        #expect(try await again.snapshot { try Self.names($0) } == blobs)
    }

    private static func names(_ transaction: Transaction) throws -> Set<String> {
        try BlobColumnStore(transaction: transaction, slices: Slice.all).names(at: OldOrganisation.time)
    }

    @Test("one whose history was changed is refused")
    func changed() async throws {
        let old = try await OldOrganisation()
        try await old.database.database.write { transaction in
            try transaction.execute("UPDATE schema_migrations SET digest = 'x' WHERE name = '0004-log-policies'")
        }
        await #expect(throws: StorageError.migration(.changed(name: "0004-log-policies"))) {
            try await old.server()
        }
    }

    /// Every column that holds the name of a blob or of an account, as rows show.
    @Test("every column that holds an account or a blob is claimed by exactly one slice")
    func claimed() async throws {
        let old = try await OldOrganisation()
        let server = try await old.server()
        let blobs = Set(try await server.environment.blobs.list().map(\.name))
        let (accounts, columns) = try await old.database.place.snapshot { transaction in
            var found: [(table: String, column: String, values: Set<String>)] = []
            for shape in try transaction.tables() {
                let rows = try transaction.page(of: shape, after: nil, limit: 1_000)
                for (index, column) in shape.columns.enumerated() {
                    let texts = rows.compactMap { if case .text(let text) = $0[index] { text } else { nil } }
                    found.append((shape.name, column, Set(texts)))
                }
            }
            return (try transaction.rows("SELECT id FROM accounts", []).map { try $0.text("id") }, found)
        }
        #expect(accounts.count == 3)
        let ids = Set(accounts)
        for column in columns {
            if !column.values.isDisjoint(with: blobs) {
                let claims = Slice.all.flatMap(\.blobs).count {
                    $0.table == column.table && $0.column == column.column
                }
                #expect(claims == 1, "blobs in \(column.table).\(column.column)")
            }
            if !column.values.isDisjoint(with: ids), column.table != "accounts" {
                let claims = Slice.all.flatMap(\.people).count {
                    $0.table == column.table && $0.column == column.column
                }
                #expect(claims == 1, "accounts in \(column.table).\(column.column)")
            }
        }
    }
}
