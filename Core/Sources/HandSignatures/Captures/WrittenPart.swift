extension Capture {
    /// The longest time between two written samples within a stroke, in microseconds: longer ones are lifts of the pen.
    static let longestRest: Int64 = 50_000

    /// The capture as far as it was written: what features, alignments and traces are made of.
    ///
    /// Some tablets record the pen while it hovers, before, between and after the strokes. To them a signature is another
    /// world than to tablets that do not, so every lift becomes what it is on those: a gap in time.
    ///
    /// - Where a sensor tells pressure, a sample was written if its pressure is above 0. Other marks do not count: some
    ///   research sets mark the last written sample of a stroke, others the first.
    /// - Where it tells none, a run of samples that are marked as pen up was in the air, except for its first one, which
    ///   ends the stroke before it.
    ///
    /// Strokes end at marks of written samples, and before gaps of more than 50 ms that have no mark at either end. So
    /// everything depends on the written samples alone, and samples in the air change nothing. Times stay as they are.
    ///
    /// - Throws: `tooFewSamples` when less was written than any signature has.
    public func written() throws(CaptureError) -> Capture {
        let tellsPressure = samples.contains { $0.pressure > 0 }
        var written: [Sample] = []
        written.reserveCapacity(samples.count)
        var wasLifted = true
        for sample in samples {
            if tellsPressure ? sample.pressure > 0 : !(wasLifted && sample.isPenUp) { written.append(sample) }
            wasLifted = sample.isPenUp
        }
        guard written.count >= Self.fewestSamples else { throw .tooFewSamples(written.count) }
        for index in written.indices.dropLast() where !written[index].isPenUp && !written[index + 1].isPenUp {
            written[index].isPenUp = written[index + 1].time - written[index].time > Self.longestRest
        }
        var capture = self
        capture.samples = written
        return capture
    }
}
