import Encodings
import Testing

@testable import HandSignatures

/// Whether a model knows the device that made a recording.
@Suite("Devices that a model has learnt from")
struct RecordingTraitsTests {
    private static func traits(
        _ tool: Capture.Tool, interval: Int64, pressure: Bool = true
    ) -> RecordingTraits {
        RecordingTraits(tool: tool, interval: interval, tellsPressure: pressure)
    }

    private static func model(_ sources: [RecordingTraits]) -> SignatureModel {
        let rows = (0..<8).map { index in
            TrainingRow(
                inputs: [Double](repeating: Double(index), count: Enrolment.inputs), isForged: index > 3, weight: 1)
        }
        return SignatureModel(
            training: [rows], tool: .pen,
            from: sources.enumerated().map { index, traits in
                SignatureModel.Source(name: Bytes(text: "set \(index)"), users: 20 + index, traits: traits)
            })
    }

    @Test("are told by kind, rate and pressure; nothing else is claimed")
    func fits() {
        let model = Self.model([
            Self.traits(.pen, interval: 10_000), Self.traits(.pen, interval: 5_000, pressure: false),
        ])
        for (traits, fit) in [
            (Self.traits(.pen, interval: 10_000), DeviceFit.alike), (Self.traits(.pen, interval: 12_500), .alike),
            (Self.traits(.pen, interval: 8_000), .alike), (Self.traits(.pen, interval: 12_501), .other),
            (Self.traits(.pen, interval: 7_999), .other), (Self.traits(.pen, interval: 5_000), .other),
            (Self.traits(.pen, interval: 5_000, pressure: false), .alike),
            (Self.traits(.pen, interval: 10_000, pressure: false), .other),
            (Self.traits(.touch, interval: 10_000), .other),
        ] {
            #expect(model.fit(of: traits) == fit, "\(traits)")
        }
        #expect(Self.model([]).fit(of: Self.traits(.pen, interval: 10_000)) == .unknown)
    }

    @Test("are looked for in every recording of a comparison; the first that is none of them is told")
    func comparisons() throws {
        let tablet = try SyntheticSignature(seed: 1).capture
        var quick = try SyntheticSignature(seed: 2).capture
        for index in quick.samples.indices { quick.samples[index].time /= 2 }
        let model = Self.model([Self.traits(.pen, interval: 10_000)])
        #expect(try model.fit(of: [tablet, tablet]).fit == .alike)
        let (fit, traits) = try model.fit(of: [tablet, tablet, quick])
        #expect(fit == .other && traits.rate == 200 && traits.tellsPressure)
        #expect(try Self.model([]).fit(of: [tablet]).fit == .unknown)
    }

    @Test("are read from what was written; lifts and samples in the air do not count")
    func recordings() throws {
        var samples = (0..<10).map { Capture.Sample(time: $0 * 1_000, x: 0, y: 0) }
        samples += (1...10).map { Capture.Sample(time: 10_000 + $0 * 5_000, x: Int32($0), y: 0, pressure: 9) }
        samples += (1...4).map { Capture.Sample(time: 100_000 + $0 * 90_000, x: 0, y: 0, pressure: 9) }
        let traits = try RecordingTraits(try Capture(tool: .pen, pressureLevels: 9, samples: samples))
        #expect(traits == Self.traits(.pen, interval: 5_000))
        #expect(try !RecordingTraits(SyntheticSignature(seed: 1, sensor: .page).capture).tellsPressure)
        let set = RecordingTraits(
            ofSet: [Self.traits(.touch, interval: 4_000), traits, Self.traits(.touch, interval: 9_000)], tool: .pen)
        #expect(set == Self.traits(.pen, interval: 5_000))
    }

    @Test("stand in the model's file, and nothing else does in their place")
    func file() throws {
        let model = Self.model([
            Self.traits(.pen, interval: 10_000), Self.traits(.touch, interval: 16_000, pressure: false),
        ])
        let file = model.file()
        #expect(try SignatureModel(file: file).learntFrom == model.learntFrom)
        // A file of before: the model is read, and does not say.
        let json = try JSON.parse(file)
        let before = try #require(json.members).filter { $0.name != Bytes(text: "learnt_from") }
        #expect(try SignatureModel(file: JSON.object(before).serialized()).learntFrom.isEmpty)
        let text = String(decoding: file, as: UTF8.self)
        for (part, bad) in [
            (#""users":20"#, #""users":0"#), (#""tool":"touch","interval"#, #""tool":"mouse","interval"#),
            ("10000", "0"), ("10000", "60000001"), (#""tells_pressure":true"#, #""tells_pressure":1"#),
            (#""users":21"#, #""users":21,"more":1"#), (#"{"name":"set 0""#, #"{"name":0"#),
        ] {
            #expect(text.contains(part), "\(part)")
            let changed = text.replacing(part, with: bad)
            #expect(throws: ModelError.malformed, "\(bad)") { try SignatureModel(file: Bytes(text: changed)) }
        }
        let start = try #require(text.firstRange(of: #""learnt_from":["#)).upperBound
        let none = text[..<start] + "]}"
        #expect(throws: ModelError.malformed) { try SignatureModel(file: Bytes(text: String(none))) }
    }
}
