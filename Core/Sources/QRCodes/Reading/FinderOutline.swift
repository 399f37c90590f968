/// The four corners of a finder pattern's outer edge, from lines that are fitted to its sides.
struct FinderOutline {
    /// In the order in which they come around the centre.
    let corners: [Place]

    private static let raysPerSide = 18

    /// Nil when the pattern has no clear outline.
    init?(_ finder: FinderCentre, _ map: DarkMap, _ picture: GreyPicture) {
        var edge: [Place] = []
        let count = Self.raysPerSide
        // Directions to the points of a square: all around, in order, without an angle.
        for ray in 0..<4 * count {
            let along = 2 * (Float(ray % count) + 0.5) / Float(count) - 1
            let direction: Place =
                switch ray / count {
                case 0: Place(x: 1, y: along)
                case 1: Place(x: -along, y: 1)
                case 2: Place(x: -1, y: -along)
                default: Place(x: along, y: -1)
                }
            if let place = Self.outerEdge(finder, direction, map, picture) { edge.append(place) }
        }
        guard edge.count >= 2 * count + 8, let corners = Self.corners(edge, finder.place) else { return nil }
        self.corners = corners
    }

    /// Where a ray leaves the dark ring.
    private static func outerEdge(
        _ finder: FinderCentre, _ direction: Place, _ map: DarkMap, _ picture: GreyPicture
    ) -> Place? {
        let most = Int(min(9 * finder.module + 4, 4_000))
        var stage = 0
        for step in 0..<most {
            let place = finder.place + direction * Float(step)
            let (x, y) = (Int(place.x), Int(place.y))
            guard place.x >= 0, place.y >= 0, x < map.width, y < map.height else {
                // The ring may end at the picture's edge.
                return nil
            }
            guard map.isDark(x, y) == (stage % 2 == 1) else { continue }
            stage += 1
            guard stage == 3 else { continue }
            let before = finder.place + direction * Float(step - 1)
            let (inside, outside) = (picture.grey(before), picture.grey(place))
            let threshold = map.threshold(place)
            let share = outside > inside ? (threshold - inside) / (outside - inside) : 0.5
            let found = before + direction * max(0, min(1, share))
            let distance = found.distance(to: finder.place)
            return distance > 2 * finder.module && distance < 7 * finder.module ? found : nil
        }
        return nil
    }

    private static func corners(_ edge: [Place], _ centre: Place) -> [Place]? {
        let first = farthest(edge, from: centre, direction: nil)
        let third = farthest(edge, from: edge[first], direction: nil)
        let diagonal = edge[third] - edge[first]
        let second = farthest(edge, from: edge[first], direction: diagonal)
        let fourth = farthest(edge, from: edge[first], direction: diagonal * -1)
        var order: [Int] = []
        for index in [first, second, third, fourth] { order.insert(index) { $0 > $1 } }
        var starts: [Place] = []
        var directions: [Place] = []
        for side in 0..<4 {
            let from = order[side]
            let length = (order[(side + 1) % 4] - from + edge.count) % edge.count
            guard length >= 6 else { return nil }
            // Corners are round when they are blurred.
            let margin = max(1, length / 6)
            let points = (from + margin...from + length - margin).map { edge[$0 % edge.count] }
            let (start, direction) = line(points)
            starts.append(start)
            directions.append(direction)
        }
        var corners: [Place] = []
        for side in 0..<4 {
            let (start, direction) = (starts[side], directions[side])
            let (otherStart, otherDirection) = (starts[(side + 1) % 4], directions[(side + 1) % 4])
            let turn = direction.cross(otherDirection)
            guard abs(turn) > 0.2 else { return nil }
            corners.append(start + direction * ((otherStart - start).cross(otherDirection) / turn))
        }
        return corners
    }

    /// The farthest of places, in every direction or clockwise of one.
    @inline(never)
    private static func farthest(_ places: [Place], from start: Place, direction: Place?) -> Int {
        var (best, most) = (0, -Float.infinity)
        for index in places.indices {
            let offset = places[index] - start
            let value = direction?.cross(offset) ?? offset.length
            if value > most { (best, most) = (index, value) }
        }
        return best
    }

    /// The line of the least squares of distances: a place on it, and its direction of length 1.
    private static func line(_ points: [Place]) -> (Place, Place) {
        var centre = Place(x: 0, y: 0)
        for point in points { centre = centre + point }
        centre = centre * (1 / Float(points.count))
        var (xx, xy, yy): (Float, Float, Float) = (0, 0, 0)
        for point in points {
            let offset = point - centre
            xx += offset.x * offset.x
            xy += offset.x * offset.y
            yy += offset.y * offset.y
        }
        let larger = (xx + yy + ((xx - yy) * (xx - yy) + 4 * xy * xy).squareRoot()) / 2
        let direction = xx > yy ? Place(x: larger - yy, y: xy) : Place(x: xy, y: larger - xx)
        let length = direction.length
        return (centre, length > 0 ? direction * (1 / length) : Place(x: 1, y: 0))
    }
}
