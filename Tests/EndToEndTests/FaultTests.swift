import Foundation
import Testing

/// Disk and database fail under load and come back; `scripts/fault-test` says how.
@Suite("Faults under load", .serialized)
struct FaultTests {
    private struct Summary: Decodable {
        struct Fault: Decodable {
            let fault: String
            let told: [String: Int]
        }
        let faults: [Fault]
        let wrong: [String]
        let acknowledged: Int
    }

    @Test("a full or read-only disk and a database that is gone: refusals in words, no damage, on without hands")
    func faults() throws {
        let isPostgres = ServerDatabase.isPostgres
        let outcome = try Program.run(
            Program.repository.appendingPathComponent("scripts/fault-test").path,
            ["--engine", isPostgres ? "postgres" : "sqlite", "--program", Program.countersign, "--json"])
        #expect(outcome.status == 0, "\(outcome.output)\(outcome.errors)")
        let summary = try JSONDecoder().decode(Summary.self, from: Data(outcome.output.utf8))
        #expect(summary.wrong == [])
        let expected = ["disk-full", "read-only"] + (isPostgres ? ["database-gone", "connections-cut"] : [])
        #expect(summary.faults.map(\.fault) == expected)
        // A fault that nobody noticed was none.
        for fault in summary.faults { #expect(fault.told.values.reduce(0, +) > 0, "\(fault.fault)") }
        #expect(summary.acknowledged >= 20 * expected.count)
    }
}
