import Interface
import Testing

@testable import Server

/// The text of a comparison for an operator: words first, the figures beside them.
@Suite("The words of a comparison")
struct ComparisonWordsTests {
    private static let cases: [(score: Int64, isMatch: Bool, words: String)] = [
        (-7_007_000, true, "Strong match: "), (-1_000_000, true, "Strong match: "),
        (-999_999, true, "Weak match: "), (0, true, "Weak match: "),
        (1, false, "No match: "), (1_000_000_000_000, false, "No match: "),
    ]

    @Test("say how strong a match is, and hold no figure", arguments: cases)
    func words(score: Int64, isMatch: Bool, words: String) {
        // The same at every threshold: only the distance counts.
        for threshold in [-2_500_000, 0, 1_234_567] as [Int64] {
            let comparison = Interface.Comparison(score: score + threshold, threshold: threshold, device: nil)
            #expect(comparison.isMatch == isMatch && comparison.difference == score)
            #expect(comparison.sentence.hasPrefix(words), "\(comparison.sentence)")
            #expect(!comparison.sentence.contains { $0.isNumber }, "\(comparison.sentence)")
        }
    }
}
