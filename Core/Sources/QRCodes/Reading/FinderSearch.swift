/// The centre of something that looks like a finder pattern.
struct FinderCentre {
    var place: Place
    /// Pixels a module, along the row in which it was found.
    var module: Float
    /// In how many rows it was found.
    var count: Int
}

/// Looks for dark, light, dark, light, dark in the widths 1 : 1 : 3 : 1 : 1, which every line through a finder's centre has.
struct FinderSearch {
    /// More than this come from patterned backgrounds; the rest is not looked at.
    private static let mostCentres = 200

    private let map: DarkMap
    private(set) var centres: [FinderCentre] = []

    init(_ map: DarkMap) {
        self.map = map
        // Every other row shows nearly every finder. The rows between are for codes of few pixels.
        for first in 0..<2 where first == 0 || centres.count(where: { $0.count > 1 }) < 3 {
            for row in stride(from: first, to: map.height, by: 2) where centres.count < Self.mostCentres { scan(row) }
        }
    }

    private mutating func scan(_ row: Int) {
        // The last five runs, the newest last; the first one of a row may be light.
        var (first, second, third, fourth) = (0, 0, 0, 0)
        var run = 0
        var previous: UInt8 = 0
        var runs = 0
        let start = row * map.width
        let cells = map.cells
        let width = map.width
        for column in 0...width {
            let cell = column < width ? cells[start + column] : 1 - previous
            if cell == previous {
                run += 1
                continue
            }
            runs += 1
            if previous == 1, runs >= 5, Self.isFinder(first, second, third, fourth, run) {
                let end = Float(column) - Float(run + fourth) - Float(third) / 2
                check(end, row, total: first + second + third + fourth + run)
            }
            (first, second, third, fourth) = (second, third, fourth, run)
            run = 1
            previous = cell
        }
    }

    static func isFinder(_ first: Int, _ second: Int, _ third: Int, _ fourth: Int, _ fifth: Int) -> Bool {
        let total = first + second + third + fourth + fifth
        guard total >= 7, first > 0, second > 0, third > 0, fourth > 0, fifth > 0 else { return false }
        let module = Float(total) / 7
        let most = module * 0.55 + 0.3
        return abs(Float(first) - module) < most && abs(Float(second) - module) < most
            && abs(Float(fourth) - module) < most && abs(Float(fifth) - module) < most
            && abs(Float(third) - 3 * module) < 3 * module * 0.5 + 0.3
    }

    /// Takes what was found in a row when the column, the row through the better centre, and a diagonal agree.
    private mutating func check(_ x: Float, _ row: Int, total: Int) {
        guard let vertical = cross(Int(x), row, 0, 1, total), let dy = vertical.offset else { return }
        let y = Float(row) + 0.5 + dy
        guard let horizontal = cross(Int(x), Int(y), 1, 0, total), let dx = horizontal.offset else { return }
        let centre = Place(x: Float(Int(x)) + 0.5 + dx, y: y)
        guard (cross(Int(centre.x), Int(y), 1, 1, total) ?? cross(Int(centre.x), Int(y), 1, -1, total)) != nil
        else { return }
        let module = Float(horizontal.total + vertical.total) / 14
        for index in centres.indices {
            let known = centres[index]
            let near = max(known.module, 1) * 1.5
            if abs(known.place.x - centre.x) < near, abs(known.place.y - centre.y) < near,
                abs(known.module - module) < max(1, known.module * 0.5)
            {
                let weight = Float(known.count)
                centres[index].place = (known.place * weight + centre) * (1 / (weight + 1))
                centres[index].module = (known.module * weight + module) / (weight + 1)
                centres[index].count += 1
                return
            }
        }
        centres.append(FinderCentre(place: centre, module: module, count: 1))
    }

    private struct Crossing {
        /// From where it was asked to the middle, in steps.
        let offset: Float?
        let total: Int
    }

    /// The five runs along a direction through a dark pixel, if they are those of a finder of roughly the same size.
    private func cross(_ x: Int, _ y: Int, _ dx: Int, _ dy: Int, _ expected: Int) -> Crossing? {
        guard map.isDark(x, y) else { return nil }
        let most = expected
        let back = arms(x, y, -dx, -dy, most)
        let forth = arms(x, y, dx, dy, most)
        let middle = back.core + forth.core - 1
        let total = back.ring + back.gap + middle + forth.gap + forth.ring
        guard Self.isFinder(back.ring, back.gap, middle, forth.gap, forth.ring) else { return nil }
        guard 10 * total >= 4 * expected, 10 * total <= 25 * expected else { return nil }
        return Crossing(offset: Float(forth.core - back.core) / 2, total: total)
    }

    /// Dark, light and dark pixels from a pixel on, itself counted.
    private func arms(_ x: Int, _ y: Int, _ dx: Int, _ dy: Int, _ most: Int) -> (core: Int, gap: Int, ring: Int) {
        var (x, y) = (x, y)
        var (core, gap, ring) = (0, 0, 0)
        while core <= most, map.isDark(x, y) {
            core += 1
            x += dx
            y += dy
        }
        while gap <= most, x >= 0, y >= 0, x < map.width, y < map.height, !map.isDark(x, y) {
            gap += 1
            x += dx
            y += dy
        }
        while ring <= most, map.isDark(x, y) {
            ring += 1
            x += dx
            y += dy
        }
        return (core, gap, ring)
    }
}
