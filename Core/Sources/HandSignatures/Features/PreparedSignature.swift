/// A signature as comparisons want it.
public struct PreparedSignature: Sendable, Equatable {
    /// How many points.
    public let count: Int
    /// The channels one after the other, `stride` values each, as single precision: what is compared.
    let channels: [Float]
    /// For each point, half of the sum of squares over the aligning channels.
    let halfSquares: [Float]
    /// Measures of the whole; see `Globals`.
    let globals: [Double]
    /// Between the beginnings of two channels in `channels`.
    let stride: Int

    /// Makes the features of a capture.
    ///
    /// - Throws: `CaptureError` when the capture cannot be compared.
    public init(_ capture: Capture, _ preparation: Preparation) throws(CaptureError) {
        let movement = try Movement(capture, preparation)
        let channels = Channels(movement, preparation)
        self.init(channels.standardised, globals: Globals.values(movement, channels))
    }

    init(_ standardised: [[Double]], globals: [Double]) {
        count = standardised[0].count
        self.globals = globals
        // Vectors of eight read past the end.
        stride = (count + 7) / 8 * 8 + 8
        var channels = [Float](repeating: 0, count: stride * standardised.count)
        var halfSquares = [Float](repeating: 0, count: stride)
        for (number, values) in standardised.enumerated() {
            for (point, value) in values.enumerated() {
                let value = Float(value)
                channels[number * stride + point] = value
                if number < Channel.aligningCount { halfSquares[point] += value * value / 2 }
            }
        }
        self.channels = channels
        self.halfSquares = halfSquares
    }

    /// The aligning channels and the sums of squares, the last point first; as far past the end zeros.
    func reversed() -> (channels: [Float], halfSquares: [Float], stride: Int) {
        var channels = [Float](repeating: 0, count: stride * Channel.aligningCount)
        var halfSquares = [Float](repeating: 0, count: stride)
        for point in 0..<count {
            halfSquares[point] = self.halfSquares[count - 1 - point]
            for channel in 0..<Channel.aligningCount {
                channels[channel * stride + point] = self.channels[channel * stride + count - 1 - point]
            }
        }
        return (channels, halfSquares, stride)
    }

    /// The course of one channel.
    public func values(of channel: Channel) -> [Float] {
        Array(channels[channel.rawValue * stride..<channel.rawValue * stride + count])
    }
}
