import CryptoProvider
import Encodings
import FaultyObjectStore
import Foundation
import Interface
import Storage
import Testing

@testable import Server

/// Each fault is made, and found.
@Suite("The doctor")
struct DoctorTests {
    /// The damage to a healthy deployment, and the check that must notice.
    enum Fault: String, CaseIterable {
        case openDirectory, openKey, missingKey, otherStatusKey, otherRootKey, otherLabelSecret
        case missingTile, changedTile, changedRecord, missingCheckpoint, publishedAhead
        case missingBlob, orphanBlob, clockBehind, certificatesEnd, publicURL
        case tlsMissing, newerSchema

        var check: String {
            switch self {
            case .openDirectory: "directory"
            case .openKey, .missingKey, .otherStatusKey, .otherRootKey, .otherLabelSecret: "keys"
            case .missingTile, .changedTile, .changedRecord, .missingCheckpoint, .publishedAhead: "log"
            case .missingBlob, .orphanBlob: "documents"
            case .clockBehind: "clock"
            case .certificatesEnd: "certificates"
            case .publicURL, .tlsMissing: "TLS"
            case .newerSchema: "database"
            }
        }
    }

    private static func settle(stores: BlobStores? = nil) async throws -> TestOrganisation {
        let organisation = try await TestOrganisation(sharing: nil, stores: stores)
        // Entries of long ago first: what follows is as new as the clock says.
        try await organisation.addEntries(300)
        try await organisation.serve { client in
            _ = try await client.setUp(organisation.person("owner"))
            let session = try await client.join(organisation.person("alice"))
            try await organisation.addDocument("one", holder: session, sealed: [1, 2, 3])
        }
        return organisation
    }

    private static func examine(
        _ organisation: TestOrganisation, later: Int64 = 0, bucket: BlobStores? = nil,
        _ change: (inout ServerConfiguration) -> Void = { _ in }
    ) async -> [Finding] {
        var configuration = ServerConfiguration()
        configuration.dataDirectory = organisation.folder.path
        change(&configuration)
        return await Doctor(
            Deployment(
                configuration: configuration, place: organisation.place,
                stores: bucket ?? .folders(asTheyAreIn: organisation.folder.path),
                now: organisation.clock.clock.now() + later)
        ).run()
    }

    /// Findings that are not good, except room, which depends on the machine.
    private static func troubles(_ findings: [Finding]) -> [String] {
        findings.filter { $0.result != .good && !$0.detail.hasSuffix("MiB are free") }.map(\.name)
    }

    @Test("finds nothing wrong with a healthy server that runs")
    func healthy() async throws {
        let organisation = try await Self.settle()
        let findings = await Self.examine(organisation)
        #expect(Self.troubles(findings) == [], "\(findings)")
        #expect(Set(findings.map(\.name)).count == 9)
    }

    @Test("finds each fault, and says what to do", arguments: Fault.allCases)
    func faults(fault: Fault) async throws {
        let organisation = try await Self.settle()
        let files = FileManager.default
        let folder = organisation.folder
        func path(_ name: String) -> String { folder.appendingPathComponent(name).path }
        func flip(_ name: String) throws {
            var bytes = try Data(contentsOf: folder.appendingPathComponent(name))
            bytes[bytes.count / 2] ^= 1
            try bytes.write(to: folder.appendingPathComponent(name))
        }
        func write(_ sql: String) async throws {
            try await organisation.server.environment.database.write { try $0.execute(sql) }
        }
        var later: Int64 = 0
        var change: (inout ServerConfiguration) -> Void = { _ in }
        let other = Hex.encode(RandomBytes.make(32)) + [0x0A]
        switch fault {
        case .openDirectory: try files.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder.path)
        case .openKey: try files.setAttributes([.posixPermissions: 0o644], ofItemAtPath: path("keys/log"))
        case .missingKey: try files.removeItem(atPath: path("keys/label-secret"))
        case .otherStatusKey: try DurableFile.write(path("keys/status"), other)
        case .otherLabelSecret: try DurableFile.write(path("keys/label-secret"), other)
        case .otherRootKey: try DurableFile.write(path("keys/root"), other)
        case .missingTile: try files.removeItem(atPath: path("log/tile/0/000"))
        case .changedTile: try flip("log/tile/entries/000")
        case .changedRecord:
            try await write("UPDATE log_entries SET record = '{\"type\":\"document.issued\"}' WHERE position = 200")
        case .missingCheckpoint: try files.removeItem(atPath: path("log/checkpoint"))
        case .publishedAhead:
            let early = try await organisation.server.environment.database.read {
                try LogStore(transaction: $0).sealed()
            }
            try await organisation.addEntries(2)
            try await organisation.server.environment.database.write { transaction in
                try transaction.execute("DELETE FROM log_entries WHERE position >= $1", [.integer(early.size)])
                let store = LogStore(transaction: transaction)
                #expect(try store.advance(from: store.sealed(), to: early, policy: 0))
            }
        case .missingBlob: try files.removeItem(atPath: path("blobs/blob-of-one"))
        case .orphanBlob: try DurableFile.write(path("blobs/nobodys"), [1])
        case .clockBehind: later = -1_000
        case .certificatesEnd: later = 720 * 86_400
        case .publicURL: change = { $0.publicURL = try? PublicURL("https://elsewhere.example.edu") }
        case .tlsMissing: change = { $0.tls = .init(certificate: path("chain.pem"), key: path("key.pem")) }
        case .newerSchema:
            try await write("INSERT INTO schema_migrations (position, name, digest) VALUES (99, '9999-later', 'x')")
        }
        if fault == .orphanBlob {
            // By this clock, which is ahead of the machine's or behind it.
            let written = Date(timeIntervalSince1970: TimeInterval(organisation.clock.clock.now() - 7_200))
            try files.setAttributes([.modificationDate: written], ofItemAtPath: path("blobs/nobodys"))
        }
        let findings = await Self.examine(organisation, later: later, change)
        let troubles = Self.troubles(findings)
        #expect(Set(troubles) == [fault.check], "\(findings)")
        #expect(findings.filter { $0.name == fault.check && $0.result != .good }.allSatisfy { !$0.advice.isEmpty })
        try? files.setAttributes([.posixPermissions: 0o700], ofItemAtPath: folder.path)
    }

    /// The damage to a bucket, and the checks that must notice.
    enum BucketFault: String, CaseIterable {
        case none, missingTile, changedTile, shortTile, missingCheckpoint, missingBlob, orphanBlob, refuses, fails

        var checks: Set<String> {
            switch self {
            case .none: []
            case .missingTile, .changedTile, .shortTile, .missingCheckpoint: ["log"]
            case .missingBlob, .orphanBlob: ["documents"]
            case .refuses, .fails: ["object store", "log", "documents"]
            }
        }
    }

    @Test("looks into the bucket", arguments: BucketFault.allCases)
    func bucket(fault: BucketFault) async throws {
        try await FaultyObjectStore.run { store in
            let stores = try await store.stores()
            let organisation = try await Self.settle(stores: stores)
            let tile = "p/log/tile/entries/000"
            let bytes = try #require(store.objects[tile]?.bytes)
            // Listed by this clock, which is ahead of the machine's or behind it.
            store.setTime(organisation.clock.clock.now() - 7_200)
            switch fault {
            case .none: break
            case .missingTile: store.set("p/log/tile/0/000", nil)
            case .changedTile: store.set(tile, bytes.dropLast() + [bytes[bytes.count - 1] ^ 1])
            case .shortTile: store.set(tile, Array(bytes.dropLast()))
            case .missingCheckpoint: store.set("p/log/checkpoint", nil)
            case .missingBlob: store.set("p/blobs/blob-of-one", nil)
            case .orphanBlob: store.set("p/blobs/nobodys", [1])
            case .refuses: store.fail(.answer(403, code: "AccessDenied"))
            case .fails: store.fail(.answer(500, code: "InternalError"))
            }
            let before = store.objects.keys.sorted()
            let findings = await Self.examine(organisation, bucket: stores) { $0.objectStore = store.setting }
            #expect(Set(Self.troubles(findings)) == fault.checks, "\(findings)")
            #expect(findings.contains { $0.name == "object store" })
            #expect(store.objects.keys.sorted() == before)
            if fault.checks.contains("object store") {
                #expect(findings.filter { $0.name == "object store" }.map(\.result) == [.bad])
                #expect(
                    findings.filter { ["log", "documents"].contains($0.name) }.allSatisfy { $0.result == .unknown })
            }
        }
    }

    @Test(
        "knows whose certificate it is",
        arguments: [
            ("sign.example.edu", "sign.example.edu", true), ("*.example.edu", "sign.example.edu", true),
            ("*.example.edu", "a.sign.example.edu", false), ("*.example.edu", "example.edu", false),
            ("sign.example.edu", "evil.example.edu", false), ("*", "localhost", false),
        ])
    func names(pattern: String, host: String, isHis: Bool) {
        #expect(TLSCheck.matches(pattern, host) == isHis)
    }
}
