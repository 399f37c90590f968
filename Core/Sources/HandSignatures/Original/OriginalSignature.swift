/// A signature as Biometrix compared it: for comparison with our own way, never to decide by.
///
/// Positions are centred and smoothed over five samples. Twenty quantities are followed from sample to sample, each
/// with mean 0 and deviation 1. Signatures are aligned by all of them (dynamic time warping, a step in both counted
/// twice, the cost divided by both lengths). Where its report is silent, the choice here meets its error rates on
/// research sets: rates are differences between the neighbours over time, beta is the angle's second one.
public struct OriginalSignature: Sendable {
    /// More than this, and it took the signature for forged.
    public static let margin = 0.2

    /// The quantities of each sample, one sample after the other.
    private let points: [Float]
    private let count: Int
    private static let width = 20

    /// Makes the features of a capture.
    ///
    /// - Throws: `CaptureError` when the clock cannot be repaired.
    public init(_ capture: Capture, clockStep: Int64 = 1_000) throws(CaptureError) {
        let times = try capture.repairedTimes(step: clockStep).map { Double($0) / 1e6 }
        func rate(_ values: [Double]) -> [Double] { Self.rate(values, times) }
        let samples = capture.samples
        let x = Self.smoothed(Self.centred(samples.map { Double($0.x) }))
        let y = Self.smoothed(Self.centred(samples.map { Double($0.y) }))
        let pressure = samples.map { Double($0.pressure) }
        let (vx, vy) = (rate(x), rate(y))
        let (ax, ay) = (rate(vx), rate(vy))
        let speed = zip(vx, vy).map { Elementary.hypot($0, $1) }
        let angle = zip(vx, vy).map { Elementary.atan2($1, $0) }
        let sine = zip(vy, speed).map { $1 > 0 ? $0 / $1 : 0 }
        let cosine = zip(vx, speed).map { $1 > 0 ? $0 / $1 : 0 }
        let turn = rate(angle)
        let features = [
            x, y, pressure, samples.map { Double($0.altitude ?? 0) }, samples.map { Double($0.azimuth ?? 0) }, vx, vy,
            ax, ay, speed, zip(ax, ay).map { Elementary.hypot($0, $1) }, rate(speed),
            rate(pressure), angle, sine, cosine, turn, rate(sine), rate(cosine),
            rate(turn),
        ]
        count = samples.count
        var points = [Float](repeating: 0, count: count * Self.width)
        for (number, values) in features.enumerated() {
            let moments = Moments(values)
            guard moments.deviation > 1e-9 else { continue }
            for (point, value) in values.enumerated() {
                points[point * Self.width + number] = Float((value - moments.mean) / moments.deviation)
            }
        }
        self.points = points
    }

    /// How unlike two signatures are.
    public static func distance(_ first: OriginalSignature, _ second: OriginalSignature) -> Double {
        var before = [Float](repeating: .infinity, count: second.count + 1)
        var row = before
        before[0] = 0
        for i in 0..<first.count {
            row[0] = .infinity
            for j in 0..<second.count {
                var square: Float = 0
                for number in 0..<width {
                    let difference = first.points[i * width + number] - second.points[j * width + number]
                    square += difference * difference
                }
                let cost = square.squareRoot()
                row[j + 1] = min(before[j] + 2 * cost, min(before[j + 1], row[j]) + cost)
            }
            swap(&before, &row)
        }
        return Double(before[second.count]) / Double(first.count + second.count)
    }

    private static func centred(_ values: [Double]) -> [Double] {
        let mean = Moments(values).mean
        return values.map { $0 - mean }
    }

    /// The mean over five samples; the ends are repeated.
    private static func smoothed(_ values: [Double]) -> [Double] {
        let last = values.count - 1
        return values.indices.map { index in
            var sum = 0.0
            for near in index - 2...index + 2 { sum += values[min(max(near, 0), last)] }
            return sum / 5
        }
    }

    /// The difference between the neighbours, for each second; the ends are repeated.
    private static func rate(_ values: [Double], _ times: [Double]) -> [Double] {
        let last = values.count - 1
        return values.indices.map { index in
            let (before, after) = (max(index - 1, 0), min(index + 1, last))
            return (values[after] - values[before]) / (times[after] - times[before])
        }
    }
}

extension OriginalSignature: SignatureComparison {
    /// The distance.
    public static func quantities(_ first: Self, _ second: Self) -> [Double] { [distance(first, second)] }

    /// The threshold: the mean distance of the ten pairs.
    public static func enrolled(_ references: [Self], pair: (Int, Int) -> [Double]) -> Double {
        var sum = 0.0
        for first in references.indices {
            for second in references.indices.dropFirst(first + 1) { sum += pair(first, second)[0] }
        }
        return sum / Double(references.count * (references.count - 1) / 2)
    }

    /// The mean distance to the references, less the threshold.
    public func inputs(_ enrolled: Double, comparisons: [[Double]]) -> [Double] {
        var sum = 0.0
        for quantities in comparisons { sum += quantities[0] }
        return [sum / Double(comparisons.count) - enrolled]
    }
}
