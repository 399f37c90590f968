/// Aligns another trace with this one: turned, then along it by dynamic time warping within a band, then stretched and
/// slanted as fits best, and along it again.
struct TraceAlignment {
    typealias Point = Polyline.Point

    /// Places on this trace between two of its points.
    private static let parts = 4
    /// How far a point of one may lie from the same point of the other, as a share of the length.
    private static let band = 0.06
    /// Turned traces whose points are further apart than this are of other movements: nothing needs to be aligned.
    private static let farthest = 0.7

    private let trace: [Point]
    private let fine: [Point]

    init(_ trace: [Point]) {
        self.trace = trace
        fine = Polyline.curve(trace, parts: Self.parts)
    }

    /// - Parameters:
    ///   - other: as many points.
    ///   - limit: the distance below which it is near.
    /// - Returns: the root of the mean squared distance; `nil` when it is not near.
    func distance(to other: [Point], limit: Double) -> Double? {
        let turned = turnedToFit(other)
        var sum = 0.0
        for (point, near) in zip(turned, trace) { sum += Self.square(point - near) }
        guard sum < Self.farthest * Self.farthest * Double(trace.count) else { return nil }
        // A trace that stretching does not bring near is not looked at twice.
        guard let way = way(of: turned, limit: 2 * limit) else { return nil }
        return self.way(of: stretchedToFit(turned, way.places), limit: limit)?.distance
    }

    /// Turned about the mean by the angle that brings equal points nearest.
    private func turnedToFit(_ other: [Point]) -> [Point] {
        var (along, across) = (0.0, 0.0)
        for (point, near) in zip(other, trace) {
            along += point.x * near.x + point.y * near.y
            across += point.x * near.y - point.y * near.x
        }
        let length = Elementary.hypot(along, across)
        guard length > 1e-9 else { return other }
        let (cosine, sine) = (along / length, across / length)
        return other.map { Point(cosine * $0.x - sine * $0.y, sine * $0.x + cosine * $0.y) }
    }

    /// Moved, stretched and slanted so that the points lie nearest to their places (least squares).
    private func stretchedToFit(_ other: [Point], _ places: [Int]) -> [Point] {
        var (mean, target) = (Point(0, 0), Point(0, 0))
        for (point, place) in zip(other, places) {
            mean += point
            target += fine[place]
        }
        mean /= Double(other.count)
        target /= Double(other.count)
        var (xx, xy, yy) = (1e-9, 0.0, 1e-9)
        var (x, y) = (Point(0, 0), Point(0, 0))
        for (point, place) in zip(other, places) {
            let (from, to) = (point - mean, fine[place] - target)
            xx += from.x * from.x
            xy += from.x * from.y
            yy += from.y * from.y
            x += from.x * to
            y += from.y * to
        }
        let area = xx * yy - xy * xy
        guard area > 1e-12 else { return other }
        let first: Point = (yy * x - xy * y) / area
        let second: Point = (xx * y - xy * x) / area
        return other.map { point in
            let from = point - mean
            return target + from.x * first + from.y * second
        }
    }

    /// The cheapest way of another trace along this one, which goes on with every point and ends where it ends.
    ///
    /// - Returns: the root of the mean squared distance, and where on this trace each point lies; `nil` when it is not
    ///   below the limit.
    private func way(of other: [Point], limit: Double) -> (distance: Double, places: [Int])? {
        let (count, parts) = (other.count, Self.parts)
        let reach = Int(Self.band * Double(fine.count))
        let width = 2 * reach + 1
        let most = limit * limit * Double(count)
        var costs = [Double](repeating: .infinity, count: width)
        var steps: [UInt8] = []
        steps.reserveCapacity(count * width)
        for point in 0..<count {
            var next = [Double](repeating: .infinity, count: width)
            var least = Double.infinity
            for slot in 0..<width {
                let place = parts * point - reach + slot
                var step = 0
                if place >= 0, place < fine.count {
                    var before = point == 0 && slot <= reach + reach / 2 ? 0 : Double.infinity
                    if point > 0 {
                        // From the point before, at most twice as far as it would be evenly.
                        for taken in 1...2 * parts {
                            let from = slot + parts - taken
                            guard from >= 0, from < width, costs[from] < before else { continue }
                            before = costs[from]
                            step = taken
                        }
                    }
                    if before < most {
                        next[slot] = before + Self.square(other[point] - fine[place])
                        least = min(least, next[slot])
                    }
                }
                steps.append(UInt8(step))
            }
            guard least < most else { return nil }
            costs = next
        }
        var slot = 0
        for other in costs.indices where costs[other] < costs[slot] { slot = other }
        let distance = (costs[slot] / Double(count)).squareRoot()
        var places = [Int](repeating: 0, count: count)
        for point in stride(from: count - 1, through: 0, by: -1) {
            places[point] = parts * point - reach + slot
            slot = slot + parts - Int(steps[point * width + slot])
            if point == 0 { break }
        }
        return (distance, places)
    }

    private static func square(_ vector: Point) -> Double { vector.x * vector.x + vector.y * vector.y }
}
