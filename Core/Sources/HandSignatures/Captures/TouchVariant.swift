extension Capture {
    /// The capture as a finger on a screen would have given it: no pressure, nothing above the surface, 60 samples a second.
    ///
    /// For research sets of pens, used where there are none of fingers.
    public func asTouch() throws(CaptureError) -> Capture {
        let written = try written().samples
        var kept: [Sample] = []
        for (index, sample) in written.enumerated() {
            var sample = sample
            sample.pressure = 0
            sample.altitude = nil
            sample.azimuth = nil
            // A step back in time is left for the clock's repair.
            if let last = kept.last, !sample.isPenUp, index < written.count - 1,
                (0..<16_000).contains(sample.time - last.time)
            {
                continue
            }
            kept.append(sample)
        }
        return try Capture(tool: .touch, pressureLevels: 0, stepNanometres: stepNanometres, samples: kept)
    }
}
