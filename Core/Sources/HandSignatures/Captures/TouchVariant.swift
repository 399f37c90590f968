extension Capture {
    /// The capture as a finger on a screen would have given it: no pressure, nothing above the surface, 60 samples a second.
    ///
    /// For research sets of pens, which stand in for fingers where there are none.
    public func asTouch() throws(CaptureError) -> Capture {
        func isOnSurface(_ index: Int) -> Bool { samples[index].pressure > 0 || !samples[index].isPenUp }
        let onSurface = samples.indices.filter(isOnSurface)
        var kept: [Sample] = []
        for index in onSurface {
            var sample = samples[index]
            let endsStroke = sample.isPenUp || index + 1 < samples.count && !isOnSurface(index + 1)
            sample.pressure = 0
            sample.altitude = nil
            sample.azimuth = nil
            // A step back in time is left for the clock's repair.
            if let last = kept.last, !endsStroke, index != onSurface[onSurface.count - 1],
                (0..<16_000).contains(sample.time - last.time)
            {
                continue
            }
            sample.isPenUp = endsStroke
            kept.append(sample)
        }
        return try Capture(tool: .touch, pressureLevels: 0, stepNanometres: stepNanometres, samples: kept)
    }
}
