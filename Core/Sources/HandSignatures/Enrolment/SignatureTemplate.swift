/// What is kept of how somebody writes: five captured signatures, and traces of those that were seen last.
///
/// It holds captures, not features: a newer model reads an older template. Whoever keeps it seals it; it goes into no log.
///
/// The first two signatures stay as they were confirmed face to face. The other three may follow how a hand changes over
/// the years: `learn` puts an accepted signature in the place of the oldest, at most one in a day.
public struct SignatureTemplate: Sendable, Equatable {
    /// One of the five.
    public struct Reference: Sendable, Equatable {
        /// As it was written.
        public let capture: Capture
        /// When it was written, in seconds since 1970.
        public let time: Int64
    }

    /// Of how many signatures traces are kept, so that none is taken twice.
    static let mostTraces = 200
    /// How many references stay.
    static let lasting = 2
    /// Between two changes, in seconds.
    static let rest: Int64 = 86_400

    /// Five, the lasting ones first.
    public internal(set) var references: [Reference]
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
        traces = []
        for (capture, time) in zip(captures, times) {
            guard capture.tool == captures[0].tool else { throw .mixedTools }
            guard try !remember(capture) else { throw .replayed(references.count) }
            references.append(Reference(capture: capture, time: time))
        }
    }

    init(references: [Reference], traces: [MovementTrace]) {
        self.references = references
        self.traces = traces
    }

    /// The enrolment that a model compares with.
    ///
    /// - Throws: `mixedTools` when the model is for another tool; `capture`.
    public func enrolment(for model: SignatureModel) throws(TemplateError) -> Enrolment {
        guard model.tool == tool else { throw .mixedTools }
        var prepared: [PreparedSignature] = []
        for reference in references {
            do throws(CaptureError) {
                prepared.append(try PreparedSignature(reference.capture, model.preparation))
            } catch {
                throw .capture(error)
            }
        }
        return Enrolment(prepared)
    }

    /// Keeps the traces of the template in whose place this one comes: what was recorded then is a recording now.
    ///
    /// - Returns: the place of a reference that was made from one of them, from 0; `nil` if none was.
    public mutating func inherit(from old: SignatureTemplate) -> Int? {
        let seen = old.traces + old.references.compactMap { try? MovementTrace($0.capture) }
        for (place, reference) in references.enumerated() {
            guard let own = try? MovementTrace(reference.capture) else { continue }
            for trace in seen where own.isReplay(of: trace) { return place }
        }
        traces = Array((seen + traces).suffix(Self.mostTraces))
        return nil
    }

    /// Keeps the trace of a signature, whatever comes of it.
    ///
    /// - Returns: whether it was made from one that was seen before.
    /// - Throws: `capture`.
    public mutating func remember(_ capture: Capture) throws(TemplateError) -> Bool {
        let trace: MovementTrace
        do throws(CaptureError) {
            trace = try MovementTrace(capture)
        } catch {
            throw .capture(error)
        }
        for seen in traces where trace.isReplay(of: seen) { return true }
        // Traces are forgotten in time, references are not.
        for reference in references {
            guard let own = try? MovementTrace(reference.capture) else { continue }
            if trace.isReplay(of: own) { return true }
        }
        traces.append(trace)
        if traces.count > Self.mostTraces { traces.removeFirst(traces.count - Self.mostTraces) }
        return false
    }

    /// Lets an accepted signature take the place of the oldest that may go, if the last change was a day ago.
    ///
    /// - Returns: whether the template has changed.
    public mutating func learn(_ capture: Capture, time: Int64) -> Bool {
        var oldest = Self.lasting
        var newest = references[0].time
        for (place, reference) in references.enumerated() {
            newest = max(newest, reference.time)
            if place > oldest, reference.time < references[oldest].time { oldest = place }
        }
        guard capture.tool == tool, time >= newest, time - newest >= Self.rest else { return false }
        references[oldest] = Reference(capture: capture, time: time)
        return true
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
