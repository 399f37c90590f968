/// The record of how a person writes: five captured signatures, and traces of those that were seen last.
///
/// It holds captures, not features: a newer model reads an older template. It is kept sealed, and goes into no log.
///
/// The first two signatures stay as they were confirmed face to face. The other three may follow how a hand changes
/// over the years: `learn` replaces the oldest with an accepted signature, within bounds.
public struct SignatureTemplate: Sendable, Equatable {
    /// One of the five.
    public struct Reference: Sendable, Equatable {
        /// As it was written.
        public let capture: Capture
        /// When it was written, in seconds since 1970.
        public let time: Int64
    }

    /// The number of signatures whose traces are kept, so that none is taken twice.
    static let mostTraces = 200
    /// How many references stay.
    static let lasting = 2

    /// Five, the lasting ones first.
    public internal(set) var references: [Reference]
    /// The five that were confirmed face to face, at the enrolment and at the last visit.
    ///
    /// Learning is measured against them, and never changes them. Empty when version 0.3 has learnt and kept none of
    /// them.
    var confirmed: [Reference]
    /// What has happened since the last visit.
    var lessons = Lessons()
    /// Of references and probes, the newest last.
    var traces: [MovementTrace]

    /// What all are written with.
    public var tool: Capture.Tool { references[0].capture.tool }

    /// A template of five signatures, in the order in which they were written.
    ///
    /// - Parameter times: of each, in seconds since 1970.
    /// - Throws: `wrongCount`, `mixedTools`; `replayed` when one was made from another; `capture`.
    public init(_ captures: [Capture], times: [Int64]) throws(TemplateError) {
        guard captures.count == Enrolment.size, times.count == captures.count else {
            throw .wrongCount(captures.count)
        }
        references = []
        confirmed = []
        traces = []
        for (capture, time) in zip(captures, times) {
            guard capture.tool == captures[0].tool else { throw .mixedTools }
            guard try !remember(capture) else { throw .replayed(references.count) }
            references.append(Reference(capture: capture, time: time))
        }
        confirmed = references
    }

    init(references: [Reference], confirmed: [Reference], lessons: Lessons, traces: [MovementTrace]) {
        self.references = references
        self.confirmed = confirmed
        self.lessons = lessons
        self.traces = traces
    }

    /// The enrolment that a model compares with.
    ///
    /// - Throws: `mixedTools` when the model is for another tool; `capture`.
    public func enrolment(for model: SignatureModel) throws(TemplateError) -> Enrolment {
        try Self.enrolment(references, for: model)
    }

    static func enrolment(
        _ references: [Reference], for model: SignatureModel
    ) throws(TemplateError) -> Enrolment {
        var prepared: [PreparedSignature] = []
        for reference in references { prepared.append(try Self.prepared(reference.capture, for: model)) }
        return Enrolment(prepared)
    }

    static func prepared(
        _ capture: Capture, for model: SignatureModel
    ) throws(TemplateError) -> PreparedSignature {
        guard model.tool == capture.tool else { throw .mixedTools }
        do throws(CaptureError) {
            return try PreparedSignature(capture, model.preparation)
        } catch {
            throw .capture(error)
        }
    }
}

/// Why something is no template, or cannot be used as one.
public enum TemplateError: Error, Equatable, Sendable {
    /// Not five.
    case wrongCount(Int)
    /// Pens, fingers and mice are not compared with one another.
    case mixedTools
    /// This one, counted from 0, was made from an earlier one rather than written.
    case replayed(Int)
    /// The file is not of the form.
    case malformed
    case capture(CaptureError)
}
