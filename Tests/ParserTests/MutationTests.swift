import Encodings
import Foundation
import Fuzzing
import Testing

/// Good inputs, spoilt in many ways, always the same: what the fuzzer is for the parsers of Core.
///
/// `TEST_MUTATIONS` says how often (300 times otherwise), `TEST_MUTATION_REPORT` names a file that gets a
/// line for each parser; `scripts/fuzz` sets both.
@Suite("Parsers outside Core")
struct MutationTests {
    private static let environment = ProcessInfo.processInfo.environment
    private static let count = environment["TEST_MUTATIONS"].flatMap { Int($0) } ?? 300

    @Test("accept what is good", arguments: OuterParser.all)
    func good(parser: OuterParser) throws {
        #expect(parser.good.isEmpty == false)
        for input in parser.good { #expect(try parser.accepts(input), "\(input.asText)") }
    }

    @Test("keep their promises with whatever else", arguments: OuterParser.all)
    func spoilt(parser: OuterParser) throws {
        let begin = ContinuousClock.now
        var broken: String?
        for number in 0..<Self.count where broken == nil {
            // A trap says between which numbers it happened; each number gives the same input in every run.
            if Self.count > 10_000, number % 10_000 == 0 { print("\(parser.name): from input \(number)") }
            var mutator = Mutator(seed: UInt64(number))
            let input = mutator.mutated(parser.good, maximumLength: parser.maximumLength)
            do {
                _ = try parser.accepts(input)
            } catch let error as BrokenPromise {
                broken = "not so: \(error.promise), input \(number): \(Base64.encode(input, .standard).asText)"
            }
        }
        try Self.report(parser, begin.duration(to: .now), broken ?? "clean")
        #expect(broken == nil)
    }

    private static func report(_ parser: OuterParser, _ time: Duration, _ result: String) throws {
        guard let path = environment["TEST_MUTATION_REPORT"] else { return }
        let file = try FileHandle(forWritingTo: URL(filePath: path))
        try file.seekToEnd()
        try file.write(contentsOf: Data("\(parser.name)\t\(count)\t\(time / .seconds(1))\t\(result)\n".utf8))
        try file.close()
    }
}
