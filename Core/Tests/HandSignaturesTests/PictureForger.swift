import Encodings

@testable import HandSignatures

/// A forger who has the picture of a signature and does not know the hand: makes a movement from it.
struct PictureForger {
    /// What the forger guesses about the speed.
    enum Speed: CaseIterable, Sendable {
        /// Every point of the picture took as long as every other, as if points were samples.
        case pointByPoint
        /// The tip was as fast everywhere.
        case even
        /// Slower in bends, as hands are: the cube root of the radius (the two-thirds power law).
        case bends
    }

    typealias Point = Polyline.Point

    /// The strokes of the picture, in its units.
    let strokes: [[Point]]
    /// Points of a line of version 0.3 rather than of a curve.
    let isOld: Bool

    init(_ svg: Bytes) {
        let text = String(decoding: svg, as: UTF8.self)
        isOld = text.contains("<polyline")
        strokes = text.matches(of: /(?:points|d)="M?([^"]*)"/).map { match in
            let numbers = match.1.split(whereSeparator: { " ,Q".contains($0) }).compactMap { Double($0) }
            return stride(from: 0, to: numbers.count - 1, by: 2).map { Point(numbers[$0], numbers[$0 + 1]) }
        }
    }

    /// The line that the eye sees: of a curve, its pieces.
    private func seen(_ stroke: [Point]) -> [Point] {
        guard !isOld, stroke.count >= 3 else { return stroke }
        var line = [stroke[0]]
        for index in stride(from: 1, to: stroke.count - 1, by: 2) {
            let (from, bend, to) = (line[line.count - 1], stroke[index], stroke[index + 1])
            for part in 1...8 {
                let share = Double(part) / 8
                let first: Point = from + share * (bend - from)
                let second: Point = bend + share * (to - bend)
                line.append(first + share * (second - first))
            }
        }
        return line
    }

    /// The points in the file, one for each sample or step: for a curve, where it bends.
    private func vertices(_ stroke: [Point]) -> [Point] {
        guard !isOld, stroke.count >= 3 else { return stroke }
        return [stroke[0]] + stride(from: 1, to: stroke.count - 1, by: 2).map { stroke[$0] } + [
            stroke[stroke.count - 1]
        ]
    }

    /// A movement through the picture.
    ///
    /// - Parameters:
    ///   - step: milliseconds for each point of the picture.
    ///   - pace: units of the picture a millisecond, where lengths decide.
    ///   - signature: the one in the picture. The forger knows its size and its average pressure.
    ///   - swell: how much harder the middle of a stroke is pressed than its ends; 0 for evenly.
    ///   - turn: a small turn, so that no recording is recognised.
    ///   - order: how the strokes really went, for a forger who has seen the hand: first and last point of each.
    func movement(
        _ speed: Speed, step: Double, pace: Double = 1, like signature: Capture, swell: Double = 3,
        turn: (Double, Double) = (0.9962, 0.0872), order: [(Point, Point)]? = nil
    ) throws -> Capture {
        let written = signature.samples.map { Point(Double($0.x), Double($0.y)) }
        let size = Self.span(written) / Self.span(strokes.flatMap { $0 })
        let pressures = signature.samples.map { Double($0.pressure) }
        let usual = pressures.reduce(0, +) / Double(pressures.count)
        var samples: [Capture.Sample] = []
        var start = 0.0
        for stroke in ordered(order) {
            let timed: [(point: Point, time: Double)]
            switch speed {
            case .pointByPoint:
                timed = vertices(stroke).enumerated().map { ($0.element, Double($0.offset) * step) }
            case .even: timed = Self.times(seen(stroke), pace: pace, bends: false)
            case .bends: timed = Self.times(seen(stroke), pace: pace, bends: true)
            }
            let length = timed[timed.count - 1].time
            let resolution = speed == .pointByPoint ? step : signature.tool == .touch ? 16 : 10
            let count = max(Int((length / resolution).rounded()), 1)
            var next = 1
            for tick in 0...count {
                let time = length * Double(tick) / Double(count)
                while next < timed.count - 1, timed[next].time <= time { next += 1 }
                let (before, after) = timed.count > 1 ? (timed[next - 1], timed[next]) : (timed[0], timed[0])
                let gap = after.time - before.time
                let share = gap > 0 ? min(max((time - before.time) / gap, 0), 1) : 0
                let point = before.point + share * (after.point - before.point)
                let part = Double(tick) / Double(count)
                let press = usual * (1 - swell / 6 + swell * part * (1 - part))
                samples.append(
                    Capture.Sample(
                        time: Int64((start + time) * 1_000), x: Int32((turn.0 * point.x - turn.1 * point.y) * size),
                        y: Int32((turn.1 * point.x + turn.0 * point.y) * size),
                        pressure: min(Int32(press), signature.pressureLevels), isPenUp: tick == count))
            }
            start += length + 100
        }
        return try Capture(tool: signature.tool, pressureLevels: signature.pressureLevels, samples: samples)
    }

    /// The width and the height of a line, whichever is more.
    private static func span(_ line: [Point]) -> Double {
        let (xs, ys) = (line.map(\.x), line.map(\.y))
        return max((xs.max() ?? 0) - (xs.min() ?? 0), (ys.max() ?? 0) - (ys.min() ?? 0), 1)
    }

    /// The strokes as the picture has them, or in the order and direction in which they went.
    private func ordered(_ order: [(Point, Point)]?) -> [[Point]] {
        guard let order else { return strokes }
        func distance(_ one: Point, _ other: Point) -> Double {
            let between = one - other
            return Elementary.hypot(between.x, between.y)
        }
        var left = strokes
        var result: [[Point]] = []
        for (first, last) in order where !left.isEmpty {
            func cost(_ stroke: [Point]) -> (cost: Double, isReversed: Bool) {
                let (from, to) = (stroke[0], stroke[stroke.count - 1])
                let forwards = distance(from, first) + distance(to, last)
                let backwards = distance(from, last) + distance(to, first)
                return (min(forwards, backwards), backwards < forwards)
            }
            let place = left.indices.min { cost(left[$0]).cost < cost(left[$1]).cost } ?? 0
            let stroke = left.remove(at: place)
            result.append(cost(stroke).isReversed ? stroke.reversed() : stroke)
        }
        return result
    }

    /// When each point of a line is reached.
    private static func times(_ line: [Point], pace: Double, bends: Bool) -> [(point: Point, time: Double)] {
        let even = line.count > 1 ? Polyline.even(line, pieces: max(line.count, 8)) : line
        let length = Polyline.lengths(even).last ?? 0
        var slowness = [Double](repeating: 1, count: even.count)
        if bends {
            for index in even.indices.dropFirst().dropLast() {
                let (before, after) = (even[index] - even[index - 1], even[index + 1] - even[index])
                let cross = before.x * after.y - before.y * after.x
                let dot = before.x * after.x + before.y * after.y
                let angle = abs(Elementary.atan2(cross, dot))
                let curvature = max(angle / max(length / Double(even.count), 0.001), 0.002)
                slowness[index] = Elementary.exp(Elementary.ln(curvature) / 3)
            }
            // Hands begin and end slowly.
            slowness[0] = slowness.max() ?? 1
            slowness[even.count - 1] = slowness[0]
        }
        var sums = [0.0]
        for index in even.indices.dropFirst() {
            sums.append(sums[index - 1] + (slowness[index] + slowness[index - 1]) / 2)
        }
        let whole = max(sums[sums.count - 1], 1e-9)
        return zip(even, sums).map { ($0, $1 / whole * max(length / pace, 1)) }
    }
}

/// The picture that version 0.3 drew: a point for each sample, in tenths of a unit.
enum OldInk {
    static func svg(_ capture: Capture) -> Bytes {
        let strokes = strokes(capture)
        var svg = SVG(width: 6_000, height: 2_400, title: "Signature")
        for stroke in strokes {
            if stroke.count == 1 { svg.circle(stroke[0], 12, "dot") } else { svg.polyline(stroke, Bytes(text: "ink")) }
        }
        return svg.end()
    }

    /// First and last points of the strokes as they went, in units.
    static func order(_ capture: Capture) -> [(Polyline.Point, Polyline.Point)] {
        func point(_ place: (Int, Int)) -> Polyline.Point { Polyline.Point(Double(place.0) / 10, Double(place.1) / 10) }
        return strokes(capture).filter { $0.count > 1 }.map { (point($0[0]), point($0[$0.count - 1])) }
    }

    private static func strokes(_ capture: Capture) -> [[(Int, Int)]] {
        let (xs, ys) = (capture.samples.map { Int($0.x) }, capture.samples.map { Int($0.y) })
        let (left, top) = (xs.min() ?? 0, ys.min() ?? 0)
        let (spanX, spanY) = (max((xs.max() ?? 0) - left, 1), max((ys.max() ?? 0) - top, 1))
        let isWide = spanX * 2_200 > spanY * 5_800
        let (room, span) = isWide ? (5_800, spanX) : (2_200, spanY)
        var strokes: [[(Int, Int)]] = []
        var stroke: [(Int, Int)] = []
        for (number, sample) in capture.samples.enumerated() {
            stroke.append(
                (
                    (6_000 - spanX * room / span) / 2 + (Int(sample.x) - left) * room / span,
                    (2_400 - spanY * room / span) / 2 + (Int(sample.y) - top) * room / span
                ))
            guard sample.isPenUp || number == capture.samples.count - 1 else { continue }
            strokes.append(stroke)
            stroke = []
        }
        return strokes
    }
}
