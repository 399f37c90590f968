/// Two signatures laid against each other so that what is alike stands side by side (dynamic time warping).
///
/// The cost of two points is their distance over the twelve aligning channels; a step in both signatures counts it
/// twice, a step in one once. So the cheapest way has the same weight however it goes, the sum of both lengths.
public struct Alignment: Sendable {
    /// The quantities of a comparison: cost, length, share of single steps, deviation, longest run, and for each channel
    /// the mean difference along the way.
    static let quantities = 5 + Channel.allCases.count

    /// In the order of `quantities`.
    public let values: [Double]
    /// The way, from the first points to the last: for each step the point in either signature.
    public let path: [(first: Int, second: Int)]

    /// The cost of the cheapest way, for each of both signatures' points: the first of `values`, without the way.
    public static func cost(_ first: PreparedSignature, _ second: PreparedSignature) -> Double {
        Double(Costs(first, second).total) / Double(first.count + second.count)
    }

    /// Compares two signatures.
    public init(_ first: PreparedSignature, _ second: PreparedSignature) {
        let (n, m) = (first.count, second.count)
        let costs = Costs(first, second)
        var path: [(first: Int, second: Int)] = []
        var (i, j) = (n - 1, m - 1)
        var (diagonal, run, longest) = (0, 0, 0)
        while true {
            path.append((i, j))
            let step = costs.step(to: i, j)
            if step == .both {
                diagonal += 1
                longest = max(longest, run)
                run = 0
            } else {
                run += 1
            }
            guard i > 0 || j > 0 else { break }
            if step != .second { i -= 1 }
            if step != .first { j -= 1 }
        }
        longest = max(longest, run)
        path.reverse()
        let length = Double(path.count)
        var deviation = 0.0
        for (i, j) in path { deviation += (Double(i + 1) / Double(n) - Double(j + 1) / Double(m)).magnitude }
        var values = [
            Double(costs.total) / Double(n + m), 2 * length / Double(n + m) - 1, 1 - Double(diagonal) / length,
            deviation / length, Double(longest) / Double(n + m),
        ]
        for channel in Channel.allCases.indices {
            let (a, b) = (channel * first.stride, channel * second.stride)
            var sum = 0.0
            for (i, j) in path {
                sum += Double((first.channels[a + i] - second.channels[b + j]).magnitude)
            }
            values.append(sum / length)
        }
        self.values = values
        self.path = path
    }
}
