/// Finds where the modules of a symbol are, from its three finder patterns.
struct SymbolLocator {
    private let source: SampleSource
    private let triple: FinderTriple
    /// The corners of the three outlines, each in the order of the symbol's rows; empty when a finder has no outline.
    private var outlines: [Place] = []

    init(_ triple: FinderTriple, _ source: SampleSource) {
        self.triple = triple
        self.source = source
        let right = triple.right.place - triple.corner.place
        let lower = triple.lower.place - triple.corner.place
        for finder in [triple.corner, triple.right, triple.lower] {
            guard let outline = FinderOutline(finder, source.map, source.picture),
                let ordered = Self.ordered(outline, finder.place, right, lower)
            else {
                outlines = []
                return
            }
            outlines.append(contentsOf: ordered)
        }
    }

    /// Which corner is which, by the directions of the symbol's arms.
    private static func ordered(
        _ outline: FinderOutline, _ centre: Place, _ right: Place, _ lower: Place
    ) -> [Place]? {
        guard right.cross(lower) > 0 else { return nil }
        var ordered = outline.corners
        var seen = 0
        for corner in outline.corners {
            let offset = corner - centre
            let index = (offset.cross(lower) > 0 ? 1 : 0) + (right.cross(offset) > 0 ? 2 : 0)
            ordered[index] = corner
            seen |= 1 << index
        }
        return seen == 0b1111 ? ordered : nil
    }

    /// Grids of the versions that the timing patterns speak for, the best first, at most two; before they are `aligned`.
    ///
    /// - Parameter leastTiming: how well dark and light must alternate in the timing patterns, from -1 to 1.
    func grids(leastTiming: Float) -> [ModuleGrid] {
        let guess = (sizeAlong(isRight: true) + sizeAlong(isRight: false)) / 2
        guard guess > 10, guess < 240 else { return [] }
        let nearest = Int((guess - 17) / 4 + 0.5)
        let doubt = 1 + nearest / 7
        var grids: [ModuleGrid] = []
        for number in 1...40 where abs(number - nearest) <= doubt {
            let version = Version(number: number)
            guard let homography = homography(version, alignment: nil) else { continue }
            var grid = ModuleGrid(version, homography)
            grid.timing = timing(grid)
            if grid.timing > leastTiming { grids.insert(grid, most: 2) { $0.timing < $1.timing } }
        }
        if let plain = grids.first, case let first = aligned(plain), first.version.hasVersionInformation,
            let written = InformationBits.version(first, source), written != first.version,
            let homography = homography(written, alignment: nil)
        {
            var grid = ModuleGrid(written, homography)
            // A version written in the symbol takes precedence over a measured one.
            grid.timing = 2
            grids.insert(grid) { $0.timing < $1.timing }
        }
        return grids
    }

    /// Modules of the whole symbol along an arm.
    ///
    /// Seen from the side modules shrink from finder to finder; the geometric mean of both sizes is exact then.
    private func sizeAlong(isRight: Bool) -> Float {
        let end = isRight ? triple.right : triple.lower
        let arm = end.place - triple.corner.place
        let length = arm.length
        let product: Float
        if outlines.isEmpty {
            // A row crosses wider modules when the symbol is turned.
            let slant = max(abs(arm.x), abs(arm.y)) / length
            product = triple.corner.module * end.module * slant * slant
        } else {
            product = side(0, isRight) * side(isRight ? 1 : 2, isRight)
        }
        return product > 0 ? length / product.squareRoot() + 7 : 0
    }

    /// Pixels a module along two sides of a finder's outline.
    private func side(_ finder: Int, _ isRight: Bool) -> Float {
        let first = 4 * finder
        let (step, other) = isRight ? (1, 2) : (2, 1)
        let one = outlines[first].distance(to: outlines[first + step])
        return (one + outlines[first + other].distance(to: outlines[first + 3])) / 14
    }

    /// The grid through the alignment pattern at the far corner, when there is one.
    func aligned(_ grid: ModuleGrid) -> ModuleGrid {
        let version = grid.version
        guard let last = version.alignmentCentres.last else { return grid }
        let radius = min(8, 2 + Float(version.size) / 20) + (outlines.isEmpty ? 2 : 0)
        let search = AlignmentSearch(source: source)
        guard let offset = search.offset(grid, row: last, column: last, radius: radius) else { return grid }
        let centre = Float(last) + 0.5
        let pixel = grid.place(centre + offset.x, centre + offset.y)
        let found = Homography.Pair(module: Place(x: centre, y: centre), pixel: pixel, weight: 8)
        guard let better = homography(version, alignment: found) else { return grid }
        return ModuleGrid(version, better)
    }

    private func homography(_ version: Version, alignment: Homography.Pair?) -> Homography? {
        let size = Float(version.size)
        let starts = [Place(x: 0, y: 0), Place(x: size - 7, y: 0), Place(x: 0, y: size - 7)]
        let centres = [triple.corner.place, triple.right.place, triple.lower.place]
        var pairs: [Homography.Pair] = []
        for index in 0..<3 {
            let middle = starts[index] + Place(x: 3.5, y: 3.5)
            pairs.append(Homography.Pair(module: middle, pixel: centres[index], weight: 4))
        }
        for index in outlines.indices {
            let corner = Place(x: index & 1 == 0 ? 0 : 7, y: index & 2 == 0 ? 0 : 7)
            pairs.append(Homography.Pair(module: starts[index / 4] + corner, pixel: outlines[index], weight: 1))
        }
        if let alignment {
            pairs.append(alignment)
        } else if outlines.isEmpty {
            // Without perspective: the fourth corner completes a parallelogram.
            let fourth = centres[1] + centres[2] - centres[0]
            pairs.append(
                Homography.Pair(module: Place(x: size - 3.5, y: size - 3.5), pixel: fourth, weight: 1))
        }
        return Homography(pairs, size: size)
    }

    /// How well dark and light alternate in the timing patterns: -1 to 1.
    private func timing(_ grid: ModuleGrid) -> Float {
        let size = grid.version.size
        var sum: Float = 0
        for index in 8..<size - 8 {
            let along = Float(index) + 0.5
            let darkness =
                max(-1, min(1, source.darkness(grid.place(along, 6.5))))
                + max(-1, min(1, source.darkness(grid.place(6.5, along))))
            sum += index % 2 == 0 ? darkness : -darkness
        }
        return sum / Float(2 * (size - 16))
    }
}
