import Foundation

/// The results of a benchmark, for people and for programs.
protocol BenchFigures: Encodable {
    /// The figures in a few lines.
    var words: String { get }
}

extension BenchFigures {
    /// Prints the lines, or one JSON object.
    func print(json: Bool) throws {
        guard json else { return Swift.print(words) }
        let encoder = JSONEncoder()
        encoder.keyEncodingStrategy = .convertToSnakeCase
        encoder.outputFormatting = .sortedKeys
        // A median of nothing: JSON has no such number.
        encoder.nonConformingFloatEncodingStrategy = .convertToString(
            positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
        Swift.print(String(decoding: try encoder.encode(self), as: UTF8.self))
    }
}
