/// A capture at even times: what the features are made of.
///
/// Only what was written counts. Lifts of the pen become straight lines, as long as they lasted. How long the pen was
/// in the air, and where it went, is part of how a person writes. The way that it took there is not, because few
/// sensors tell it.
struct Movement {
    /// Positions and pressure at 0, 1, 2, … steps of the preparation.
    let x, y, pressure: [Double]
    /// How long, in seconds.
    let duration: Double
    /// 1 more than there are lifts before the end.
    let strokes: Int
    /// Seconds in gaps of more than 50 ms between samples.
    let inAir: Double

    /// The fewest points; a capture too short for them is drawn out.
    private static let fewestPoints = 16
    private static let gap = 0.05

    init(_ recorded: Capture, _ preparation: Preparation) throws(CaptureError) {
        let capture = try recorded.written()
        let times = try capture.repairedTimes(step: preparation.clockStep)
        let last = times[times.count - 1]
        var grid: [Double] = []
        let whole = Int(last / preparation.interval)
        if whole + 1 >= Self.fewestPoints {
            for point in 0...whole { grid.append(Double(Int64(point) * preparation.interval)) }
        } else {
            for point in 0..<Self.fewestPoints {
                grid.append(Double(last) * Double(point) / Double(Self.fewestPoints - 1))
            }
        }
        var x: [Double] = []
        var y: [Double] = []
        var pressure: [Double] = []
        var next = 1
        for time in grid {
            while next < times.count - 1, Double(times[next]) <= time { next += 1 }
            let (before, after) = (capture.samples[next - 1], capture.samples[next])
            let start = Double(times[next - 1])
            let share = min((time - start) / (Double(times[next]) - start), 1)
            func between(_ from: Int32, _ to: Int32) -> Double { Double(from) + (Double(to) - Double(from)) * share }
            x.append(between(before.x, after.x))
            y.append(between(before.y, after.y))
            pressure.append(between(before.pressure, after.pressure))
        }
        self.x = x
        self.y = y
        self.pressure = pressure
        duration = grid[grid.count - 1] / 1e6
        strokes = 1 + capture.samples.dropLast().count { $0.isPenUp }
        var inAir = 0.0
        for index in times.indices.dropFirst() {
            let gap = Double(times[index]) / 1e6 - Double(times[index - 1]) / 1e6
            if gap > Self.gap { inAir += gap }
        }
        self.inAir = inAir
    }
}

/// How a capture becomes features: the same for all that are compared with one model.
public struct Preparation: Sendable, Equatable {
    /// Between two points, in microseconds.
    let interval: Int64
    /// Whether derivatives reach over two points to each side, or over one.
    let isWide: Bool
    /// The replacement for a time step that does not go forward, in microseconds.
    let clockStep: Int64

    /// 100 points a second.
    public static func pen(clockStep: Int64 = 1_000) -> Preparation {
        Preparation(interval: 10_000, isWide: true, clockStep: clockStep)
    }

    /// 50 points a second, for sensors that give about 60.
    public static func touch(clockStep: Int64 = 1_000) -> Preparation {
        Preparation(interval: 20_000, isWide: false, clockStep: clockStep)
    }

    /// The rate of change at each point, in units a point; the ends are repeated.
    func derivative(of values: [Double]) -> [Double] {
        let last = values.count - 1
        func at(_ index: Int) -> Double { values[min(max(index, 0), last)] }
        return values.indices.map { index in
            isWide
                ? ((at(index + 1) - at(index - 1)) + 2 * (at(index + 2) - at(index - 2))) / 10
                : (at(index + 1) - at(index - 1)) / 2
        }
    }
}
