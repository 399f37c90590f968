import ArgumentParser
import BrowserCalls
import Encodings
import Foundation
import HandSignatures
import Server
import SignatureBrowser

/// `countersign-bench signatures`: how long comparing hand signatures takes, on one thread.
struct SignaturesBench: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "signatures", abstract: "Compare two movements of a pen that nobody made, again and again.")

    @Option(help: "How many points each has.") var points = 250
    @Option(help: "For how many seconds to measure each.") var seconds = 2.0
    @Option(help: "A file to write the two movements to, for others to compare.") var keep: String?
    @Option(help: "A file to write a page's call to, which compares six of them.") var keepCall: String?
    @Flag(help: "Print one JSON object.") var json = false

    func validate() throws {
        guard (20...2_000).contains(points) else { throw ValidationError("--points: a number from 20 to 2000") }
    }

    func run() async throws {
        let captures = try (0..<7).map { try Self.movement(points: points, seed: UInt64($0 + 1)) }
        let model = try ShippedModels.read(.pen)
        let prepared = try captures.map { try PreparedSignature($0, model.preparation) }
        let (first, second) = (prepared[0], prepared[1])
        if let keep { try write(first, second, to: keep) }
        let enrolment = Enrolment(Array(prepared[2...6]))
        let call = Self.call(captures, model)
        if let keepCall { try Data(call).write(to: URL(fileURLWithPath: keepCall)) }
        try Figures(
            points: points,
            alignmentMicroseconds: measure { _ = Alignment(first, second).path.count },
            costMicroseconds: measure { _ = Alignment.cost(first, second) },
            featuresMicroseconds: try measure { _ = try PreparedSignature(captures[0], model.preparation).count },
            verificationMicroseconds: try measure {
                _ = model.score(try PreparedSignature(captures[0], model.preparation), against: enrolment)
            },
            callMicroseconds: measure { _ = SignatureBrowser.answer(call).count }
        ).print(json: json)
    }

    /// A page's call for the same: the model and six signatures as JSON.
    private static func call(_ captures: [Capture], _ model: SignatureModel) -> Bytes {
        let arguments = JSON.members([
            ("references", .array(captures[2...6].map(CaptureJSON.json))), ("capture", CaptureJSON.json(captures[0])),
        ])
        return Frames.joined([Bytes(text: "compare"), arguments.serialized(), model.file()])
    }

    /// The median, in microseconds.
    private func measure(_ body: () throws -> Void) rethrows -> Double {
        let clock = ContinuousClock()
        let end = clock.now + .seconds(seconds)
        var times: [Double] = []
        repeat {
            let time = try clock.measure { try body() }
            times.append(Double(time.components.attoseconds) / 1e12 + Double(time.components.seconds) * 1e6)
        } while clock.now < end
        return times.sorted()[times.count / 2]
    }

    private func write(_ first: PreparedSignature, _ second: PreparedSignature, to path: String) throws {
        func rows(_ signature: PreparedSignature) -> [[Float]] {
            let channels = Channel.aligning.map { signature.values(of: $0) }
            return (0..<signature.count).map { point in channels.map { $0[point] } }
        }
        let made = Made(first: rows(first), second: rows(second), cost: Alignment.cost(first, second))
        try JSONEncoder().encode(made).write(to: URL(fileURLWithPath: path))
    }

    private struct Made: Encodable {
        let first, second: [[Float]]
        let cost: Double
    }

    /// Waves of straight pieces that tremble; no signature, but as many points.
    private static func movement(points: Int, seed: UInt64) throws -> Capture {
        var state = seed
        func random(_ below: Int) -> Int32 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int32(truncatingIfNeeded: Int(state >> 33) % below)
        }
        var samples: [Capture.Sample] = []
        for index in 0..<points {
            let (x, y): (Int32, Int32) = (Int32(index * 30) + random(20), Int32(index * 137 % 900) + random(60))
            samples.append(
                Capture.Sample(
                    time: Int64(index) * 10_000, x: x, y: y, pressure: 300 + random(200), isPenUp: index % 50 == 49))
        }
        return try Capture(tool: .pen, pressureLevels: 1_023, samples: samples)
    }

    private struct Figures: BenchFigures {
        let points: Int
        let alignmentMicroseconds, costMicroseconds, featuresMicroseconds, verificationMicroseconds: Double
        let callMicroseconds: Double

        private static func whole(_ microseconds: Double) -> String { String(format: "%.0f", microseconds) }

        var words: String {
            """
            two signatures of \(points) points, twelve channels: aligned with path in \
            \(Self.whole(alignmentMicroseconds)) µs, cost alone in \(Self.whole(costMicroseconds)) µs
            features in \(Self.whole(featuresMicroseconds)) µs; features, five references and model in \
            \(Self.whole(verificationMicroseconds)) µs; a page's whole call in \(Self.whole(callMicroseconds)) µs
            """
        }
    }
}
