public import HandSignatures

/// The hand of a person who does not exist: the same hand for the same seed, but no two signatures alike.
///
/// Waves of a few lengths make the strokes; from one signature to the next their sizes, times and places differ a little.
/// It is for tests of what is done with signatures. It is no model of people, and nothing that is measured with it says
/// how well signatures are told apart.
public struct SyntheticHand: Sendable {
    private let seed: UInt64

    /// A hand.
    public init(seed: UInt64) { self.seed = seed }

    /// One of their signatures.
    ///
    /// - Parameters:
    ///   - number: which one; the same number gives the same movement.
    ///   - tool: pens have pressure and angles.
    public func signature(_ number: UInt64, tool: Capture.Tool = .pen) throws(CaptureError) -> Capture {
        var shape = Dice(state: seed &* 0x9E37_79B9 &+ 1)
        var today = Dice(state: seed &* 0x85EB_CA6B &+ number &* 0xC2B2_AE35 &+ 7)
        var samples: [Capture.Sample] = []
        var (time, left) = (0.0, 0.0)
        for _ in 0..<2 + shape.below(2) {
            let length = 28 + shape.below(24)
            let width = 200.0 + Double(shape.below(160))
            var waves: [Wave] = []
            for _ in 0..<4 { waves.append(Wave(&shape, &today)) }
            let force = 9_000.0 + Double(shape.below(30_000))
            let (size, pace) = (1 + today.swing(0.04), 1 + today.swing(0.05))
            let lag = today.swing(0.012)
            for point in 0..<length {
                let share = Double(point) / Double(length - 1)
                // Now a little ahead, now a little behind.
                let moment = share + lag * 4 * share * (1 - share)
                var (x, y) = (moment * width, 0.0)
                for wave in waves {
                    x += wave.x(moment)
                    y += wave.y(moment)
                }
                let press = force * (0.35 + 2.2 * moment * (1 - moment)) * (1 + today.swing(0.04))
                let isPen = tool == .pen
                samples.append(
                    Capture.Sample(
                        time: Int64(time), x: Int32((left + x) * size * 100 + today.swing(25)),
                        y: Int32(y * size * 100 + today.swing(25)), pressure: isPen ? Int32(press) : 0,
                        altitude: isPen ? Int32(5_200 + today.swing(60)) : nil,
                        azimuth: isPen ? Int32(13_000 + today.swing(60)) : nil, isPenUp: point == length - 1))
                time += (isPen ? 7_500 : 16_000) * pace
            }
            left += width * (0.75 + 0.05 * Double(shape.below(6))) + today.swing(6)
            time += 60_000 + Double(shape.below(80_000)) * (1 + today.swing(0.1))
        }
        return try Capture(tool: tool, pressureLevels: tool == .pen ? 65_535 : 0, samples: samples)
    }

    /// One component of a stroke.
    private struct Wave {
        let across, upwards, turns, start: Double

        init(_ shape: inout Dice, _ today: inout Dice) {
            across = (10 + Double(shape.below(50))) * (1 + today.swing(0.06))
            upwards = (20 + Double(shape.below(110))) * (1 + today.swing(0.06))
            turns = 0.7 + 0.35 * Double(shape.below(10)) + today.swing(0.012)
            start = Double(shape.below(1_000)) / 1_000 + today.swing(0.012)
        }

        func x(_ moment: Double) -> Double { across * Self.sine(moment * turns + start + 0.25) }
        func y(_ moment: Double) -> Double { upwards * Self.sine(moment * turns + start) }

        /// Near enough to a sine of so many turns, of multiplications only: the same bits everywhere.
        private static func sine(_ turns: Double) -> Double {
            let part = 2 * (turns - turns.rounded(.down)) - 1
            return -4 * part * (1 - part.magnitude)
        }
    }

    /// SplitMix64.
    private struct Dice {
        var state: UInt64

        mutating func below(_ limit: Int) -> Int {
            state &+= 0x9E37_79B9_7F4A_7C15
            var mixed = state
            mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
            mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
            return Int((mixed ^ mixed >> 31) % UInt64(limit))
        }

        /// Evenly between minus and plus `size`.
        mutating func swing(_ size: Double) -> Double { size * (Double(below(2_001)) / 1_000 - 1) }
    }
}
