import CryptoProvider
import Encodings
import Foundation
import HTTPTypes
import Interface
import Storage
import Testing
import Transparency

@testable import Server

/// Backups that older versions of the program made.
@Suite("Backups of older versions")
struct OldBackupTests {
    /// The same organisation as a program had it that knew the first migrations only: the columns of then, no others.
    private static func copy(
        _ organisation: TestOrganisation, into database: any Database, migrations: Int
    ) async throws {
        try await database.migrate(Array(Schema.released.prefix(migrations)))
        let rows = try await organisation.rows()
        let shapes = try await organisation.place.snapshot { try $0.tables() }
        let stored = try await organisation.stored()
        // They were columns of the organisation.
        let certificates: [String: SQLValue] = [
            "root_certificate": .text(stored.rootCertificate), "owner_certificate": .text(stored.ownerCertificate),
            "status_certificate": .text(try #require(stored.certificates[.statusSigner])),
            "desk_certificate": .text(try #require(stored.certificates[.deskSigner])),
        ]
        try await database.write { transaction in
            // Columns that no longer exist take their values from elsewhere.
            for old in try transaction.tables() where old.name != "replaced_owner_certificates" {
                let new = try #require(shapes.first { $0.name == old.name })
                let values = try old.columns.map { column -> ([SQLValue]) throws -> SQLValue in
                    if let place = new.columns.firstIndex(of: column) { return { $0[place] } }
                    let certificate = try #require(certificates[column])
                    return { _ in certificate }
                }
                let filled = try (rows[old.name] ?? []).map { row in try values.map { try $0(row) } }
                try transaction.insert(filled, into: old)
            }
        }
    }

    @Test(
        "restore, and the server's start runs the migrations that are missing", arguments: 1..<Schema.released.count)
    func older(count: Int) async throws {
        let folder = try BackupFolder()
        let organisation = try await TestOrganisation()
        try await organisation.addEntries(20)
        let old = try await TestDatabase(emptyFile: folder.path("old.sqlite"))
        defer { old.remove() }
        try await organisation.serve { client in
            _ = try await client.setUp(organisation.person("owner"))
            let alice = try await client.join(organisation.person("alice"))
            try await organisation.addDocument("one", holder: alice, sealed: [1, 2, 3])
            try await Self.copy(organisation, into: old.database, migrations: count)
            try await old.database.close()
            let made = try await BackupWriter(
                place: old.place, blobs: organisation.server.environment.blobs, directory: organisation.folder.path,
                includesKeys: true
            ).write(to: folder.path("old.backup"), passphrase: nil, now: organisation.clock.clock.now())
            #expect(made.about.migrations.map(\.name) == Schema.released.prefix(count).map(\.name))

            try await folder.restore("old.backup", into: "restored")
            let place = folder.place("restored")
            #expect(try await place.snapshot { try $0.recordedMigrations() } == made.about.migrations)
            let again = try await TestOrganisation(
                folder: folder.url.appendingPathComponent("restored"), place: place)
            let recorded = try await place.snapshot { try $0.recordedMigrations() }
            #expect(Array(recorded.prefix(count)) == made.about.migrations)
            #expect(Set(recorded.map(\.name)) == Set(Slice.all.flatMap(\.migrations).map(\.name)))
            try await again.serve { client in
                #expect(try await client.send(.get, "/api/account", token: alice.token).status == 200)
                let bob = try await client.join(again.person("bob"))
                #expect(bob.receipt != nil)
            }
            #expect(try await again.server.environment.blobs.read("blob-of-one") == [1, 2, 3])
            let log = again.server.environment.log
            let key = try NoteVerifierKey.parse(Bytes(text: log.verifierKey))
            for index in [0, 19] as [Int64] {
                let receipt = try await log.receipt(index)
                let verified = try Transparency.Receipt.verify(
                    Bytes(text: receipt.proof), policy: LogPolicy(logKey: key), suite: SwiftCryptoSuite())
                #expect(verified.index == UInt64(index))
            }
        }
    }
}
