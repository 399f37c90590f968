/// How often a threshold errs, on the scores of genuine and of forged signatures (ISO/IEC 19795-1).
///
/// A score says how likely a signature is forged; it is accepted when it is at most the threshold.
public struct ErrorRates: Sendable {
    /// Scores in rising order.
    public let genuine, forged: [Double]

    /// Both kinds, in any order; at least one of each.
    public init(genuine: [Double], forged: [Double]) {
        self.genuine = genuine.sorted()
        self.forged = forged.sorted()
    }

    /// The share of genuine signatures that are refused (false non-match rate).
    public func falseRejection(at threshold: Double) -> Double {
        1 - Double(Self.count(genuine, upTo: threshold)) / Double(genuine.count)
    }

    /// The share of forged signatures that are accepted (false match rate).
    public func falseAcceptance(at threshold: Double) -> Double {
        Double(Self.count(forged, upTo: threshold)) / Double(forged.count)
    }

    /// The equal error rate and its threshold.
    ///
    /// Among all scores, and one below them, that at which both rates differ least; among several, that at which their sum
    /// is least; among several, the first. Its rate is the mean of both.
    public var equal: (rate: Double, threshold: Double) {
        var best = (difference: Double.infinity, sum: Double.infinity, threshold: 0.0)
        for threshold in thresholds {
            let rejected = genuine.count - Self.count(genuine, upTo: threshold)
            let accepted = Self.count(forged, upTo: threshold)
            // Compared as whole numbers: two ways to the same rate must not differ.
            let difference = Double((rejected * forged.count - accepted * genuine.count).magnitude)
            let sum = Double(rejected * forged.count + accepted * genuine.count)
            if difference < best.difference || difference == best.difference && sum < best.sum {
                best = (difference, sum, threshold)
            }
        }
        return (best.sum / Double(2 * genuine.count * forged.count), best.threshold)
    }

    /// Where one of the rates changes, in rising order: one below all scores, and each score once.
    public var thresholds: [Double] {
        var all = [min(genuine[0], forged[0]) - 1]
        for score in (genuine + forged).sorted() where score != all[all.count - 1] { all.append(score) }
        return all
    }

    private static func count(_ sorted: [Double], upTo threshold: Double) -> Int {
        var (low, high) = (0, sorted.count)
        while low < high {
            let middle = (low + high) / 2
            if sorted[middle] <= threshold { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
