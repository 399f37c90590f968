@testable import HandSignatures

/// A made-up movement of a pen, the same for the same seed.
///
/// It has strokes of a few waves each, lifts in between, pressure that rises and falls, and a pen that turns while it
/// writes.
///
/// It is for the tests of formats, of alignments and of speed. It is no signature: it shows neither how a person writes
/// nor how a forger fails. Nothing measured with it says how well signatures are told apart.
struct SyntheticSignature {
    /// How exact the sensor is that would have recorded it.
    enum Sensor {
        /// A tablet: steps of 10 micrometres, a sample every 10 ms, pressure and angles.
        case tablet
        /// A finger on a page: a sample about every 16 ms, to 100 microseconds, no pressure, no angles.
        case page
    }

    let capture: Capture

    init(seed: UInt64, sensor: Sensor = .tablet, strokes: Int = 3) throws {
        var random = SplitMix(state: seed)
        var samples: [Capture.Sample] = []
        var time: Int64 = 0
        var (x, y): (Int32, Int32) = (0, 0)
        for _ in 0..<strokes {
            let count = 14 + random.below(20)
            let (height, period) = (Int32(60 + random.below(200)), 5 + random.below(6))
            for index in 0..<count {
                // A wave of straight pieces: up for half of the period, then down.
                let phase = index % period
                let rise = phase < period / 2 ? height : -height
                x += Int32(20 + random.below(40))
                y += rise / Int32(period / 2 + 1) + Int32(random.below(9)) - 4
                let pressure = sensor == .tablet ? Int32(300 + 1_000 * min(index, count - 1 - index) / count) : 0
                samples.append(
                    Capture.Sample(
                        time: time, x: x, y: y, pressure: pressure + Int32(random.below(2)) * (pressure > 0 ? 7 : 0),
                        altitude: sensor == .tablet ? Int32(5_000 + 3 * index + random.below(50)) : nil,
                        azimuth: sensor == .tablet ? Int32(13_000 + 10 * index) : nil, isPenUp: index == count - 1))
                time += sensor == .tablet ? 10_000 : Int64(15_500 + 100 * random.below(12))
            }
            time += Int64(8 + random.below(30)) * 10_000
            x += Int32(random.below(400)) - 150
            y = Int32(random.below(300)) - 150
        }
        capture = try Capture(
            tool: sensor == .tablet ? .pen : .touch, pressureLevels: sensor == .tablet ? 2_047 : 0,
            stepNanometres: sensor == .tablet ? 10_000 : 0, samples: samples)
    }

    /// SplitMix64: the standard library's generator is another one in each run.
    private struct SplitMix {
        var state: UInt64

        mutating func below(_ limit: Int) -> Int {
            state &+= 0x9E37_79B9_7F4A_7C15
            var mixed = state
            mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
            mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
            return Int((mixed ^ mixed >> 31) % UInt64(limit))
        }
    }
}
