extension SignatureTemplate {
    /// Keeps the traces of the template in whose place this one comes: what was recorded then is a recording now.
    ///
    /// - Returns: the place of a reference that was made from one of them, from 0; `nil` if none was.
    public mutating func inherit(from old: SignatureTemplate) -> Int? {
        let seen = old.traces + old.tracesOfReferences
        for (place, reference) in references.enumerated() {
            guard let own = try? MovementTrace(reference.capture) else { continue }
            for trace in seen where own.isReplay(of: trace) { return place }
        }
        traces = Array((seen + traces).suffix(Self.mostTraces))
        return nil
    }

    /// Keeps the trace of a signature, accepted or not.
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
        // Traces are forgotten in time, references are not.
        for seen in traces + tracesOfReferences where trace.isReplay(of: seen) { return true }
        traces.append(trace)
        if traces.count > Self.mostTraces { traces.removeFirst(traces.count - Self.mostTraces) }
        return false
    }

    /// The traces of the five, and of those that were confirmed face to face.
    private var tracesOfReferences: [MovementTrace] {
        let learntAway = confirmed.filter { !references.contains($0) }
        return (references + learntAway).compactMap { try? MovementTrace($0.capture) }
    }
}
