public import Encodings

/// The file of a template: JSON, whole numbers only.
///
///     {"format": "countersign-signature-template-2",
///      "references": [{"capture": {…}, "time": n}, 5 of them], "traces": [[384 numbers], …],
///      "confirmed": [{…}, 3 of them], "lessons": [learnt, strays]}
///
/// Captures are in the form of `CaptureJSON`. `confirmed` has those that were confirmed face to face beside the two
/// lasting ones. It is empty where they are no longer known, and `null` while they are references.
///
/// Version 0.3 wrote "countersign-signature-template-1", without the last two members and with traces of 128 numbers; those
/// are read, and kept as long as they are remembered.
extension SignatureTemplate {
    private static let format: StaticString = "countersign-signature-template-2"
    private static let firstFormat: StaticString = "countersign-signature-template-1"
    /// The largest file that is looked into, in bytes.
    public static let maximumLength = (2 * Enrolment.size - lasting) * CaptureJSON.maximumBytes + (1 << 20)
    private static let mostValues = 2 * Enrolment.size * 8 * Capture.mostSamples + 400 * mostTraces

    /// Reads a template.
    ///
    /// - Throws: `malformed`, `wrongCount`, `mixedTools`; `capture` for a reference that cannot be compared.
    public init(file bytes: Bytes) throws(TemplateError) {
        guard
            let json = try? JSON.parse(
                bytes, maximumLength: Self.maximumLength, maximumDepth: 6, maximumCount: Self.mostValues),
            let references = json["references"]?.array,
            let traces = json["traces"]?.array, traces.count <= Self.mostTraces
        else { throw .malformed }
        guard references.count == Enrolment.size else { throw .wrongCount(references.count) }
        let read = try Self.read(references)
        var confirmed = read
        var lessons = Lessons()
        if json["format"]?.isString(Self.firstFormat) == true, json.members?.count == 3 {
            if !Self.isConfirmed(read) { confirmed = [] }
        } else {
            guard json["format"]?.isString(Self.format) == true, json.members?.count == 5,
                let counts = json["lessons"]?.array, counts.count == 2, let learnt = counts[0].integer,
                let strays = counts[1].integer, (0...Int64(Self.mostLearnt)).contains(learnt),
                (0...Int64(Self.mostStrays)).contains(strays), let others = json["confirmed"]
            else { throw .malformed }
            lessons = Lessons(learnt: Int(learnt), strays: Int(strays))
            if others != .null {
                guard let others = others.array, others.isEmpty || others.count == Self.secondSitting else {
                    throw .malformed
                }
                confirmed = try others.isEmpty ? [] : Array(read.prefix(Self.lasting)) + Self.read(others)
            }
        }
        for one in confirmed + read where one.capture.tool != read[0].capture.tool { throw .mixedTools }
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
        self.init(references: read, confirmed: confirmed, lessons: lessons, traces: kept)
    }

    /// Whether version 0.3 has learnt nothing: then the three that it may change are of one visit, and of one time.
    private static func isConfirmed(_ references: [Reference]) -> Bool {
        for reference in references[Self.lasting...] where reference.time != references[Self.lasting].time {
            return false
        }
        return true
    }

    private static func read(_ references: [JSON]) throws(TemplateError) -> [Reference] {
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
        }
        return read
    }

    /// The template's file.
    public func file() -> Bytes {
        func json(_ references: [Reference]) -> JSON {
            .array(
                references.map { one in
                    JSON.members([("capture", CaptureJSON.json(one.capture)), ("time", .integer(one.time))])
                })
        }
        let traces = traces.map { trace in JSON.array(trace.values.map { .integer(Int64($0)) }) }
        return JSON.members([
            ("confirmed", confirmed == references ? .null : json(Array(confirmed.dropFirst(Self.lasting)))),
            ("format", .text("countersign-signature-template-2")),
            ("lessons", .array([.integer(Int64(lessons.learnt)), .integer(Int64(lessons.strays))])),
            ("references", json(references)), ("traces", .array(traces)),
        ]).serialized()
    }
}
