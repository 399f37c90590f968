/// The quantities that are followed over a signature, in the order of `PreparedSignature`.
///
/// The first twelve decide how two signatures are laid against each other; all are measured then.
public enum Channel: Int, Sendable, CaseIterable {
    case pressure, speedX, speedY, pressureChange, cosine, sine, logSpeed, logRadius
    case accelerationX, accelerationY, cosineChange, sineChange
    case x, y, speed, speedChange, centripetal, acceleration, turn, pressureBend, arc

    /// How many decide about the alignment.
    static let aligningCount = 12
    /// Those that decide about the alignment.
    public static let aligning = Array(allCases.prefix(aligningCount))
}

/// The course of the channels over a movement, each with mean 0 and deviation 1, or all 0 where nothing changes.
struct Channels {
    /// In the order of `Channel`.
    let standardised: [[Double]]
    /// Points a step, before standardising.
    let speed, speedX, speedY: [Double]
    /// The length of the line.
    let length: Double

    init(_ movement: Movement, _ preparation: Preparation) {
        func derivative(_ values: [Double]) -> [Double] { preparation.derivative(of: values) }
        let dx = derivative(movement.x)
        let dy = derivative(movement.y)
        let speed = zip(dx, dy).map { Elementary.hypot($0, $1) }
        let mean = Moments(speed).mean
        // No direction and no logarithm of nothing.
        let (still, floor) = (1e-9 * mean + 1e-12, 0.01 * mean + 1e-9)
        let turn = derivative(Self.unwrapped(zip(dx, dy).map { Elementary.atan2($1, $0) }))
        let cosine = zip(dx, speed).map { $0 / ($1 + still) }
        let sine = zip(dy, speed).map { $0 / ($1 + still) }
        let logSpeed = speed.map { Elementary.ln($0 + floor) }
        let logRadius = zip(speed, turn).map { Elementary.ln(($0 + floor) / ($1.magnitude + 0.01)) }
        let dv = derivative(speed)
        let centripetal = zip(speed, turn).map { $0 * $1 }
        let pressureChange = derivative(movement.pressure)
        var arc: [Double] = [0]
        for index in movement.x.indices.dropFirst() {
            arc.append(
                arc[index - 1]
                    + Elementary.hypot(
                        movement.x[index] - movement.x[index - 1], movement.y[index] - movement.y[index - 1]))
        }
        let length = arc[arc.count - 1]
        let channels = [
            movement.pressure, dx, dy, pressureChange, cosine, sine, logSpeed, logRadius, derivative(dx),
            derivative(dy), derivative(cosine), derivative(sine), movement.x, movement.y, speed, dv, centripetal,
            zip(dv, centripetal).map { Elementary.hypot($0, $1) }, turn.map { min(max($0, -1.5), 1.5) },
            derivative(pressureChange), arc.map { $0 / (length + 1e-12) },
        ]
        standardised = channels.map(Self.standardise)
        self.speed = speed
        speedX = dx
        speedY = dy
        self.length = length
    }

    private static func standardise(_ values: [Double]) -> [Double] {
        let moments = Moments(values)
        guard moments.deviation > 1e-9 else { return [Double](repeating: 0, count: values.count) }
        return values.map { ($0 - moments.mean) / moments.deviation }
    }

    /// Angles without jumps: a step of more than half a turn is one the other way round.
    private static func unwrapped(_ angles: [Double]) -> [Double] {
        var turns = 0.0
        var result = angles
        for index in angles.indices.dropFirst() {
            let step = angles[index] - angles[index - 1]
            if step > Elementary.pi { turns -= 1 }
            if step < -Elementary.pi { turns += 1 }
            result[index] = angles[index] + turns * 2 * Elementary.pi
        }
        return result
    }
}
