import Foundation
import Storage
import Testing

@testable import Server

/// Compares the slices' descriptions of their tables with the tables that there are.
@Suite("Slices")
struct SliceTests {
    /// The differences between slices and tables: none for `Slice.all`.
    private static func mistakes(_ slices: [Slice], _ tables: [TableShape]) -> [String] {
        func name(_ table: String, _ column: String) -> String { "\(table).\(column)" }
        let people = slices.flatMap(\.people).map { name($0.table, $0.column) }
        let blobs = slices.flatMap(\.blobs).map { name($0.table, $0.column) }
        let columns = tables.flatMap { table in table.columns.map { name(table.name, $0) } }
        var mistakes: [String] = []
        for table in tables {
            for reference in table.references where reference.table == "accounts" {
                let column = name(table.name, reference.column)
                let claims = people.count { $0 == column }
                if claims != 1 { mistakes.append("\(column) names accounts and is claimed \(claims) times") }
            }
        }
        for column in columns where column.hasSuffix(".blob") || column.hasSuffix("_blob") {
            let claims = blobs.count { $0 == column }
            if claims != 1 { mistakes.append("\(column) names blobs and is claimed \(claims) times") }
        }
        for claimed in Set(people + blobs) {
            if !columns.contains(claimed) { mistakes.append("\(claimed) is claimed and not there") }
            if (people + blobs).count(where: { $0 == claimed }) != 1 { mistakes.append("\(claimed) is claimed twice") }
        }
        for blob in slices.flatMap(\.blobs) {
            for other in [blob.owner, blob.ended].compactMap(\.self) where !columns.contains(name(blob.table, other)) {
                mistakes.append("\(name(blob.table, other)) is not there")
            }
        }
        return mistakes.sorted()
    }

    @Test("every reference to an account and every column of blobs is claimed by exactly one slice")
    func claimed() async throws {
        let organisation = try await TestOrganisation()
        let tables = try await organisation.place.snapshot { try $0.tables() }
        #expect(Self.mistakes(Slice.all, tables) == [])
        let names = Slice.all.map(\.name)
        #expect(Set(names).count == names.count)

        // The test sees what is missing, claimed twice, and made up.
        var forgotten = Slice.all
        forgotten[1].blobs.removeFirst()
        forgotten[2].people.removeLast()
        #expect(
            Self.mistakes(forgotten, tables) == [
                "documents.blob names blobs and is claimed 0 times",
                "workspace_documents.changed_by names accounts and is claimed 0 times",
            ])
        var doubled = Slice.all
        doubled[0].people.append(PersonColumn(table: "documents", column: "holder", erasure: .pseudonym))
        doubled[0].blobs.append(BlobColumn(table: "accounts", column: "picture"))
        #expect(
            Self.mistakes(doubled, tables) == [
                "accounts.picture is claimed and not there",
                "documents.holder is claimed twice", "documents.holder names accounts and is claimed 2 times",
            ])
    }

    @Test("kinds of entries, live updates and notices are one slice's each, and documentation and pages know them")
    func kinds() throws {
        let (events, notices) = (Slice.all.events.map(\.rawValue), Slice.all.flatMap(\.notices).map(\.rawValue))
        #expect(Set(events).count == events.count && Set(notices).count == notices.count)
        for names in [Slice.all.notifications.map(\.name), Slice.all.sentences.map(\.name)] {
            #expect(Set(names).count == names.count)
        }
        func text(_ path: String) throws -> String {
            let root = URL(filePath: #filePath).pathComponents.dropLast(4).joined(separator: "/")
            return try String(contentsOfFile: "\(root)/\(path)", encoding: .utf8)
        }
        let rows = try text("docs/transparency.md").split(separator: "\n")
        let row = try #require(rows.first { $0.hasPrefix("| `type`") })
        #expect(Set(row.matches(of: #/`([a-z_]+\.[a-z_]+)`/#).map { String($0.output.1) }) == Set(events))
        let words = try text("Web/transparency/words.js")
        let known = words.matches(of: #/"([a-z_]+\.[a-z_]+)": \{ words/#).map { String($0.output.1) }
        #expect(Set(known) == Set(events))
        let listed = try #require(try text("docs/http.md").firstMatch(of: #/says\s+\*what\* changed \(([^)]*)\)/#))
        #expect(Set(listed.output.1.matches(of: #/`(\w+)`/#).map { String($0.output.1) }) == Set(notices))
    }

    @Test("what slices say as SQL runs: kept blobs, erasure, retention")
    func runs() async throws {
        let organisation = try await TestOrganisation()
        let days = ServerConfiguration.KeepDays()
        let (kept, changed) = try await organisation.server.environment.database.write { transaction in
            var changed = 0
            for case .rows(let rule) in Slice.all.flatMap(\.retention) {
                changed += try RetentionStore(transaction: transaction)
                    .apply(rule, moment: 1_000 - rule.time(days), limit: 10)
            }
            return (try BlobColumnStore(transaction: transaction, slices: Slice.all).names(at: 1), changed)
        }
        #expect(kept.isEmpty && changed == 0)
    }
}
