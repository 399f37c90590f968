import Encodings
import Testing

@testable import HandSignatures

/// Some tablets record the pen in the air: what they record there must change nothing.
@Suite("Samples in the air")
struct HoveringTests {
    /// The capture as a device records it that sees the pen before, between and after the strokes.
    private static func hovering(_ capture: Capture) -> Capture {
        var result = capture
        result.samples = []
        func air(_ time: Int64, near sample: Capture.Sample, _ number: Int) {
            result.samples.append(
                Capture.Sample(
                    time: time, x: sample.x + Int32(37 * number % 400), y: sample.y - Int32(53 * number % 300),
                    altitude: sample.altitude, azimuth: sample.azimuth, isPenUp: true))
        }
        let (samples, lead) = (capture.samples, Int64(200_000))
        for number in 0..<20 { air(Int64(number) * 10_000, near: samples[0], number) }
        for (index, sample) in samples.enumerated() {
            result.samples.append(sample)
            result.samples[result.samples.count - 1].time += lead
            let end = index + 1 < samples.count ? samples[index + 1].time : sample.time + 300_000
            guard sample.isPenUp || end - sample.time > 50_000 else { continue }
            for (number, time) in stride(from: sample.time + 10_000, to: end, by: 10_000).enumerated() {
                air(time + lead, near: sample, number + 1)
            }
        }
        return result
    }

    /// A form of files, and how a capture gets through it.
    private struct Form: Sendable {
        let name: String
        let pass: @Sendable (Capture) throws -> Capture
    }

    private static let forms = [
        Form(name: "JSON") { try CaptureJSON.read(CaptureJSON.write($0)) },
        Form(name: "XML") {
            let date = Bytes(text: "2026-11-22T02:30:00Z")
            return try TimeSeriesXML.read(try TimeSeriesXML.write($0, date: date), tool: $0.tool)
        },
        Form(name: "record") { try TimeSeriesRecord.read(try TimeSeriesRecord.write($0), tool: $0.tool) },
    ]
    private static let penForms = [
        Form(name: "no tip switch") { capture in
            var series = try TimeSeries(capture)
            for index in series.points.indices { series.points[index].touches = nil }
            return try series.capture(tool: .pen)
        },
        Form(name: "CSV of Biometrix") { capture in
            let rows = capture.samples.map { one in
                "s,\(one.x).5,\(one.y),0.\(String(one.pressure + 100_000).dropFirst()),0,0,0,0,45,,\(one.time / 1_000_000)"
                    + ".\(String(one.time % 1_000_000 + 1_000_000).dropFirst())"
            }
            let text = "id,x,y,p,ax,ay,vx,vy,altitude,azimuth,timestamp\n" + rows.joined(separator: "\n")
            return try BiometrixCSV.read(Bytes(text: text), tool: .pen, angles: .degrees)
        },
        Form(name: "CSV of the research sets") { capture in
            let rows = capture.samples.enumerated().map { index, one in
                "1,1,genuine,1,\(index),\(one.x),\(one.y),\(one.time / 1_000),\(one.pressure),,,\(one.isPenUp ? 1 : 0)"
            }
            let header = "user,signature,kind,session,index,x,y,t,pressure,azimuth,altitude,penup\n"
            return try #require(try ResearchCSV.read(Bytes(text: header + rows.joined(separator: "\n"))).first).capture
        },
    ]

    @Test("change no bit of a score, in any form of files, of pens and of fingers")
    func sameScore() throws {
        for sensor in [SyntheticSignature.Sensor.tablet, .page] {
            let preparation = sensor == .tablet ? Preparation.pen() : .touch()
            for form in Self.forms + (sensor == .tablet ? Self.penForms : []) {
                var plain: [PreparedSignature] = []
                var hovering: [PreparedSignature] = []
                for seed in 1...6 as ClosedRange<UInt64> {
                    let capture = try SyntheticSignature(seed: seed, sensor: sensor).capture
                    let (one, other) = (try form.pass(capture), try form.pass(Self.hovering(capture)))
                    #expect(other.samples.count > one.samples.count + 60, "\(form.name): nothing is thrown away")
                    plain.append(try PreparedSignature(one, preparation))
                    hovering.append(try PreparedSignature(other, preparation))
                    #expect(try MovementTrace(one) == MovementTrace(other), "\(form.name)")
                }
                #expect(plain == hovering, "\(form.name)")
                let (own, others) = (Enrolment(Array(plain[0..<5])), Enrolment(Array(hovering[0..<5])))
                let bits = own.inputs(of: plain[5]).map(\.bitPattern)
                for probe in [plain[5], hovering[5]] {
                    #expect(own.inputs(of: probe).map(\.bitPattern) == bits, "\(form.name)")
                    #expect(others.inputs(of: probe).map(\.bitPattern) == bits, "\(form.name)")
                }
            }
        }
    }

    @Test("are kept in a template, which compares as if they were not there")
    func template() throws {
        let captures = try (1...6).map { try SyntheticSignature(seed: $0).capture }
        let times = [Int64](repeating: 1_000, count: 5)
        let rows = (0..<8).map { index in
            TrainingRow(
                inputs: [Double](repeating: Double(index), count: Enrolment.inputs), isForged: index > 3, weight: 1)
        }
        let model = SignatureModel(training: [rows], tool: .pen)
        let plain = try SignatureTemplate(Array(captures[0..<5]), times: times)
        let made = try SignatureTemplate(captures[0..<5].map(Self.hovering), times: times)
        let read = try SignatureTemplate(file: made.file())
        #expect(read.references.map(\.capture) == captures[0..<5].map(Self.hovering))
        let probe = try PreparedSignature(captures[5], model.preparation)
        #expect(
            model.score(probe, against: try read.enrolment(for: model)).bitPattern
                == model.score(probe, against: try plain.enrolment(for: model)).bitPattern)
    }

    @Test("do not make another movement of a recording that was seen before")
    func replay() throws {
        let captures = try (1...5).map { try SyntheticSignature(seed: $0).capture }
        var template = try SignatureTemplate(captures, times: [Int64](repeating: 1_000, count: 5))
        #expect(try template.remember(Self.hovering(captures[2])))
        #expect(try !template.remember(Self.hovering(SyntheticSignature(seed: 9).capture)))
    }

    @Test("of which there is nothing else are no signature")
    func nothingWritten() throws {
        var capture = try SyntheticSignature(seed: 1).capture
        for index in capture.samples.indices.dropFirst(7) { capture.samples[index].pressure = 0 }
        #expect(throws: CaptureError.tooFewSamples(7)) { try CaptureJSON.read(CaptureJSON.write(capture)) }
        #expect(throws: CaptureError.tooFewSamples(7)) { try PreparedSignature(capture, .pen()) }
    }

    @Test("are told from samples that were written, whatever a device marks")
    func marks() throws {
        func written(
            _ marks: [Int], pressure: (Int) -> Int32, gaps: [Int] = [], levels: Int32 = 1_000
        ) throws -> Capture {
            var time: Int64 = 0
            let samples = (0..<20).map { index in
                time += gaps.contains(index) ? 80_000 : 10_000
                return Capture.Sample(
                    time: time, x: Int32(index), y: 0, pressure: pressure(index), isPenUp: marks.contains(index))
            }
            return try Capture(tool: .pen, pressureLevels: levels, samples: samples).written()
        }
        func strokeEnds(_ capture: Capture) -> [Int32] { capture.samples.filter(\.isPenUp).map(\.x) }
        // SVC2004 marks the first sample of each stroke, SUSIG the last: they have pressure and are written.
        for marks in [[0, 8], [7, 19]] {
            let capture = try written(marks, pressure: { _ in 500 }, gaps: [8])
            #expect(capture.samples.count == 20 && strokeEnds(capture) == marks.map { Int32($0) })
        }
        // A page marks where the pen was lifted, without pressure: the stroke ends before it, at a gap.
        let page = try written([9, 19], pressure: { [9, 19].contains($0) ? 0 : 500 }, gaps: [10])
        #expect(page.samples.map(\.x) == (0..<19).filter { $0 != 9 } && strokeEnds(page) == [8])
        // A lift that nothing marks.
        #expect(try strokeEnds(written([], pressure: { _ in 1 }, gaps: [5, 12])) == [4, 11])
        // No pressure anywhere: every unmarked sample is written, and the first of a run of marks is a lift.
        for levels in [0, 1_000] as [Int32] {
            #expect(try written([7, 19], pressure: { _ in 0 }, levels: levels).samples.count == 20)
            let touch = try written([0, 1, 7, 8, 9, 18, 19], pressure: { _ in 0 }, levels: levels)
            #expect(touch.samples.map(\.x) == Array(2...7) + Array(10...18) && strokeEnds(touch) == [7, 18])
        }
    }

    @Test("change nothing in signatures of people, with pens and as fingers", .enabled(if: ResearchData.isHere))
    func researchData() throws {
        for one in try ResearchData.signatures("svc2004-task2-users01-20").prefix(60) {
            let hovering = Self.hovering(one.capture)
            #expect(
                try PreparedSignature(one.capture, .pen(clockStep: 10_000))
                    == PreparedSignature(hovering, .pen(clockStep: 10_000)))
            #expect(
                try PreparedSignature(one.capture.asTouch(), .touch(clockStep: 10_000))
                    == PreparedSignature(hovering.asTouch(), .touch(clockStep: 10_000)))
        }
    }
}
