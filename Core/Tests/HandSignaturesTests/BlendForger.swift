@testable import HandSignatures

/// A forger who walks a template to another hand, a little every day.
enum BlendForger {
    /// A movement between two of as many strokes.
    ///
    /// - Parameter share: 0 for the one, 1 for the other.
    static func blend(_ one: Capture, _ other: Capture, share: Double) throws -> Capture {
        let (first, second) = (strokes(one), strokes(other))
        precondition(first.count == second.count, "as many strokes")
        var samples: [Capture.Sample] = []
        for (from, to) in zip(first, second) {
            let count = max(2, Int((Double(from.count) * (1 - share) + Double(to.count) * share).rounded()))
            for index in 0..<count {
                let (a, b) = (at(index, count, from), at(index, count, to))
                func between(_ value: Double, _ another: Double) -> Double { value + share * (another - value) }
                samples.append(
                    Capture.Sample(
                        time: Int64(between(a.time, b.time)), x: Int32(between(a.x, b.x)), y: Int32(between(a.y, b.y)),
                        pressure: Int32(between(a.pressure, b.pressure)), isPenUp: index == count - 1))
            }
        }
        return try Capture(tool: one.tool, pressureLevels: one.pressureLevels, samples: samples)
    }

    /// The same movement, slower and flatter by this factor: a hand that ages.
    static func slower(_ capture: Capture, _ factor: Double) throws -> Capture {
        try Capture(
            tool: capture.tool, pressureLevels: capture.pressureLevels,
            samples: capture.samples.map { sample in
                var sample = sample
                sample.time = Int64(Double(sample.time) * factor)
                sample.y = Int32(Double(sample.y) / factor)
                return sample
            })
    }

    private typealias Place = (time: Double, x: Double, y: Double, pressure: Double)

    private static func strokes(_ capture: Capture) -> [[Capture.Sample]] {
        capture.samples.reduce(into: [[Capture.Sample]](arrayLiteral: [])) { strokes, sample in
            strokes[strokes.count - 1].append(sample)
            if sample.isPenUp { strokes.append([]) }
        }.filter { !$0.isEmpty }
    }

    private static func at(_ index: Int, _ count: Int, _ stroke: [Capture.Sample]) -> Place {
        let place = Double(index) / Double(count - 1) * Double(stroke.count - 1)
        let low = min(Int(place), max(stroke.count - 2, 0))
        let (before, after) = (stroke[low], stroke[min(low + 1, stroke.count - 1)])
        let part = place - Double(low)
        func between(_ value: Double, _ another: Double) -> Double { value + part * (another - value) }
        return (
            between(Double(before.time), Double(after.time)), between(Double(before.x), Double(after.x)),
            between(Double(before.y), Double(after.y)), between(Double(before.pressure), Double(after.pressure))
        )
    }
}
