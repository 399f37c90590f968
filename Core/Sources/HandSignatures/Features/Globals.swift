/// Sixteen measures of a whole signature, natural logarithms of each.
enum Globals {
    static let count = 16

    /// Duration; length over spread in x, in y; spread in x over y; strokes; seconds in the air; changes of direction in
    /// x, in y; largest and spread of speed over its mean; mean, spread and maximum of pressure; size; mean speed; share of
    /// the time at less than a fifth of it.
    static func values(_ movement: Movement, _ channels: Channels) -> [Double] {
        let x = Moments(movement.x)
        let y = Moments(movement.y)
        let speed = Moments(channels.speed)
        let pressure = Moments(movement.pressure)
        var fastest = 0.0
        for value in channels.speed { fastest = max(fastest, value) }
        var hardest = 0.0
        for value in movement.pressure { hardest = max(hardest, value) }
        let slow = channels.speed.count { $0 < 0.2 * speed.mean }
        let measures = [
            movement.duration, ratio(channels.length, x.deviation), ratio(channels.length, y.deviation),
            ratio(x.deviation, y.deviation), Double(movement.strokes), 0.05 + movement.inAir,
            1 + Double(turns(channels.speedX)), 1 + Double(turns(channels.speedY)), ratio(fastest, speed.mean),
            ratio(speed.deviation, speed.mean), 1 + pressure.mean, 1 + pressure.deviation, 1 + hardest,
            Elementary.hypot(x.deviation, y.deviation), speed.mean,
            0.02 + Double(slow) / Double(channels.speed.count),
        ]
        // A signature in one point has no size; it must not be infinitely unlike others.
        return measures.map { Elementary.ln(max($0, 1e-9)) }
    }

    private static func ratio(_ value: Double, _ by: Double) -> Double { value / (by + 1e-9) }

    /// How often the mean over five points changes between falling, resting and rising.
    private static func turns(_ values: [Double]) -> Int {
        let last = values.count - 1
        var before: Int?
        var count = 0
        for index in values.indices {
            var mean = 0.0
            for near in index - 2...index + 2 { mean += values[min(max(near, 0), last)] * 0.2 }
            let sign = mean > 0 ? 1 : mean < 0 ? -1 : 0
            if let before, before != sign { count += 1 }
            before = sign
        }
        return count
    }
}
