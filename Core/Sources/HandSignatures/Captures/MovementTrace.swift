/// The course of a movement, coarse enough to be kept and fine enough to recognise the same movement again.
///
/// Nobody writes twice alike. A trace has two halves. One has points at equal times, and tells a recording that
/// trembles. The other is the way that the tip took, lifts included, with points at equal lengths, without size, place
/// and slant. A recording has the same one if it is played faster, slower or unevenly. Comparing takes out a turn.
///
/// Version 0.3 kept the first half only.
public struct MovementTrace: Sendable, Equatable {
    /// Points of either half.
    private static let (timedPoints, evenPoints) = (64, 128)
    /// Below this mean difference of points at equal times two movements are one, in hundredths of a deviation.
    private static let trembling = 4.5
    /// Aligned lines nearer than this are one, in deviations; `docs/hand-signatures.md` has the measures.
    private static let (limit, timedLimit) = (0.022, 0.03)
    /// Points of the line while its trembling is smoothed away.
    private static let (pieces, smoothings) = (256, 4)
    /// How often a line is spread, which comes nearer to the same line each time.
    private static let spreads = 40

    /// The positions in hundredths of their deviation, from their mean.
    ///
    /// First those of points at equal times, all to the right, then all upwards; then the same for points at equal
    /// lengths, if they were kept.
    public let values: [Int16]

    private var isWhole: Bool { values.count == 2 * (Self.timedPoints + Self.evenPoints) }

    /// The trace of a capture.
    ///
    /// - Throws: what comparing it would throw.
    public init(_ capture: Capture) throws(CaptureError) {
        // Adding samples in the air to a recording must not make another movement of it.
        let capture = try capture.written()
        let times = try capture.repairedTimes(step: 1_000)
        values = Self.timed(capture, times) + Self.even(capture)
    }

    /// A trace that was kept, by this version or by version 0.3.
    ///
    /// - Returns: `nil` when these are not a trace's numbers.
    public init?(values: [Int64]) {
        guard values.count == 2 * Self.timedPoints || values.count == 2 * (Self.timedPoints + Self.evenPoints) else {
            return nil
        }
        var kept: [Int16] = []
        for value in values {
            guard let one = Int16(exactly: value) else { return nil }
            kept.append(one)
        }
        self.values = kept
    }

    /// Whether one of the two movements was made from the other, rather than written by a hand.
    public func isReplay(of other: MovementTrace) -> Bool {
        if timedDifference(from: other) < Self.trembling { return true }
        guard isWhole, other.isWhole else {
            // Width and height are taken out of what version 0.3 kept, the slant is not.
            let timed = 0..<2 * Self.timedPoints
            let lines = (one: Polyline.spread(line(timed)), other: Polyline.spread(other.line(timed)))
            return TraceAlignment(lines.other).distance(to: lines.one, limit: Self.timedLimit) != nil
        }
        return evenDistance(from: other, limit: Self.limit) != nil
    }

    /// The mean difference of points at equal times, in hundredths of a deviation.
    func timedDifference(from other: MovementTrace) -> Double {
        let timed = 2 * Self.timedPoints
        var sum = 0
        for (one, another) in zip(values.prefix(timed), other.values.prefix(timed)) {
            sum += abs(Int(one) - Int(another))
        }
        return Double(sum) / Double(timed)
    }

    /// How far the lines are apart when they are laid along each other, of two whole traces.
    ///
    /// - Returns: in deviations; `nil` when that is not below the limit.
    func evenDistance(from other: MovementTrace, limit: Double) -> Double? {
        let even = 2 * Self.timedPoints..<values.count
        return TraceAlignment(other.line(even)).distance(to: line(even), limit: limit)
    }

    private func line(_ range: Range<Int>) -> [Polyline.Point] {
        let half = range.count / 2
        return (range.lowerBound..<range.lowerBound + half).map { place in
            Polyline.Point(Double(values[place]) / 100, Double(values[place + half]) / 100)
        }
    }

    private static func timed(_ capture: Capture, _ times: [Int64]) -> [Int16] {
        let last = Double(times[times.count - 1])
        var x: [Double] = []
        var y: [Double] = []
        var next = 1
        for point in 0..<timedPoints {
            let time = last * Double(point) / Double(timedPoints - 1)
            while next < times.count - 1, Double(times[next]) <= time { next += 1 }
            let (before, after) = (capture.samples[next - 1], capture.samples[next])
            let start = Double(times[next - 1])
            let share = min((time - start) / (Double(times[next]) - start), 1)
            x.append(Double(before.x) + (Double(after.x) - Double(before.x)) * share)
            y.append(Double(before.y) + (Double(after.y) - Double(before.y)) * share)
        }
        return standardised(x) + standardised(y)
    }

    private static func even(_ capture: Capture) -> [Int16] {
        var line = capture.samples.map { Polyline.Point(Double($0.x), Double($0.y)) }
        // Stretching changes which lengths are equal: a few times, and it is the same line however it was stretched. No
        // point may be lost before: lines that were cut short at other corners are other lines.
        for _ in 0..<spreads { line = Polyline.spreadByLength(line) }
        line = Polyline.even(line, pieces: pieces - 1)
        for _ in 0..<smoothings { line = Polyline.smoothed(line) }
        for _ in 0..<2 { line = Polyline.spread(Polyline.even(line, pieces: evenPoints - 1)) }
        return line.map { hundredths($0.x) } + line.map { hundredths($0.y) }
    }

    private static func standardised(_ values: [Double]) -> [Int16] {
        let moments = Moments(values)
        guard moments.deviation > 1e-9 else { return [Int16](repeating: 0, count: values.count) }
        return values.map { hundredths(($0 - moments.mean) / moments.deviation) }
    }

    private static func hundredths(_ value: Double) -> Int16 {
        Int16(min(max((value * 100).rounded(), -30_000), 30_000))
    }
}
