public import Encodings

/// One channel of two signatures, drawn over the way that lays them against each other.
public struct ChannelPlot: Sendable {
    /// Which channel.
    public let channel: Channel
    /// An SVG element with the classes `axis`, `reference` and `probe`.
    public let svg: Bytes

    private static let (width, height, top) = (6_000, 1_200, 100)
    /// Deviations from the mean that still fit; what is further is drawn at the edge.
    private static let reach = 4.0

    /// The plots of every channel.
    ///
    /// - Parameter reference: the one of the enrolment that the probe is nearest to.
    public static func all(reference: PreparedSignature, probe: PreparedSignature) -> [ChannelPlot] {
        let path = Alignment(reference, probe).path
        return Channel.allCases.map { channel in
            let first = reference.values(of: channel)
            let second = probe.values(of: channel)
            var svg = SVG(width: width, height: height, title: channel.title)
            svg.line((0, height / 2), (width, height / 2), "axis")
            svg.polyline(line(path.map { first[$0.first] }), Bytes(text: "reference"))
            svg.polyline(line(path.map { second[$0.second] }), Bytes(text: "probe"))
            return ChannelPlot(channel: channel, svg: svg.end())
        }
    }

    private static func line(_ values: [Float]) -> [(Int, Int)] {
        let last = max(values.count - 1, 1)
        return values.enumerated().map { step, value in
            let share = (min(max(Double(value), -reach), reach) + reach) / (2 * reach)
            return (width * step / last, top + Int(Double(height - 2 * top) * (1 - share)))
        }
    }
}

extension Channel {
    /// In words, for people.
    public var title: String {
        switch self {
        case .pressure: "Pressure"
        case .speedX: "Speed to the right"
        case .speedY: "Speed upwards"
        case .pressureChange: "Change of pressure"
        case .cosine: "Direction, cosine"
        case .sine: "Direction, sine"
        case .logSpeed: "Logarithm of speed"
        case .logRadius: "Logarithm of the radius of curvature"
        case .accelerationX: "Acceleration to the right"
        case .accelerationY: "Acceleration upwards"
        case .cosineChange: "Change of the cosine"
        case .sineChange: "Change of the sine"
        case .x: "Position to the right"
        case .y: "Position upwards"
        case .speed: "Speed"
        case .speedChange: "Change of speed"
        case .centripetal: "Centripetal acceleration"
        case .acceleration: "Acceleration"
        case .turn: "Turning"
        case .pressureBend: "Bend of pressure"
        case .arc: "Length so far"
        }
    }
}

extension Enrolment {
    /// The reference that the probe is nearest to.
    public func nearest(to probe: PreparedSignature) -> PreparedSignature {
        var (best, least) = (references[0], Double.infinity)
        for reference in references {
            let cost = Alignment.cost(reference, probe)
            if cost < least { (best, least) = (reference, cost) }
        }
        return best
    }
}
