/// Finds alignment patterns near where they are expected.
struct AlignmentSearch {
    private let source: SampleSource

    init(source: SampleSource) {
        self.source = source
    }

    /// Half of a pattern's contrast is enough: beside it everything fits less.
    private static let leastFit: Float = 0.35

    /// How far, in modules, the pattern is from where the grid has it; nil when nothing near looks like one.
    func offset(_ grid: ModuleGrid, row: Int, column: Int, radius: Float) -> Place? {
        let (u, v) = (Float(column) + 0.5, Float(row) + 0.5)
        var best = Place(x: 0, y: 0)
        var bestFit = -Float.infinity
        let steps = Int(radius * 2)
        for down in -steps...steps {
            for across in -steps...steps {
                let offset = Place(x: Float(across) / 2, y: Float(down) / 2)
                // Of two that fit alike, the nearer one.
                let fit = fit(grid, u + offset.x, v + offset.y) - 0.02 * offset.length
                if fit > bestFit { (best, bestFit) = (offset, fit) }
            }
        }
        for step: Float in [0.25, 0.125] {
            let middle = best
            for down: Float in [-1, 0, 1] {
                for across: Float in [-1, 0, 1] {
                    let offset = Place(x: middle.x + across * step, y: middle.y + down * step)
                    let fit = fit(grid, u + offset.x, v + offset.y) - 0.02 * offset.length
                    if fit > bestFit { (best, bestFit) = (offset, fit) }
                }
            }
        }
        return bestFit > Self.leastFit ? best : nil
    }

    /// Dark centre, light ring, dark ring, each counted alike: -1 to 1.
    @inline(never)
    private func fit(_ grid: ModuleGrid, _ u: Float, _ v: Float) -> Float {
        let middle = contrast(grid, u, v)
        if middle <= 0 { return -1 }
        var light: Float = 0
        var dark: Float = 0
        for (across, down) in ring { light -= contrast(grid, u + across, v + down) }
        // Most places are no pattern: the first ring says so at half the cost.
        if light <= 0 { return -1 }
        for (across, down) in ring { dark += contrast(grid, u + 2 * across, v + 2 * down) }
        return (middle + light / 8 * 2 + dark / 8 * 2) / 5
    }

    private func contrast(_ grid: ModuleGrid, _ u: Float, _ v: Float) -> Float {
        max(-1, min(1, source.darkness(grid.place(u, v))))
    }

    private let ring: [(Float, Float)] = [
        (-1, -1), (0, -1), (1, -1), (1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0),
    ]

    /// A grid that goes through all alignment patterns which are found; the others move with their neighbours.
    func following(_ grid: ModuleGrid) -> ModuleGrid {
        let centres = grid.version.alignmentCentres
        let count = centres.count
        guard count >= 2 else { return grid }
        let zero = Place(x: 0, y: 0)
        var shifts = [Place](repeating: zero, count: count * count)
        for row in 0..<count {
            for column in 0..<count {
                let isFinder =
                    (row == 0 && (column == 0 || column == count - 1)) || (row == count - 1 && column == 0)
                guard !isFinder else { continue }
                let (u, v) = (Float(centres[column]) + 0.5, Float(centres[row]) + 0.5)
                // The shift of the neighbours before it, in modules, is where to look first.
                let above = row > 0 ? shifts[(row - 1) * count + column] : zero
                let left = column > 0 ? shifts[row * count + column - 1] : zero
                let guess = row > 0 && column > 0 ? (above + left) * 0.5 : row > 0 ? above : left
                var moved = grid
                moved.follow([Place](repeating: guess, count: count * count))
                var shift = guess
                if let offset = offset(moved, row: centres[row], column: centres[column], radius: 1.5) {
                    shift = moved.place(u + offset.x, v + offset.y) - grid.place(u, v)
                }
                shifts[row * count + column] = shift
            }
        }
        var result = grid
        result.follow(shifts)
        return result
    }
}
