import Encodings
import Testing

@testable import Bench

/// The benchmark of the rendezvous on a real server with few channels: each message reaches its reader.
@Suite("The bench of channels", .timeLimit(.minutes(15)))
struct ChannelsBenchTests {
    @Test("messages over channels drawn at random arrive while the other channels wait")
    func arrived() async throws {
        let outcome = try await Program.runAside(
            Program.bench, ["channels", "--count", "60", "--messages", "40", "--json"])
        #expect(outcome.status == 0, "\(outcome)")
        let json = try ServerMachine.json(outcome)
        #expect(json["channels"]?.integer == 60 && json["messages"]?.integer == 40)
        #expect(json["lost"]?.integer == 0 && json["stray"]?.integer == 0)
    }

    @Test("percentiles are those of the times")
    func spread() {
        let spread = ChannelsFigures.Spread((1...200).reversed().map { Double($0) / 1_000 })
        #expect(spread.p50 == 100 && spread.p95 == 190 && spread.p99 == 198 && spread.most == 200)
    }
}
