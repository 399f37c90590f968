public import Encodings

/// The file of a template: JSON, whole numbers only.
///
///     {"format": "countersign-signature-template-1",
///      "references": [{"capture": {…}, "time": n}, 5 of them], "traces": [[128 numbers], …]}
///
/// Captures are in the form of `CaptureJSON`.
extension SignatureTemplate {
    private static let format: StaticString = "countersign-signature-template-1"
    /// The largest file that is looked into, in bytes.
    public static let maximumLength = Enrolment.size * CaptureJSON.maximumBytes + (1 << 20)
    private static let mostValues = Enrolment.size * 8 * Capture.mostSamples + 200 * mostTraces

    /// Reads a template.
    ///
    /// - Throws: `malformed`, `wrongCount`, `mixedTools`; `capture` for a reference that cannot be compared.
    public init(file bytes: Bytes) throws(TemplateError) {
        guard
            let json = try? JSON.parse(
                bytes, maximumLength: Self.maximumLength, maximumDepth: 6, maximumCount: Self.mostValues),
            json.members?.count == 3, json["format"]?.isString(Self.format) == true,
            let references = json["references"]?.array,
            let traces = json["traces"]?.array, traces.count <= Self.mostTraces
        else { throw .malformed }
        guard references.count == Enrolment.size else { throw .wrongCount(references.count) }
        var read: [Reference] = []
        for one in references {
            guard one.members?.count == 2, let capture = one["capture"], let time = one["time"]?.integer else {
                throw .malformed
            }
            do throws(CaptureError) {
                read.append(Reference(capture: try CaptureJSON.read(capture), time: time))
            } catch {
                throw .capture(error)
            }
            guard read[read.count - 1].capture.tool == read[0].capture.tool else { throw .mixedTools }
        }
        var kept: [MovementTrace] = []
        for one in traces {
            guard let numbers = one.array else { throw .malformed }
            var values: [Int64] = []
            for number in numbers.prefix(1_000) {
                guard let value = number.integer else { throw .malformed }
                values.append(value)
            }
            guard let trace = MovementTrace(values: values) else { throw .malformed }
            kept.append(trace)
        }
        self.init(references: read, traces: kept)
    }

    /// The template's file.
    public func file() -> Bytes {
        let references = references.map { one in
            JSON.members([("capture", CaptureJSON.json(one.capture)), ("time", .integer(one.time))])
        }
        let traces = traces.map { trace in JSON.array(trace.values.map { .integer(Int64($0)) }) }
        return JSON.members([
            ("format", .text("countersign-signature-template-1")), ("references", .array(references)),
            ("traces", .array(traces)),
        ]).serialized()
    }
}
