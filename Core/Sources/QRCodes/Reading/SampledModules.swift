/// The reading of each module: how much darker it is than the light around it suggests.
struct SampledModules {
    let version: Version
    let size: Int
    /// Positive for dark.
    private var darkness: [Float]

    /// Looks at five places of each module: noise in one of them does not decide.
    init(_ grid: ModuleGrid, _ source: SampleSource) {
        version = grid.version
        size = version.size
        darkness = [Float](repeating: 0, count: size * size)
        // The middles of a row and of the next one: what is between them is as good as straight.
        var middles = Self.middles(grid, row: 0)
        for row in 0..<size {
            let next = Self.middles(grid, row: row + 1)
            for column in 0..<size {
                let middle = middles[column]
                let across = (middles[column + 1] - middle) * 0.22
                let down = (next[column] - middle) * 0.22
                var grey = 2 * source.picture.grey(middle)
                grey += source.picture.grey(middle - across - down)
                grey += source.picture.grey(middle + across - down)
                grey += source.picture.grey(middle - across + down)
                grey += source.picture.grey(middle + across + down)
                darkness[row * size + column] = source.map.threshold(middle) - grey / 6
            }
            middles = next
        }
    }

    /// The middles of a row's modules, and of the one that would come next.
    private static func middles(_ grid: ModuleGrid, row: Int) -> [Place] {
        (0...grid.version.size).map { grid.place(Float($0) + 0.5, Float(row) + 0.5) }
    }

    private init(_ version: Version, _ darkness: [Float]) {
        self.version = version
        size = version.size
        self.darkness = darkness
    }

    subscript(row: Int, column: Int) -> Bool { darkness[row * size + column] > 0 }

    /// Rows as columns: a symbol seen in a mirror.
    var transposed: SampledModules {
        var result = darkness
        for row in 0..<size {
            for column in 0..<size { result[column * size + row] = darkness[row * size + column] }
        }
        return SampledModules(version, result)
    }

    /// Takes a share of the neighbours out of each module, because blur has spread them over it.
    ///
    /// Compares with the modules around instead of the pixels around.
    ///
    /// - Parameter middles: what `middles` says of these modules.
    func sharpened(_ strength: Float, _ middles: [Float]) -> SampledModules {
        var sharp = darkness
        for row in 0..<size {
            for column in 0..<size {
                let index = row * size + column
                let beside =
                    (column > 0 ? darkness[index - 1] : darkness[index])
                    + (column < size - 1 ? darkness[index + 1] : darkness[index])
                    + (row > 0 ? darkness[index - size] : darkness[index])
                    + (row < size - 1 ? darkness[index + size] : darkness[index])
                sharp[index] = darkness[index] * (1 + strength) - beside * strength / 4
            }
        }
        for index in sharp.indices { sharp[index] -= middles[index] }
        return SampledModules(version, sharp)
    }

    /// Half-way between light and dark in the nine by nine modules around each: the mean of both means.
    var middles: [Float] {
        let values = darkness
        var result = values
        let reach = 4
        // The same for three by three modules: it changes slowly.
        for row in stride(from: 1, to: size + 1, by: 3) {
            let top = max(0, min(row - reach, size - 2 * reach - 1))
            for column in stride(from: 1, to: size + 1, by: 3) {
                let left = max(0, min(column - reach, size - 2 * reach - 1))
                var (sum, dark, light): (Float, Float, Float) = (0, 0, 0)
                var darkCount: Float = 0
                let count = Float((2 * reach + 1) * (2 * reach + 1))
                for y in top...top + 2 * reach {
                    for x in left...left + 2 * reach { sum += values[y * size + x] }
                }
                let mean = sum / count
                for y in top...top + 2 * reach {
                    for x in left...left + 2 * reach {
                        let value = values[y * size + x]
                        if value > mean {
                            dark += value
                            darkCount += 1
                        } else {
                            light += value
                        }
                    }
                }
                let lightCount = count - darkCount
                let middle = darkCount > 0 && lightCount > 0 ? (dark / darkCount + light / lightCount) / 2 : mean
                for y in row - 1..<min(row + 2, size) {
                    for x in column - 1..<min(column + 2, size) { result[y * size + x] = middle }
                }
            }
        }
        return result
    }
}
