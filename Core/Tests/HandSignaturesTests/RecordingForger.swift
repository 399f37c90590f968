@testable import HandSignatures

/// A forger who has a recording of a signature and plays it again, changed a little.
struct RecordingForger: Sendable {
    /// What is tried.
    static let ways: [RecordingForger] = [
        RecordingForger(bend: 0.003), RecordingForger(bend: 0.004), RecordingForger(bend: 0.005),
        RecordingForger(bend: 0.02), RecordingForger(turn: 1), RecordingForger(turn: 4), RecordingForger(turn: 7),
        RecordingForger(turn: 10), RecordingForger(duration: 0.9), RecordingForger(duration: 1.3),
        RecordingForger(width: 0.9), RecordingForger(width: 1.3), RecordingForger(height: 1.3),
        RecordingForger(tremble: 0.01), RecordingForger(bend: 0.005, turn: 7, duration: 1.1, width: 1.2),
        RecordingForger(bend: 0.01, turn: 10, duration: 0.9, width: 0.9, height: 1.3, tremble: 0.002),
    ]

    /// How much later and earlier than recorded, as a share of the whole time, in one to four waves.
    var bend = 0.0
    /// In degrees.
    var turn = 0.0
    /// How much longer, wider and higher.
    var duration = 1.0
    var width = 1.0
    var height = 1.0
    /// How far every point trembles, as a share of the size.
    var tremble = 0.0

    func played(_ capture: Capture, seed: UInt64) throws -> Capture {
        var state = seed
        func next() -> Double {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Double(state >> 11) / Double(1 << 53)
        }
        let whole = Double(capture.samples.last?.time ?? 1)
        let waves = 1 + (4 * next()).rounded(.down)
        let phase = next()
        // Exact enough of a sine and a cosine for a forger.
        let angle = turn * Elementary.pi / 180
        let square = angle * angle
        let sine = angle * (1 - square / 6)
        let cosine = 1 - square / 2 + square * square / 24
        func wave(_ turns: Double) -> Double {
            let part = 2 * (turns - turns.rounded(.down)) - 1
            return -4 * part * (1 - abs(part))
        }
        func size(_ values: [Int32]) -> Double { Double((values.max() ?? 0) - (values.min() ?? 0)) }
        let (wide, high) = (size(capture.samples.map(\.x)), size(capture.samples.map(\.y)))
        var samples = capture.samples
        var last: Int64 = -1
        for index in samples.indices {
            let share = Double(samples[index].time) / whole
            let edge = min(1, 20 * share * (1 - share))
            let time = Int64((share + bend * edge * wave(waves * share + phase)) * whole * duration)
            samples[index].time = index == 0 ? 0 : max(time, last + 1)
            last = samples[index].time
            let x = width * Double(samples[index].x) + tremble * wide * (2 * next() - 1)
            let y = height * Double(samples[index].y) + tremble * high * (2 * next() - 1)
            samples[index].x = Int32(4 * (cosine * x - sine * y)) + 777
            samples[index].y = Int32(4 * (sine * x + cosine * y)) - 321
        }
        return try Capture(
            tool: capture.tool, pressureLevels: capture.pressureLevels, samples: samples)
    }
}
