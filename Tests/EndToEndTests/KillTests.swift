import Foundation
import Testing

/// Servers and database that are killed under load, again and again; `scripts/kill-test` does it longer.
@Suite("kill -9 under load", .serialized)
struct KillTests {
    private struct Summary: Decodable {
        let kills: Int
        let victims: [String: Int]
        let acknowledged: Int
        let lost: [String]
        let half_written: [String]
        let faults: [String]
        let visits: Int
        /// Acts of the desk that were acknowledged, by kind.
        let desk: [String: Int]
    }

    /// On PostgreSQL either server, the database's first process, and all of its processes.
    @Test(
        "what was acknowledged is there, once, and in the log; nothing is half-written; everybody can sign in")
    func killed() throws {
        let (engine, kills, victims) = ServerDatabase.isPostgres ? ("postgres", 5, 4) : ("sqlite", 3, 1)
        let outcome = try Program.run(
            Program.repository.appendingPathComponent("scripts/kill-test").path,
            [
                "--engine", engine, "--kills", "\(kills)", "--program", Program.countersign, "--json",
            ])
        #expect(outcome.status == 0, "\(outcome.output)\(outcome.errors)")
        let summary = try JSONDecoder().decode(Summary.self, from: Data(outcome.output.utf8))
        #expect(summary.faults == [] && summary.lost == [] && summary.half_written == [])
        #expect(summary.kills == kills && summary.victims.count == victims, "\(summary.victims)")
        // At least ten for each kill, five before it and five after.
        #expect(summary.acknowledged >= 10 * kills)
        #expect(summary.visits > 5)
        // Otherwise a desk that loses everything would pass.
        for kind in ["enrol-client", "sign", "confirm"] {
            #expect(summary.desk[kind, default: 0] > 0, "\(summary.desk)")
        }
    }
}
