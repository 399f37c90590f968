import BrowserCalls
import Encodings
import HandSignatures
import Testing

@testable import SignatureBrowser

/// What the module for hand signatures answers.
///
/// That it answers the same in a browser, to the last bit, is tried by `BrowserTests.signatureModule`.
@Suite("The functions for pages where somebody signs")
struct SignatureFunctionTests {
    /// A wave of 60 samples; no signature.
    private static func capture(tremble: Int32 = 0, tool: Capture.Tool = .pen, count: Int32 = 60) throws -> JSON {
        let samples = (0..<count).map { index in
            Capture.Sample(
                time: Int64(index) * 10_000, x: index * 50,
                y: (index * 137) % 700 + (index * 31 + tremble * 7) % 13 * tremble, pressure: 300,
                isPenUp: index % 20 == 19)
        }
        return try JSON.parse(CaptureJSON.write(try Capture(tool: tool, pressureLevels: 1_000, samples: samples)))
    }

    /// A model that knows one thing: a large cost is a forgery's.
    private static func model() throws -> Bytes {
        let zeros = JSON.array((0..<85).map { _ in .integer(0) })
        let ones = JSON.array((0..<85).map { _ in .integer(1_000_000_000) })
        let coefficients = JSON.array((0..<85).map { .integer($0 == 0 ? 1_000_000_000 : 0) })
        return JSON.members([
            ("format", .text("countersign-signature-model-1")), ("tool", .text("pen")),
            (
                "linear",
                .members([
                    ("means", zeros), ("scales", ones), ("coefficients", coefficients), ("intercept", .integer(0)),
                    ("clip", .integer(5_000_000_000)),
                ])
            ), ("trees", .members([("intercept", .integer(0)), ("trees", .array([]))])),
            ("threshold", .integer(50_000_000)),
        ]).serialized()
    }

    private static func answer(
        _ name: String, _ arguments: [(String, JSON)], _ blobs: [Bytes] = []
    ) throws -> (
        Bool, JSON
    ) {
        let call = Frames.joined([Bytes(text: name), JSON.members(arguments).serialized()] + blobs)
        let parts = try #require(Frames.split(SignatureBrowser.answer(call)))
        return (parts[0] == [0], try JSON.parse(parts[1]))
    }

    @Test("inspect counts, and says why something is no signature")
    func inspect() throws {
        let (isAnswer, value) = try Self.answer("inspect", [("capture", try Self.capture())])
        #expect(isAnswer)
        #expect(
            value == .members([("samples", .integer(60)), ("milliseconds", .integer(590)), ("strokes", .integer(3))]))
        let short = try Self.answer("inspect", [("capture", try Self.capture(count: 8))])
        #expect(!short.0 && short.1["code"]?.isString("too_short") == true)
        let other = try Self.answer("inspect", [("capture", .members([("format", .text("other"))]))])
        #expect(!other.0 && other.1["message"]?.string?.isEmpty == false)
    }

    @Test("strangers are named by their place, of two both, of one none")
    func strangers() throws {
        let (own, other) = (try Self.capture(tremble: 1), try Self.capture(tremble: 4_000, count: 40))
        for (captures, places) in [([own], []), ([own, other], [0, 1]), ([own, other, own], [1]), ([own, own], [])] {
            let answer = try Self.answer("strangers", [("captures", .array(captures))])
            #expect(answer.0 && answer.1["strangers"] == .array(places.map { .integer(Int64($0)) }))
        }
        let six = try Self.answer("strangers", [("captures", .array([JSON](repeating: own, count: 6)))])
        #expect(!six.0 && six.1["code"]?.isString("too_large") == true)
    }

    @Test("compare accepts what is like the references and nothing else, and gives the bits of the score")
    func compare() throws {
        let references = try JSON.array((0..<5).map { try Self.capture(tremble: Int32($0 % 2)) })
        let model = try Self.model()
        let same = try Self.answer(
            "compare", [("references", references), ("capture", try Self.capture(tremble: 1))], [model])
        #expect(same.0 && same.1["is_accepted"] == .bool(true))
        let other = try Self.answer(
            "compare", [("references", references), ("capture", try Self.capture(tremble: 30))], [model])
        #expect(other.0 && other.1["is_accepted"] == .bool(false), "\(same.1) \(other.1)")
        #expect(other.1["threshold"] == .integer(50_000_000))
        let score = try #require(other.1["score"]?.integer)
        let bits = try #require(other.1["bits"]?.string)
        #expect(bits.count == 16 * 86)
        let value = Double(
            bitPattern: try #require(UInt64(String(decoding: bits.prefix(16), as: UTF8.self), radix: 16)))
        #expect(score == Int64((value * 1e9).rounded()) && score > 50_000_000)
    }

    @Test("compare refuses four references, a finger's signature for a pen's model, and what is no model")
    func refusals() throws {
        let references = try (0..<5).map { _ in try Self.capture() }
        let capture = try Self.capture()
        let cases: [(String, [JSON], JSON, Bytes)] = [
            ("wrong_count", Array(references.prefix(4)), capture, try Self.model()),
            ("other_tool", references, try Self.capture(tool: .touch), try Self.model()),
            ("bad_model", references, capture, Bytes(text: "{}")),
        ]
        for (code, references, capture, model) in cases {
            let answer = try Self.answer(
                "compare", [("references", .array(references)), ("capture", capture)], [model])
            #expect(!answer.0 && answer.1["code"] == .text(code))
        }
    }
}
