import Encodings
import Testing

@testable import Bench

/// What `countersign-bench pico` makes of times, and that it runs.
@Suite("The bench of Pico", .timeLimit(.minutes(15)))
struct PicoBenchTests {
    @Test("mean, percentiles and bins are those of the times")
    func spread() {
        let spread = PicoFigures.Spread([4, 1, 2, 3] + Array(repeating: 2.5, count: 96))
        #expect(spread.mean == 2.5 && spread.p50 == 2.5 && spread.p95 == 2.5)
        #expect(spread.bins.reduce(0, +) == 100 && spread.bins.count <= 21)
        #expect(spread.bins.first == 1 && spread.bins.last == 1)
        let even = PicoFigures.Spread((1...100).map(Double.init))
        #expect(even.p50 == 50 && even.p95 == 95 && even.bins.reduce(0, +) == 100)
        #expect(PicoFigures.Spread([7]).histogram.hasSuffix("1 ########################################"))
    }

    @Test("pairs and signs in on five curves through a rendezvous of its own")
    func runs() async throws {
        let outcome = try await Program.runAside(Program.bench, ["pico", "--runs", "1", "--handshakes", "5", "--json"])
        #expect(outcome.status == 0, "\(outcome)")
        let json = try ServerMachine.json(outcome)
        #expect(json["curves"]?.array?.map { $0.text("curve") } == ["p192", "p256", "p384", "p521", "secp192k1"])
    }
}
