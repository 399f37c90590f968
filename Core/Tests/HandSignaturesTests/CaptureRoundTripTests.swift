import Encodings
import Testing

@testable import HandSignatures

/// Capture, form, the same capture: for every form that is written.
@Suite("Captures that are written and read")
struct CaptureRoundTripTests {
    private static let date = Bytes(text: "2026-11-22T02:30:00Z")

    private static func signatures() throws -> [Capture] {
        try (0..<40).map { seed in
            try SyntheticSignature(seed: seed, sensor: seed % 2 == 0 ? .tablet : .page, strokes: 1 + Int(seed % 5))
                .capture
        }
    }

    @Test("as JSON, byte for byte, in canonical form")
    func json() throws {
        for capture in try Self.signatures() {
            let written = CaptureJSON.write(capture)
            let read = try CaptureJSON.read(written)
            #expect(read == capture)
            #expect(CaptureJSON.write(read) == written)
            #expect(try JSON.parse(written).canonical() == written)
        }
    }

    @Test("as a record of bytes and as XML, whole")
    func timeSeries() throws {
        for capture in try Self.signatures() {
            let record = try TimeSeriesRecord.write(capture)
            #expect(try TimeSeriesRecord.read(record, tool: capture.tool) == capture)
            let text = try TimeSeriesXML.write(capture, date: Self.date)
            #expect(try TimeSeriesXML.read(text, tool: capture.tool) == capture)
        }
    }

    @Test("JSON as the documentation shows it")
    func shownJSON() throws {
        let samples = (0..<10).map { "[\($0 * 20_000),\($0),\(-$0),\($0),null,null,\($0 / 9)]" }.joined(separator: ", ")
        let text = """
            { "units": {"time":"microsecond","angle":"centidegree","step_nanometres":0,"position":"step"}, "tool":"mouse",
              "samples": [\(samples)], "pressure_levels": 9, "format": "countersign-capture-1" }
            """
        let capture = try CaptureJSON.read(Bytes(text: text))
        #expect(capture.tool == .mouse && capture.samples.count == 10 && capture.samples[9].isPenUp)
        #expect(capture.samples[3] == Capture.Sample(time: 60_000, x: 3, y: -3, pressure: 3))
    }

    @Test("a capture too fine for 16 bits is written once it is coarser, and says by how much")
    func coarsened() throws {
        var fine = try SyntheticSignature(seed: 7).capture
        for index in fine.samples.indices {
            fine.samples[index].time += Int64(index % 3)
            fine.samples[index].x *= 40
        }
        fine.stepNanometres = 250
        #expect(throws: CaptureError.self) { try TimeSeriesRecord.write(fine) }
        let coarse = try fine.coarsened(clock: 100, steps: 40)
        #expect(coarse.stepNanometres == 10_000)
        #expect(coarse.samples.map(\.x) == (try SyntheticSignature(seed: 7).capture.samples.map(\.x)))
        let record = try TimeSeriesRecord.write(coarse)
        #expect(try TimeSeriesRecord.read(record, tool: .pen) == coarse)
        #expect(throws: CaptureError.outOfRange(sample: 0)) { try fine.coarsened(clock: 1, steps: .max) }
    }

    @Test("what 16 bits do not hold is not written as something else")
    func inexact() throws {
        let good = try SyntheticSignature(seed: 3).capture
        let changes: [(inout Capture) -> Void] = [
            { $0.samples[5].x = 32_768 }, { $0.samples[5].y = -32_769 }, { $0.samples[5].time += 1 },
            { $0.samples[5].altitude = nil }, { $0.samples[5].azimuth = nil },
        ]
        for change in changes {
            var capture = good
            change(&capture)
            #expect(throws: CaptureError.inexact(sample: 5)) { try TimeSeriesRecord.write(capture) }
            #expect(throws: CaptureError.inexact(sample: 5)) { try TimeSeriesXML.write(capture, date: Self.date) }
        }
        var capture = good
        capture.stepNanometres = 7
        #expect(throws: CaptureError.inexact(sample: 0)) { try TimeSeriesRecord.write(capture) }
        capture = good
        capture.pressureLevels = 65_536
        #expect(throws: CaptureError.inexact(sample: 0)) { try TimeSeriesRecord.write(capture) }
        #expect(throws: CaptureError.malformed(line: 0)) {
            try TimeSeriesXML.write(good, date: Bytes(text: "<2026-11-22T02:30:00>"))
        }
    }
}
