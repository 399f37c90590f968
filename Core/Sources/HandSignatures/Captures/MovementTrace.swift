/// The course of a movement, coarse enough to be kept and fine enough to recognise the same movement again.
///
/// Nobody writes twice alike: of 21,660 pairs of genuine signatures of two research sets (each with one of the same
/// person's others) the nearest two differed by 0.074 deviations a point; one pair, which is one recording twice, by 0. A
/// recording that is moved, scaled, played faster, and trembles by a twentieth of its size differs by about 0.03 from itself.
public struct MovementTrace: Sendable, Equatable {
    /// How many points are followed.
    private static let points = 64
    /// Below this mean difference two movements are one, in hundredths of a deviation.
    private static let limit = 5.5

    /// The positions at even times, first all to the right, then all upwards: in hundredths of their deviation, from their
    /// mean.
    public let values: [Int16]

    /// The trace of a capture.
    ///
    /// - Throws: what comparing it would throw.
    public init(_ capture: Capture) throws(CaptureError) {
        // Whoever adds samples in the air to a recording must not make another movement of it.
        let capture = try capture.written()
        let times = try capture.repairedTimes(step: 1_000)
        let last = Double(times[times.count - 1])
        var x: [Double] = []
        var y: [Double] = []
        var next = 1
        for point in 0..<Self.points {
            let time = last * Double(point) / Double(Self.points - 1)
            while next < times.count - 1, Double(times[next]) <= time { next += 1 }
            let (before, after) = (capture.samples[next - 1], capture.samples[next])
            let start = Double(times[next - 1])
            let share = min((time - start) / (Double(times[next]) - start), 1)
            x.append(Double(before.x) + (Double(after.x) - Double(before.x)) * share)
            y.append(Double(before.y) + (Double(after.y) - Double(before.y)) * share)
        }
        values = Self.hundredths(x) + Self.hundredths(y)
    }

    /// A trace that was kept.
    ///
    /// - Returns: `nil` when these are not a trace's numbers.
    public init?(values: [Int64]) {
        guard values.count == 2 * Self.points else { return nil }
        var kept: [Int16] = []
        for value in values {
            guard let one = Int16(exactly: value) else { return nil }
            kept.append(one)
        }
        self.values = kept
    }

    /// Whether one of the two movements was made from the other, rather than written anew.
    public func isReplay(of other: MovementTrace) -> Bool {
        var sum = 0
        for (one, another) in zip(values, other.values) { sum += abs(Int(one) - Int(another)) }
        return Double(sum) < Self.limit * Double(values.count)
    }

    private static func hundredths(_ values: [Double]) -> [Int16] {
        let moments = Moments(values)
        guard moments.deviation > 1e-9 else { return [Int16](repeating: 0, count: values.count) }
        return values.map { value in
            Int16(min(max(((value - moments.mean) / moments.deviation * 100).rounded(), -30_000), 30_000))
        }
    }
}
