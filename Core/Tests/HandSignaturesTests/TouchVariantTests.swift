import Testing

@testable import HandSignatures

/// A pen's recording, as a finger would have given it.
@Suite("A pen's capture as touch")
struct TouchVariantTests {
    /// Two strokes, a sample every 5 ms, three of them in the air between.
    private static func capture() throws -> Capture {
        var samples = (0..<12).map { index in
            Capture.Sample(
                time: Int64(index) * 5_000, x: Int32(index), y: 1, pressure: 500, altitude: 4_000, azimuth: 100,
                isPenUp: index == 11)
        }
        samples += (12..<15).map { Capture.Sample(time: Int64($0) * 5_000, x: Int32($0), y: 2, isPenUp: true) }
        samples += (15..<27).map { index in
            Capture.Sample(
                time: Int64(index) * 5_000, x: Int32(index), y: 3, pressure: 500, isPenUp: index == 26)
        }
        return try Capture(tool: .pen, pressureLevels: 1_000, stepNanometres: 10_000, samples: samples)
    }

    @Test("has a sample about every 16 ms, the ends of strokes, and no pressure, no angles, nothing in the air")
    func values() throws {
        let touch = try Self.capture().asTouch()
        #expect(touch.tool == .touch && touch.pressureLevels == 0 && touch.stepNanometres == 10_000)
        // Every fourth of the first stroke and its end; the second stroke begins 20 ms after it.
        #expect(touch.samples.map(\.x) == [0, 4, 8, 11, 15, 19, 23, 26])
        #expect(touch.samples.map(\.time) == touch.samples.map { Int64($0.x) * 5_000 })
        #expect(touch.samples.map(\.isPenUp) == [false, false, false, true, false, false, false, true])
        #expect(touch.samples.allSatisfy { $0.pressure == 0 && $0.altitude == nil && $0.azimuth == nil })
    }

    @Test("keeps a clock that goes back for its repair, and refuses what is too short for a signature")
    func limits() throws {
        var back = try Self.capture()
        back.samples[6].time = 0
        let touch = try back.asTouch()
        #expect(touch.samples.map(\.x) == [0, 4, 6, 7, 11, 15, 19, 23, 26])
        #expect(touch.samples[2].time == 0)
        var short = try Self.capture()
        short.samples = Array(short.samples.prefix(12))
        #expect(throws: CaptureError.tooFewSamples(4)) { try short.asTouch() }
    }
}
