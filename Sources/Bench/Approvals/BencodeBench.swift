import Approvals
import ArgumentParser
import Encodings
import Foundation

/// `countersign-bench bencode`: the sample challenge written as the bytes that are signed.
struct BencodeBench: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "bencode", abstract: "The sample challenge of version 1 written as Bencode, on one thread.",
        discussion: "Its peers are packages from PyPI: Benchmarks/run approvals measures all in turn.")

    @Option(help: "For how many seconds to measure each.") var seconds = 1.0
    @Flag(help: "Print one JSON object.") var json = false

    func validate() throws {
        guard 0.01...600 ~= seconds else { throw ValidationError("Give 0.01 to 600 seconds.") }
    }

    func run() throws {
        let challenge = try OriginalChallenge(
            body: Bytes(
                text: "Someone is trying to log in to your Example Bank account 'alice' at 21/11/2026 10:15:00."),
            category: OriginalChallenge.challengeCategory, expiry: 1_900_000_000, messageID: 1_001,
            nonce: Bytes(text: String(repeating: "90b48adb", count: 8)),
            responseURL: Bytes(text: "https://bank.example/authreq/callback"), shortTitle: Bytes(text: "Login Attempt"),
            subtitle: Bytes(text: "Example Bank"))
        let canonical = challenge.canonical()
        let value = try Bencode.parse(canonical)
        try Figures(
            bytes: String(decoding: canonical, as: UTF8.self),
            challengeNanoseconds: nanoseconds { challenge.canonical().count },
            valueNanoseconds: nanoseconds { value.encoded().count }
        ).print(json: json)
    }

    /// The median of many short loops.
    private func nanoseconds(_ work: () -> Int) -> Double {
        let clock = ContinuousClock()
        let end = clock.now + .seconds(seconds)
        var (times, length): ([Double], Int) = ([], 0)
        while clock.now < end {
            let start = clock.now
            for _ in 0..<1_000 { length &+= work() }
            times.append(Double(start.duration(to: clock.now) / .nanoseconds(1)) / 1_000)
        }
        precondition(length != 0)
        return StorageBench.median(times)
    }

    private struct Figures: BenchFigures {
        /// For the peers to compare theirs with.
        let bytes: String
        let challengeNanoseconds: Double
        /// From a tree of values, in which keys have any order: the peers' work.
        let valueNanoseconds: Double

        var words: String {
            "challenge: \(Int(challengeNanoseconds)) ns; as a tree of values: \(Int(valueNanoseconds)) ns"
        }
    }
}
