/// A signature as the channels of ISO/IEC 19794-7: what the forms in bytes and in XML have in common.
///
/// Used are X and Y (millimetres), T or DT (seconds), F (no unit: pressure is of the sensor), S (1 while the pen touches),
/// AZ and EL (degrees). The units are those of public examples, see `docs/capture-formats.md`.
struct TimeSeries: Equatable {
    /// One point; a channel that is not there is `nil`.
    struct Point: Equatable {
        var x: Int32 = 0
        var y: Int32 = 0
        /// Since the first point, T, or since the point before, DT.
        var time: Int64 = 0
        var force: Int64?
        var touches: Bool?
        var azimuth: Int64?
        var elevation: Int64?
    }

    /// The scales of X and Y; `nil` when the unit is not known.
    var xScale, yScale: TimeSeriesScale?
    var timeScale = TimeSeriesScale.one
    /// Whether times are T.
    var isAbsolute = false
    var azimuthScale = TimeSeriesScale.one
    var elevationScale = TimeSeriesScale.one
    /// The largest force.
    var mostForce: Int64 = 65_535
    var points: [Point] = []

    /// The steps of time that are tried for DT, in microseconds: the finest in which the longest step fits 16 bits.
    private static let clocks: [Int64] = [20, 100, 1_000]
    private static let hundredths = TimeSeriesScale(numerator: 100, denominator: 1)

    init() {}

    /// The channels of a capture, without loss.
    ///
    /// - Throws: `inexact` with the sample whose value does not fit 16 bits, whose time is no multiple of a scale's
    ///   step, or which lacks an angle that others have. `inexact` with 0 when a scale does not hold the unit.
    init(_ capture: Capture) throws(CaptureError) {
        if capture.stepNanometres > 0 {
            let (steps, rest) = Int64(1_000_000).quotientAndRemainder(dividingBy: Int64(capture.stepNanometres))
            let scale = TimeSeriesScale(numerator: max(steps, 1), denominator: 1)
            guard steps > 0, rest == 0, scale.encoded != nil else { throw .inexact(sample: 0) }
            (xScale, yScale) = (scale, scale)
        }
        guard capture.pressureLevels <= 65_535, capture.samples.first?.time == 0 else { throw .inexact(sample: 0) }
        let clock = try Self.clock(of: capture)
        timeScale = TimeSeriesScale(numerator: 1_000_000 / clock, denominator: 1)
        (azimuthScale, elevationScale) = (Self.hundredths, Self.hundredths)
        mostForce = Int64(capture.pressureLevels)
        let first = capture.samples[0]
        for (index, sample) in capture.samples.enumerated() {
            let before = capture.samples[max(index - 1, 0)]
            guard Int16(exactly: sample.x) != nil, Int16(exactly: sample.y) != nil,
                (sample.altitude == nil) == (first.altitude == nil), (sample.azimuth == nil) == (first.azimuth == nil)
            else { throw .inexact(sample: index) }
            points.append(
                Point(
                    x: sample.x, y: sample.y, time: (sample.time - before.time) / clock,
                    force: capture.pressureLevels > 0 ? Int64(sample.pressure) : nil, touches: !sample.isPenUp,
                    azimuth: sample.azimuth.map { Int64($0) }, elevation: sample.altitude.map { Int64($0) }))
        }
    }

    private static func clock(of capture: Capture) throws(CaptureError) -> Int64 {
        var failed = 0
        for clock in clocks {
            let bad = capture.samples.indices.dropFirst().first { index in
                let step = capture.samples[index].time - capture.samples[index - 1].time
                return !(0...65_535).contains(step / clock) || step % clock != 0
            }
            guard let bad else { return clock }
            failed = bad
        }
        throw .inexact(sample: failed)
    }

    /// What the channels say.
    ///
    /// Without S, a pen touches while its force is above 0, if it tells one. A point that does not touch is marked as pen
    /// up: the first of a run where the pen was lifted, the others in the air; see `Capture.written`.
    ///
    /// - Throws: `unknownUnit` for a step that no sensor has; what `Capture.init` throws; `tooShort`, `tooLong`,
    ///   `brokenClock`.
    func capture(tool: Capture.Tool) throws(CaptureError) -> Capture {
        var samples: [Capture.Sample] = []
        samples.reserveCapacity(points.count)
        var now: Int64 = 0
        var start: Int64?
        let tellsForce = points.contains { ($0.force ?? 0) > 0 }
        for (index, point) in points.enumerated() {
            guard let step = timeScale.value(of: point.time, parts: 1_000_000), step <= 1 << 40,
                let azimuth = Self.angle(point.azimuth, azimuthScale),
                let altitude = Self.angle(point.elevation, elevationScale)
            else { throw .outOfRange(sample: index) }
            // Nothing before the first point is part of the signature.
            now = isAbsolute ? step - (start ?? step) : index == 0 ? 0 : now + step
            start = start ?? step
            let touches = point.touches ?? (!tellsForce || (point.force ?? 0) > 0)
            samples.append(
                Capture.Sample(
                    time: now, x: point.x, y: point.y, pressure: Int32(clamping: point.force ?? 0), altitude: altitude,
                    azimuth: azimuth, isPenUp: !touches))
        }
        let hasForce = points.contains { $0.force != nil }
        return try Capture(
            tool: tool, pressureLevels: hasForce ? Int32(clamping: mostForce) : 0, stepNanometres: try stepNanometres(),
            samples: samples
        ).withUsableClock()
    }

    /// 0 when the unit is not known, or not the same to the right and upwards.
    private func stepNanometres() throws(CaptureError) -> Int32 {
        guard let xScale, xScale == yScale else { return 0 }
        guard let step = xScale.value(of: 1, parts: 1_000_000), (1...Int64(Capture.largestStep)).contains(step) else {
            throw .unknownUnit
        }
        return Int32(step)
    }

    /// Hundredths of a degree; the inner `nil` when there is no angle.
    private static func angle(_ count: Int64?, _ scale: TimeSeriesScale) -> Int32?? {
        guard let count else { return .some(nil) }
        return scale.value(of: count, parts: 100).map { .some(Int32(clamping: $0)) }
    }
}
