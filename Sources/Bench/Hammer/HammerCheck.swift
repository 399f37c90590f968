import ArgumentParser
import Encodings
import Foundation
import Storage
import Wallet

/// `countersign-bench hammer check`.
struct HammerCheck: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check", abstract: "Compare the journal with database, sealed documents, log and wallets.",
        discussion: """
            Run it while no load is under way. Every acknowledged act must be there exactly once, with a receipt that \
            verifies and an entry that is under the newest checkpoint; an act whose answer was lost must be there \
            wholly or not at all; the log must be clean, and go on from the last check. With --server everybody of \
            the load also signs in and looks. Exit codes: 0 all is there, 1 it is not, 2 could not tell.

              countersign-bench hammer check --folder ./hammer --data ./data --server http://localhost:8080
            """)

    @Option(help: "Where journal and wallets are.") var folder: String
    @Option(help: "The servers' data directory.") var data: String
    @Option(help: "The servers' PostgreSQL; without it SQLite in the data directory.") var database: String?
    @Option(help: "A server's address; may be given several times.") var server: [String] = []
    @Flag(help: "Packages that belong to nothing are a fault too: after a start, with no load since.") var clean = false
    @Flag(help: "Print one JSON object.") var json = false

    func run() async throws {
        let acts = try HammerJournal.read("\(folder)/journal")
        let people = HammerPeople(folder: folder, servers: try HammerServers(server.isEmpty ? [Self.nowhere] : server))
        guard let owner = try await people.unlock(HammerOffice.ownerName).clients.first else { return }
        let trust = try await owner.trust()
        let tree = try HammerTree(folder: "\(data)/log", policy: trust.policy)
        let published = try tree.entries()
        let tables = try await tables()
        let blobs = try await DirectoryBlobStore("\(data)/blobs").list()
        let rules = HammerRules(
            tables: tables, blobs: Dictionary(blobs.map { ($0.name, $0.size) }) { first, _ in first },
            published: published, isClean: clean)
        let ledger = HammerLedger(tables: tables, published: published, tree: tree, trust: trust)
        let visits = server.isEmpty ? [] : HammerVisit.all(acts, people)
        let lost = ledger.losses(acts) + (try await look(visits))
        let unknown = acts.filter { $0.outcome == .unknown }
        let figures = Figures(
            acknowledged: acts.count { $0.outcome == .acknowledged }, lost: lost, halfWritten: rules.halves(),
            unknown: unknown.count, unknownStored: unknown.count { ledger.isThere($0) == true },
            orphans: rules.orphans.count, entries: published.count, queued: tables.entries.count - published.count,
            accounts: tables.accounts.count, visits: visits.count, audit: try await audit(trust))
        try figures.print(json: json)
        guard figures.isWell else { throw ExitCode(1) }
    }

    /// For wallets that are only read.
    private static let nowhere = "http://localhost:1"

    private func tables() async throws -> HammerTables {
        let database: any Database =
            if let url = self.database {
                try await PostgresDatabase.open(url, connections: 1)
            } else {
                try await SQLiteDatabase.open("\(data)/countersign.sqlite")
            }
        var tables = try await database.read { try HammerStore(transaction: $0).tables() }
        try await database.close()
        tables.vault.guards = try HammerGuards.read("\(data)/vault-guards", of: tables.vault.vaults)
        return tables
    }

    /// A few at a time: each signs in, which costs the server a passphrase hash.
    private func look(_ visits: [HammerVisit]) async throws -> [String] {
        await withTaskGroup(of: [String].self) { group in
            var found: [String] = []
            for (number, visit) in visits.enumerated() {
                if number >= 4 { found += await group.next() ?? [] }
                group.addTask { await visit.run() }
            }
            for await words in group { found += words }
            return found
        }
    }

    /// - Returns: what is wrong with the log; nothing when it is clean and goes on from the last check.
    private func audit(_ trust: PinnedTrust) async throws -> String? {
        let state = "\(folder)/audit-state"
        let previous = try DurableFile.read(state)
        do {
            let report = try await LogAudit(.folder("\(data)/log"), policy: trust.policy, previous: previous)
                .run { _, _ in }
            try DurableFile.write(state, report.note)
            return nil
        } catch let fault as AuditFault {
            return "\(fault)"
        }
    }

    private struct Figures: BenchFigures {
        let acknowledged: Int
        let lost: [String]
        let halfWritten: [String]
        let unknown: Int
        /// The unknown acts that turned out to be there.
        let unknownStored: Int
        /// Packages that belong to nothing, which a later start removes.
        let orphans: Int
        let entries: Int
        /// Entries that no checkpoint covers yet.
        let queued: Int
        let accounts: Int
        let visits: Int
        let audit: String?

        var isWell: Bool { lost.isEmpty && halfWritten.isEmpty && audit == nil }

        var words: String {
            let faults = lost.map { "lost: \($0)" } + halfWritten.map { "half-written: \($0)" }
            let counts = """
                \(acknowledged) acknowledged, \(lost.count) lost, \(halfWritten.count) half-written, \(unknown) unknown \
                (\(unknownStored) of them there), audit \(audit ?? "clean"); \(entries) entries, \(accounts) accounts, \
                \(visits) looked for themselves
                """
            return (faults + [counts]).joined(separator: "\n")
        }
    }
}
