import BrowserCalls
public import Encodings
import HandSignatures

/// The WebAssembly interface of `HandSignatures`, a module of its own: only pages for signing load it.
///
/// Scores equal the server's to the last bit, and decide nothing in a page: they tell a person at once, before sending,
/// that a signature is not like their others.
public enum SignatureBrowser {
    /// Answers a call that came as `Frames`, for any bytes.
    public static func answer(_ input: Bytes) -> Bytes { Frames.answer(input, functions) }

    static let functions = [
        Function("inspect", ["capture"], inspect),
        Function("strangers", ["captures"], strangers),
        Function("compare", ["references", "capture"], blobs: 1...1, compare),
    ]

    /// `{capture}` → `{samples, milliseconds, strokes}`; refuses what no comparison would take, with the reason as code.
    private static func inspect(_ call: Call) throws(BrowserError) -> Answer {
        let capture = try capture(try call.value("capture"))
        let last = capture.samples[capture.samples.count - 1].time
        return Answer([
            ("samples", .integer(Int64(capture.samples.count))), ("milliseconds", .integer(last / 1_000)),
            ("strokes", .integer(Int64(1 + capture.samples.dropLast().count { $0.isPenUp }))),
        ])
    }

    /// `{captures}` → `{strangers}`: of up to five signatures the places of those that are not like any other one.
    private static func strangers(_ call: Call) throws(BrowserError) -> Answer {
        var prepared: [PreparedSignature] = []
        for one in try call.array("captures", maximumCount: Enrolment.size) {
            let capture = try capture(one)
            prepared.append(try Self.prepared(capture, capture.tool == .pen ? .pen() : .touch()))
        }
        return Answer([("strangers", .array(Consistency.strangers(among: prepared).map { .integer(Int64($0)) }))])
    }

    /// `{references, capture}`, a model → `{score, threshold, is_accepted, bits}`: numbers in billionths; the score's bits
    /// and those of all that it is made of, as hexadecimal digits.
    private static func compare(_ call: Call) throws(BrowserError) -> Answer {
        let model: SignatureModel
        do {
            model = try SignatureModel(file: call.blobs[0])
        } catch {
            throw BrowserError("bad_model", "The model is not one that this version knows.")
        }
        let given = try call.array("references", maximumCount: Enrolment.size)
        guard given.count == Enrolment.size else {
            throw BrowserError("wrong_count", member: "references", "are not five.")
        }
        var references: [PreparedSignature] = []
        for one in given { references.append(try prepared(one, model)) }
        let inputs = Enrolment(references).inputs(of: try prepared(try call.value("capture"), model))
        let score = model.score(of: inputs)
        var bits: Bytes = []
        for value in [score] + inputs {
            for shift in stride(from: 56, through: 0, by: -8) {
                bits.append(UInt8(truncatingIfNeeded: value.bitPattern >> UInt64(shift)))
            }
        }
        return Answer([
            ("score", billionths(score)), ("threshold", billionths(model.threshold)),
            ("is_accepted", .bool(score <= model.threshold)), ("bits", .hex(bits)),
        ])
    }

    private static func billionths(_ value: Double) -> JSON {
        .integer(Int64((min(max(value, -1e6), 1e6) * 1e9).rounded(.toNearestOrEven)))
    }

    private static func prepared(_ json: JSON, _ model: SignatureModel) throws(BrowserError) -> PreparedSignature {
        let capture = try capture(json)
        guard capture.tool == model.tool else {
            throw BrowserError("other_tool", "The signature was not written with what the model is for.")
        }
        return try prepared(capture, model.preparation)
    }

    private static func prepared(
        _ capture: Capture, _ preparation: Preparation
    ) throws(BrowserError) -> PreparedSignature {
        do {
            return try PreparedSignature(capture, preparation)
        } catch {
            throw BrowserError(error.code, error.words)
        }
    }

    private static func capture(_ json: JSON) throws(BrowserError) -> Capture {
        do {
            return try CaptureJSON.read(json)
        } catch {
            throw BrowserError(error.code, error.words)
        }
    }
}
