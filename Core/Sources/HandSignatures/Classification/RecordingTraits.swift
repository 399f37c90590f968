/// The traits of the device that made a recording: all that can be known, because no format names a device reliably.
public struct RecordingTraits: Sendable, Equatable {
    /// What touched the surface.
    public let tool: Capture.Tool
    /// The usual time between two written samples, in microseconds, 1 or more.
    public let interval: Int64
    /// Whether pressure was recorded.
    public let tellsPressure: Bool

    /// The traits of a recording.
    ///
    /// - Throws: `tooFewSamples` when less was written than any signature has.
    public init(_ capture: Capture) throws(CaptureError) {
        let samples = try capture.written().samples
        var steps: [Int64] = []
        for index in samples.indices.dropLast() where !samples[index].isPenUp {
            let step = samples[index + 1].time - samples[index].time
            if step > 0 { steps.append(step) }
        }
        tool = capture.tool
        interval = Self.median(steps)
        tellsPressure = samples.contains { $0.pressure > 0 }
    }

    init(tool: Capture.Tool, interval: Int64, tellsPressure: Bool) {
        self.tool = tool
        self.interval = interval
        self.tellsPressure = tellsPressure
    }

    /// What the recordings of a set have in common.
    ///
    /// - Parameters:
    ///   - recordings: at least one.
    ///   - tool: what they were written with, which a pen's recording that is taken for a finger's does not tell.
    public init(ofSet recordings: [RecordingTraits], tool: Capture.Tool) {
        self.tool = tool
        interval = Self.median(recordings.map { $0.interval })
        tellsPressure = recordings.count { $0.tellsPressure } * 2 > recordings.count
    }

    /// Whether one device may have made both: of a kind, with pressure or without, rates within a quarter of each other.
    func isLike(_ other: RecordingTraits) -> Bool {
        let (shorter, longer) = (min(interval, other.interval), max(interval, other.interval))
        return tool == other.tool && tellsPressure == other.tellsPressure && longer * 4 <= shorter * 5
    }

    /// Samples a second, the nearest whole number.
    public var rate: Int64 { (1_000_000 + interval / 2) / interval }

    private static func median(_ values: [Int64]) -> Int64 {
        values.isEmpty ? 1 : values.sorted()[values.count / 2]
    }
}

/// Whether a model has learnt from devices like the one that made a recording.
public enum DeviceFit: Sendable, Equatable {
    /// From at least one like it, as far as the recording tells: kind, rate, pressure.
    case alike
    /// From none: its threshold and error rates were not measured on such devices.
    case other
    /// The model does not say from what it has learnt.
    case unknown
}

extension SignatureModel {
    /// The same of several recordings, with the traits of the first that are not like any device it has learnt from.
    ///
    /// - Parameter recordings: at least one.
    /// - Throws: `tooFewSamples`.
    public func fit(of recordings: [Capture]) throws(CaptureError) -> (fit: DeviceFit, traits: RecordingTraits) {
        let first = try RecordingTraits(recordings[0])
        for recording in recordings {
            let traits = try RecordingTraits(recording)
            let fit = self.fit(of: traits)
            if fit != .alike { return (fit, traits) }
        }
        return (.alike, first)
    }

    /// Whether the model has learnt from devices like the one that made a recording.
    public func fit(of recording: RecordingTraits) -> DeviceFit {
        guard !learntFrom.isEmpty else { return .unknown }
        return learntFrom.contains { $0.traits.isLike(recording) } ? .alike : .other
    }
}
