/// Lines through points, measured along themselves.
enum Polyline {
    typealias Point = SIMD2<Double>

    /// The length of the line up to each point.
    static func lengths(_ line: [Point]) -> [Double] {
        var result: [Double] = []
        result.reserveCapacity(line.count)
        for index in line.indices {
            guard index > 0 else {
                result.append(0)
                continue
            }
            let step = line[index] - line[index - 1]
            result.append(result[index - 1] + Elementary.hypot(step.x, step.y))
        }
        return result
    }

    /// Both ends, and points between them at equal lengths.
    ///
    /// - Parameters:
    ///   - line: two points or more.
    ///   - pieces: how many equal lengths, 1 or more.
    static func even(_ line: [Point], pieces: Int) -> [Point] {
        let along = lengths(line)
        let whole = along[along.count - 1]
        var result: [Point] = []
        result.reserveCapacity(pieces + 1)
        var next = 1
        for point in 0...pieces {
            let length = whole * Double(point) / Double(pieces)
            while next < line.count - 1, along[next] <= length { next += 1 }
            let gap = along[next] - along[next - 1]
            let share = gap > 0 ? min(max((length - along[next - 1]) / gap, 0), 1) : 1
            result.append(line[next - 1] + share * (line[next] - line[next - 1]))
        }
        return result
    }

    /// Every point but the ends drawn half-way to the middle of its neighbours.
    static func smoothed(_ line: [Point]) -> [Point] {
        line.indices.map { index in
            guard index > 0, index < line.count - 1 else { return line[index] }
            let sides: Point = line[index - 1] + line[index + 1]
            return 0.5 * line[index] + 0.25 * sides
        }
    }

    /// Points along a smooth curve through all of these (Catmull and Rom's), the given ones among them.
    ///
    /// - Parameter parts: how many points become of each, 1 or more.
    static func curve(_ line: [Point], parts: Int) -> [Point] {
        func at(_ index: Int) -> Point { line[min(max(index, 0), line.count - 1)] }
        var result: [Point] = []
        result.reserveCapacity(parts * line.count)
        for index in line.indices.dropLast() {
            let (before, from, to, after) = (at(index - 1), at(index), at(index + 1), at(index + 2))
            let one: Point = 0.5 * (to - before)
            let two: Point = before - 2.5 * from + 2 * to - 0.5 * after
            let three: Point = 0.5 * (after - before) + 1.5 * (from - to)
            for part in 0..<parts {
                let share = Double(part) / Double(parts)
                let bend: Point = two + share * three
                result.append(from + share * (one + share * bend))
            }
        }
        result.append(line[line.count - 1])
        return result
    }

    /// The line moved, stretched and slanted so that its mean is 0 and its spread 1 in every direction.
    ///
    /// A line that was drawn larger, wider, slanted or turned then differs at most by a turn.
    static func spread(_ line: [Point]) -> [Point] {
        var moments = SpreadMoments()
        for point in line { moments.add(point, 1) }
        return moments.spread(line)
    }

    /// The same of all places of the line, not of its points alone: how many of them stand where does not matter.
    static func spreadByLength(_ line: [Point]) -> [Point] {
        var moments = SpreadMoments()
        for index in line.indices.dropFirst() {
            let step = line[index] - line[index - 1]
            let length = Elementary.hypot(step.x, step.y)
            // Exact for a straight piece (Simpson's rule).
            moments.add(line[index - 1], length / 6)
            moments.add(line[index - 1] + 0.5 * step, length * 2 / 3)
            moments.add(line[index], length / 6)
        }
        return moments.weight > 0 ? moments.spread(line) : spread(line)
    }

    /// Sums over weighted points, from the first of them.
    private struct SpreadMoments {
        private(set) var weight = 0.0
        private var origin: Point?
        private var sum = Point(0, 0)
        private var (across, mixed, upwards) = (0.0, 0.0, 0.0)

        mutating func add(_ point: Point, _ weight: Double) {
            let from = point - (origin ?? point)
            if origin == nil { origin = point }
            self.weight += weight
            sum += weight * from
            across += weight * from.x * from.x
            mixed += weight * from.x * from.y
            upwards += weight * from.y * from.y
        }

        func spread(_ line: [Point]) -> [Point] {
            let offset: Point = sum / weight
            let mean: Point = (origin ?? offset) + offset
            let across = max(self.across / weight - offset.x * offset.x, 0)
            let mixed = self.mixed / weight - offset.x * offset.y
            let upwards = max(self.upwards / weight - offset.y * offset.y, 0)
            let width = across.squareRoot()
            guard width > 1e-9 else {
                // Without any width only the height is left, or nothing.
                let height = upwards.squareRoot()
                return line.map { Point(0, height > 1e-9 ? ($0.y - mean.y) / height : 0) }
            }
            let slant = mixed / width
            let height = max(upwards - slant * slant, 1e-6 * upwards).squareRoot()
            return line.map { point in
                let from = point - mean
                let x = from.x / width
                return Point(x, height > 1e-9 ? (from.y - slant * x) / height : 0)
            }
        }
    }
}
