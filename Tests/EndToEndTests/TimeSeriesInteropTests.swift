import Encodings
import Foundation
import HandSignatures
import Testing

/// `countersign signatures convert` to ISO/IEC 19794-7, read by a program in Python that was written from public text.
@Suite("ISO/IEC 19794-7 with an independent reader", .timeLimit(.minutes(10)))
struct TimeSeriesInteropTests {
    /// A movement that nobody made, of three strokes.
    ///
    /// - Parameters:
    ///   - tick: What the clock's steps are multiples of, in microseconds.
    ///   - pause: How long the tool is away between strokes, in microseconds.
    private static func capture(
        _ tool: Capture.Tool, levels: Int32, step: Int32, hasAngles: Bool, tick: Int64 = 20, pause: Int64 = 0
    ) throws -> Capture {
        var time: Int64 = 0
        var samples: [Capture.Sample] = []
        for index in Int32(0)..<60 {
            let isLast = index % 20 == 19
            let altitude: Int32? = hasAngles ? 6_000 - index * 11 : nil
            let azimuth: Int32? = hasAngles ? index * 200 : nil
            let pressure: Int32 = index * 977 % (levels + 1)
            samples.append(
                Capture.Sample(
                    time: time, x: 100 + index * 37 - index * index, y: index * 53 % 700 - 300, pressure: pressure,
                    altitude: altitude, azimuth: azimuth, isPenUp: isLast))
            time += 10_000 + Int64(index % 3) * tick
            if isLast { time += pause }
        }
        return try Capture(tool: tool, pressureLevels: levels, stepNanometres: step, samples: samples)
    }

    /// The file of a capture in another form.
    private static func convert(
        _ capture: Capture, to form: String, in folder: TemporaryFolder
    ) async throws -> String {
        let original = folder.path("capture.json")
        let out = folder.path("capture.\(form)")
        try Data(CaptureJSON.write(capture)).write(to: URL(fileURLWithPath: original))
        let written = try await Program.runAside(
            Program.countersign, ["signatures", "convert", original, "--to", form, "--out", out, "--force"])
        #expect(written.status == 0, "\(written.output)\(written.errors)")
        return out
    }

    private static func read(_ file: String) async throws -> Program.Outcome {
        let script = Program.repository.appendingPathComponent("Tests/Interop/signatures/time_series.py").path
        return try await Program.runAside(Program.python, [script, file])
    }

    @Test("every sample comes back with its time, place, pressure, angles and lift", arguments: ["record", "xml"])
    func samples(form: String) async throws {
        let folder = try TemporaryFolder()
        let captures = [
            try Self.capture(.pen, levels: 1_023, step: 10_000, hasAngles: true),
            try Self.capture(.touch, levels: 0, step: 0, hasAngles: false),
            try Self.capture(.pen, levels: 65_535, step: 250_000, hasAngles: true, tick: 100, pause: 2_000_000),
            try Self.capture(.pen, levels: 4_095, step: 0, hasAngles: false, tick: 1_000, pause: 10_000_000),
        ]
        for capture in captures {
            let file = try await Self.convert(capture, to: form, in: folder)
            let outcome = try await Self.read(file)
            try #require(outcome.status == 0, "\(outcome.errors)")
            let json = try ServerMachine.json(outcome)
            #expect(json["form"] == .text(form))
            let pressures = json["channels"]?.array?.first { $0["name"] == .text("F") }
            let levels: Int64? = capture.pressureLevels > 0 ? Int64(capture.pressureLevels) : nil
            #expect(pressures?["max"]?.integer == levels)
            let unit = capture.stepNanometres > 0 ? "nanometre" : "step"
            #expect(json["units"]?["x"] == .text(unit) && json["units"]?["y"] == .text(unit))
            try Self.compare(try #require(json["samples"]?.array), with: capture)
        }
    }

    private static func compare(_ samples: [JSON], with capture: Capture) throws {
        try #require(samples.count == capture.samples.count)
        let step: Int64 = capture.stepNanometres > 0 ? Int64(capture.stepNanometres) : 1
        for (index, original) in capture.samples.enumerated() {
            let sample = samples[index]
            let pressure: Int64? = capture.pressureLevels > 0 ? Int64(original.pressure) : nil
            let tip: Int64 = original.isPenUp ? 0 : 1
            let altitude: Int64? = original.altitude.map { Int64($0) }
            let azimuth: Int64? = original.azimuth.map { Int64($0) }
            #expect(sample["time"]?.integer == original.time, "sample \(index)")
            #expect(sample["x"]?.integer == Int64(original.x) * step, "sample \(index)")
            #expect(sample["y"]?.integer == Int64(original.y) * step, "sample \(index)")
            #expect(sample["pressure"]?.integer == pressure, "sample \(index)")
            #expect(sample["tip"]?.integer == tip, "sample \(index)")
            #expect(sample["elevation"]?.integer == altitude, "sample \(index)")
            #expect(sample["azimuth"]?.integer == azimuth, "sample \(index)")
        }
    }

    @Test("a record with an inverted byte of its head, a byte too many or too few is refused, and so is changed XML")
    func changed() async throws {
        let folder = try TemporaryFolder()
        let capture = try Self.capture(.pen, levels: 1_023, step: 10_000, hasAngles: true)
        let written = try await Self.convert(capture, to: "record", in: folder)
        let record = Bytes(try Data(contentsOf: URL(fileURLWithPath: written)))
        // Identifier, version and channels; what is told of each of the seven; two unused octets and the count. The
        // rest of the head are scales, and the least and the largest pressure, in which every number means something.
        var places = Array(0x00...0x0A)
        places += [0x0D, 0x10, 0x13, 0x18, 0x19, 0x1C]
        places += Array(0x1F...0x23)
        var changes: [(what: String, bytes: Bytes)] = []
        for place in places {
            var bytes = record
            bytes[place] ^= 0xFF
            changes.append(("byte \(place)", bytes))
        }
        changes.append(("a byte too many", record + [0x00]))
        changes.append(("a byte too few", Bytes(record.dropLast())))
        var low = record
        low[0x16] = 0x00
        changes.append(("pressures above the largest", low))

        let page = try await Self.convert(capture, to: "xml", in: folder)
        let text = try String(contentsOfFile: page, encoding: .utf8)
        for (old, new) in [
            ("/-7/ed-1/amd/1\"", "/-7/ed-1/amd/2\""), ("SchemaVersion=\"1.0\"", "SchemaVersion=\"1.1\""),
            ("<cmn:Major>2<", "<cmn:Major>3<"), ("<InclusionField>C0E6<", "<InclusionField>C0E7<"),
            ("<MaxChannelValue>1023<", "<MaxChannelValue>923<"), ("<SChannel>1</SChannel>", ""),
            ("<DTChannel>500<", "<DTChannel>-500<"), ("<SamplePointList>", "<SamplePointList>x"),
            ("</SignatureSignTimeSeries>", "</SignatureSignTimeSeries>x"),
        ] {
            let other = text.replacing(old, with: new)
            #expect(other != text, "\(old) is not there")
            changes.append((new, Bytes(text: other)))
        }
        for change in changes {
            let file = folder.path("changed")
            try Data(change.bytes).write(to: URL(fileURLWithPath: file))
            let outcome = try await Self.read(file)
            #expect(outcome.status == 1 && outcome.errors.hasPrefix("refused: "), "\(change.what): \(outcome.errors)")
        }
    }
}
