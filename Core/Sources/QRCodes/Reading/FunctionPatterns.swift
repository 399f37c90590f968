/// The modules whose colour is known before anything is read: finders, timing and alignment patterns.
struct FunctionPatterns {
    private struct Known {
        let u: Float
        let v: Float
        let isDark: Bool
    }

    private var known: [Known] = []

    init(_ version: Version) {
        let matrix = Matrix(version)
        let size = version.size
        for row in 0..<size {
            for column in 0..<size where matrix.isFunction[row * size + column] {
                // Beside the finders the format is written, and the version in a block of three by six.
                let isFormat =
                    (row == 8 && (column < 9 || column >= size - 8)) || (column == 8 && (row < 9 || row >= size - 8))
                let (near, far) = (min(row, column), max(row, column))
                let isVersion = version.hasVersionInformation && near < 6 && far >= size - 11 && far < size - 8
                guard !isFormat || row == 6 || column == 6, !isVersion else { continue }
                known.append(
                    Known(u: Float(column) + 0.5, v: Float(row) + 0.5, isDark: matrix[row, column]))
            }
        }
    }

    /// How well a grid fits: -1 to 1, and the more the clearer the modules differ from the threshold.
    func fit(_ grid: ModuleGrid, _ source: SampleSource) -> Float {
        var sum: Float = 0
        // In the largest symbols every third is enough to go by.
        let step = 1 + known.count / 500
        for index in stride(from: 0, to: known.count, by: step) {
            let module = known[index]
            let contrast = max(-1, min(1, source.darkness(grid.place(module.u, module.v))))
            sum += module.isDark ? contrast : -contrast
        }
        return sum / Float((known.count + step - 1) / step)
    }

    /// The share of modules that have the colour that they must have.
    func agreement(_ grid: ModuleGrid, _ source: SampleSource) -> Float {
        var right = 0
        for module in known where (source.darkness(grid.place(module.u, module.v)) > 0) == module.isDark { right += 1 }
        return Float(right) / Float(known.count)
    }

    /// Moves corners and bends in ever smaller steps to where the patterns fit best.
    func refined(_ start: ModuleGrid, _ source: SampleSource) -> ModuleGrid {
        var best = start
        var bestFit = fit(best, source)
        var step = max(0.4, start.module * 0.5)
        for _ in 0..<5 {
            for _ in 0..<2 {
                var hasMoved = false
                for index in 0..<12 {
                    for amount in [step, -step] {
                        guard let candidate = best.changed(index, by: amount) else { continue }
                        let candidateFit = fit(candidate, source)
                        if candidateFit > bestFit {
                            (best, bestFit) = (candidate, candidateFit)
                            hasMoved = true
                            break
                        }
                    }
                }
                if !hasMoved { break }
            }
            step /= 2
        }
        return best
    }
}

/// Grey values and what separates dark from light there.
struct SampleSource {
    let picture: GreyPicture
    let map: DarkMap
    private let unit: Float

    init(_ picture: GreyPicture) {
        self.picture = picture
        map = DarkMap(picture)
        unit = 4 / Float(max(16, map.range))
    }

    /// Positive when the place is dark; 1 is a quarter of the picture's range darker than the threshold.
    func darkness(_ place: Place) -> Float { (map.nearThreshold(place) - picture.grey(place)) * unit }
}
