import Encodings
import Testing

@testable import HandSignatures

/// The record of how a person writes.
@Suite("Templates")
struct SignatureTemplateTests {
    private static let day: Int64 = 86_400

    private static func capture(_ seed: UInt64, _ sensor: SyntheticSignature.Sensor = .tablet) throws -> Capture {
        try SyntheticSignature(seed: seed, sensor: sensor).capture
    }

    /// Of signatures 1 to 5, a second apart.
    private static func template() throws -> SignatureTemplate {
        try SignatureTemplate(try (1...5).map { try capture($0) }, times: [100, 101, 102, 103, 104])
    }

    /// A recording that is moved, made larger and a tenth faster, and trembles by a hundredth of its size.
    private static func forged(from capture: Capture) throws -> Capture {
        var random = SystemlessRandom(state: 9)
        var copy = capture
        func size(_ values: [Int32]) -> Int32 { (values.max() ?? 0) - (values.min() ?? 0) }
        let (width, height) = (size(capture.samples.map(\.x)), size(capture.samples.map(\.y)))
        for index in copy.samples.indices {
            copy.samples[index].time = copy.samples[index].time * 9 / 10
            copy.samples[index].x = copy.samples[index].x * 3 + 777 + 3 * random.within(width / 100)
            copy.samples[index].y = copy.samples[index].y * 2 - 321 + 2 * random.within(height / 100)
        }
        return copy
    }

    private struct SystemlessRandom {
        var state: UInt64

        mutating func within(_ size: Int32) -> Int32 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int32(state >> 33) % (2 * size + 1) - size
        }
    }

    @Test("a template that was written is read, and gives the same enrolment")
    func file() throws {
        let template = try Self.template()
        let read = try SignatureTemplate(file: template.file())
        #expect(read == template)
        #expect(read.references.map(\.time) == [100, 101, 102, 103, 104])
        #expect(try JSON.parse(template.file()).canonical() == template.file())
    }

    @Test("a recording is recognised, to the digit and changed; another signature is not")
    func replays() throws {
        var template = try Self.template()
        #expect(try template.remember(try Self.capture(3)))
        #expect(try template.remember(try Self.forged(from: try Self.capture(3))))
        #expect(try !template.remember(try Self.capture(6)))
        // Now that one, too, was seen; and it still is after the template was put away.
        var kept = try SignatureTemplate(file: template.file())
        #expect(try kept.remember(try Self.forged(from: try Self.capture(6))))
        // A person who gives one recording five times is not enrolled.
        let twice = try [1, 2, 3, 4, 2].map { try Self.capture($0) }
        #expect(throws: TemplateError.replayed(4)) { try SignatureTemplate(twice, times: [1, 2, 3, 4, 5]) }
    }

    @Test("only so many traces are kept")
    func traces() throws {
        var template = try Self.template()
        for seed in 10..<UInt64(10 + SignatureTemplate.mostTraces) { _ = try template.remember(try Self.capture(seed)) }
        #expect(template.traces.count == SignatureTemplate.mostTraces)
        #expect(try SignatureTemplate(file: template.file()) == template)
    }

    @Test("its own references are recordings for ever, and what was seen before an enrolment stays one after it")
    func lasting() throws {
        var template = try Self.template()
        for seed in 100..<(100 + UInt64(SignatureTemplate.mostTraces)) {
            #expect(try !template.remember(try Self.capture(seed)))
        }
        for seed in 1...5 { #expect(try template.remember(try Self.capture(UInt64(seed)))) }
        var next = try SignatureTemplate((11...15).map { try Self.capture($0) }, times: [200, 201, 202, 203, 204])
        #expect(next.inherit(from: template) == nil)
        #expect(try next.remember(try Self.capture(2)) && next.remember(try Self.capture(150)))
        #expect(next.traces.count == SignatureTemplate.mostTraces)
        var back = try SignatureTemplate([11, 12, 3, 14, 15].map { try Self.capture($0) }, times: [1, 2, 3, 4, 5])
        #expect(back.inherit(from: template) == 2)
    }

    @Test("the signatures of a second visit take the place of all but the lasting ones, or nothing changes")
    func sitting() throws {
        var template = try Self.template()
        let before = template
        let three = try (21...23).map { try Self.capture($0) }
        #expect(throws: TemplateError.wrongCount(2)) { try template.addSitting(Array(three[0..<2]), time: 900) }
        #expect(throws: TemplateError.replayed(2)) {
            try template.addSitting([three[0], three[1], Self.capture(3)], time: 900)
        }
        #expect(throws: TemplateError.mixedTools) {
            try template.addSitting([three[0], three[1], Self.capture(24, .page)], time: 900)
        }
        #expect(template == before)
        try template.addSitting(three, time: 900)
        #expect(template.references.map(\.time) == [100, 101, 900, 900, 900])
    }

    @Test("what is none is refused: too few, fingers among pens, other forms")
    func refusals() throws {
        let four = try (1...4).map { try Self.capture($0) }
        #expect(throws: TemplateError.wrongCount(4)) { try SignatureTemplate(four, times: [1, 2, 3, 4]) }
        #expect(throws: TemplateError.mixedTools) {
            try SignatureTemplate(four + [try Self.capture(5, .page)], times: [1, 2, 3, 4, 5])
        }
        let file = try Self.template().file()
        #expect(throws: TemplateError.malformed) { try SignatureTemplate(file: Array(file.dropLast())) }
        let other = Bytes(
            text: String(decoding: file, as: UTF8.self).replacing("template-2", with: "template-3"))
        #expect(throws: TemplateError.malformed) { try SignatureTemplate(file: other) }
        var short = try Self.template()
        short.references.removeLast()
        #expect(throws: TemplateError.wrongCount(4)) { try SignatureTemplate(file: short.file()) }
        #expect(MovementTrace(values: [1, 2, 3]) == nil)
        #expect(MovementTrace(values: [Int64](repeating: 40_000, count: 384)) == nil)
    }

    @Test("signatures in a point or a line have traces, and are like themselves")
    func degenerate() throws {
        let samples = (0..<20).map { Capture.Sample(time: Int64($0) * 10_000, x: 5, y: Int32($0)) }
        let line = try MovementTrace(try Capture(tool: .touch, pressureLevels: 0, samples: samples))
        let point = try MovementTrace(
            try Capture(
                tool: .touch, pressureLevels: 0,
                samples: samples.map { Capture.Sample(time: $0.time, x: 1, y: 1) }))
        #expect(line.isReplay(of: line) && point.isReplay(of: point) && !line.isReplay(of: point))
    }
}
