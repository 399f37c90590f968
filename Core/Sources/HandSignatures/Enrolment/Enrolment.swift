/// How a person writes: their reference signatures, and how unlike one another these are.
public struct Enrolment: Sendable {
    /// How many signatures an enrolment has.
    public static let size = 5
    /// How many numbers a comparison with an enrolment gives.
    static let inputs = 2 * Alignment.quantities + 1 + 2 * Globals.count
    /// Added to the spread of the globals, so that five alike do not make every other infinitely unlike.
    private static let spread = 0.05

    /// The signatures.
    public let references: [PreparedSignature]
    /// For each quantity of an alignment, the mean over all pairs of references.
    let meanOfPairs: [Double]
    /// For each, the mean over the references of the smallest difference to another one.
    let meanOfNearest: [Double]
    let globalMeans, globalSpreads: [Double]

    /// Compares the references with one another.
    ///
    /// - Parameter references: `size` of them.
    public init(_ references: [PreparedSignature]) {
        self.init(references) { Alignment(references[$0], references[$1]).values }
    }

    /// - Parameter pair: the quantities of the alignment of two references, by their places; the first is smaller.
    init(_ references: [PreparedSignature], pair: (Int, Int) -> [Double]) {
        precondition(references.count == Self.size, "an enrolment has five signatures")
        self.references = references
        var pairs = [Double](repeating: 0, count: Alignment.quantities)
        var nearest = [[Double]](
            repeating: [Double](repeating: .infinity, count: Alignment.quantities), count: Self.size)
        for first in 0..<Self.size {
            for second in first + 1..<Self.size {
                let values = pair(first, second)
                for (quantity, value) in values.enumerated() {
                    pairs[quantity] += value
                    nearest[first][quantity] = min(nearest[first][quantity], value)
                    nearest[second][quantity] = min(nearest[second][quantity], value)
                }
            }
        }
        meanOfPairs = pairs.map { $0 / Double(Self.size * (Self.size - 1) / 2) }
        meanOfNearest = (0..<Alignment.quantities).map { quantity in
            var sum = 0.0
            for one in nearest { sum += one[quantity] }
            return sum / Double(Self.size)
        }
        let globals = (0..<Globals.count).map { global in Moments(references.map { $0.globals[global] }) }
        globalMeans = globals.map { $0.mean }
        globalSpreads = globals.map { ($0.deviation * $0.deviation + Self.spread * Self.spread).squareRoot() }
    }

    /// The differences of a probe from the references, in the order of a classifier's inputs.
    ///
    /// For each quantity: the mean over the references, and the smallest, less what is usual among them. Then the usual
    /// cost. For each global: the difference from the mean, and its size in spreads.
    public func inputs(of probe: PreparedSignature) -> [Double] {
        inputs(of: probe, comparisons: references.map { Alignment($0, probe).values })
    }

    /// - Parameter comparisons: the quantities of the alignment of each reference with the probe.
    func inputs(of probe: PreparedSignature, comparisons: [[Double]]) -> [Double] {
        var means: [Double] = []
        var nearest: [Double] = []
        for quantity in 0..<Alignment.quantities {
            var sum = 0.0
            var least = Double.infinity
            for values in comparisons {
                sum += values[quantity]
                least = min(least, values[quantity])
            }
            means.append(sum / Double(comparisons.count) - meanOfPairs[quantity])
            nearest.append(least - meanOfNearest[quantity])
        }
        var differences: [Double] = []
        var sizes: [Double] = []
        for global in 0..<Globals.count {
            let difference = probe.globals[global] - globalMeans[global]
            differences.append(difference)
            sizes.append(difference.magnitude / globalSpreads[global])
        }
        return means + nearest + [meanOfPairs[0]] + differences + sizes
    }
}
