import Encodings
import Foundation
import Fuzzing
import Testing

/// Good inputs, spoilt the same way in every run: what libFuzzer does for hours, for a moment in every test.
@Suite("Spoilt inputs")
struct SpoiledInputTests {
    private static let corpus = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../../Fuzz/Corpus").standardizedFileURL

    @Test(
        "trap nowhere and break no promise",
        arguments: ["pico-code", "pico-service", "pico-prover", "pico-session", "pico-stored"])
    func spoiled(name: String) throws {
        let target = try #require(FuzzTarget.named(Bytes(text: name)))
        let files = try FileManager.default.contentsOfDirectory(
            at: Self.corpus.appending(path: name), includingPropertiesForKeys: nil, options: .skipsHiddenFiles)
        let inputs = try files.sorted { $0.path < $1.path }.map { try Bytes(Data(contentsOf: $0)) }
        var mutator = Mutator(seed: 2026)
        for round in 0..<1_500 {
            let input = mutator.mutated(inputs, maximumLength: target.maximumLength)
            do { try target.run(input) } catch {
                Issue.record("\(name), round \(round): not so: \(error.promise): \(input)")
            }
        }
    }
}
