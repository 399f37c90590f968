extension Capture {
    /// The capture in coarser steps of time and position, for formats that have no finer ones; it begins at 0.
    ///
    /// The loss is up to half a step; `stepNanometres` keeps the size of a step.
    ///
    /// - Parameters:
    ///   - clock: microseconds between two times that the result can tell apart, 1 or more.
    ///   - steps: how many of the capture's steps of position become one, 1 or more.
    /// - Throws: `outOfRange` when the new step is coarser than any sensor's.
    public func coarsened(clock: Int64, steps: Int32) throws(CaptureError) -> Capture {
        precondition(clock > 0 && steps > 0, "steps are positive")
        let (size, overflow) = stepNanometres.multipliedReportingOverflow(by: steps)
        guard !overflow, size <= Self.largestStep else { throw .outOfRange(sample: 0) }
        let start = samples.first?.time ?? 0
        return try Capture(
            tool: tool, pressureLevels: pressureLevels, stepNanometres: size,
            samples: samples.map { sample in
                var sample = sample
                sample.time = Self.nearest(sample.time - start, clock) * clock
                sample.x = Int32(truncatingIfNeeded: Self.nearest(Int64(sample.x), Int64(steps)))
                sample.y = Int32(truncatingIfNeeded: Self.nearest(Int64(sample.y), Int64(steps)))
                return sample
            })
    }

    /// The whole number of steps that is nearest, of two the larger in size.
    private static func nearest(_ value: Int64, _ step: Int64) -> Int64 {
        let (quotient, rest) = value.quotientAndRemainder(dividingBy: step)
        guard rest.magnitude >= step.magnitude - rest.magnitude else { return quotient }
        return quotient + (value < 0 ? -1 : 1)
    }
}
