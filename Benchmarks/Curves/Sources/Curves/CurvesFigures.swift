import Foundation

/// What `curves` has seen.
struct CurvesFigures: Encodable {
    let rounds: Int
    let rows: [Row]

    /// One operation of one peer on one curve.
    struct Row: Encodable {
        let curve: String
        let operation: String
        let peer: String
        /// Operations a second of processor time.
        let perSecond: Spread
        /// How many times as many ours does, round by round.
        let ours: Spread
    }

    /// The median of all rounds, the least and the most.
    struct Spread: Encodable {
        let median: Double
        let least: Double
        let most: Double

        init(_ values: [Double]) {
            let sorted = values.sorted()
            median = sorted.isEmpty ? .nan : (sorted[(sorted.count - 1) / 2] + sorted[sorted.count / 2]) / 2
            least = sorted.first ?? .nan
            most = sorted.last ?? .nan
        }
    }

    var words: String {
        rows.map { row in
            let (rate, ratio) = (row.perSecond, row.ours)
            let digits = rate.median < 100 ? 1 : 0
            let line = String(
                format: "%@ %@, %@: %.*f a second (%.*f to %.*f)", row.curve, row.operation, row.peer, digits,
                rate.median, digits, rate.least, digits, rate.most)
            guard row.peer != "Countersign" else { return line }
            return line
                + String(format: "; ours %.2f times as many (%.2f to %.2f)", ratio.median, ratio.least, ratio.most)
        }.joined(separator: "\n") + "\nmedians of \(rounds) rounds, one thread, processor time"
    }
}
