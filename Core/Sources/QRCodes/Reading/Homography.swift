/// A projective map from modules to pixels: what a flat symbol looks like from anywhere.
struct Homography {
    /// x = (a u + b v + c) / (g u + h v + 1), y = (d u + e v + f) / (g u + h v + 1).
    private let a, b, c, d, e, f, g, h: Float

    func callAsFunction(_ u: Float, _ v: Float) -> Place {
        let scale = 1 / (g * u + h * v + 1)
        return Place(x: (a * u + b * v + c) * scale, y: (d * u + e * v + f) * scale)
    }

    /// Modules 0 to `size` onto a quadrangle: upper left, upper right, lower right, lower left corner.
    ///
    /// Nil when the four are not the corners of a convex quadrangle in this order.
    /// - Parameter corners: x and y in turn; the rest is not looked at.
    init?(size: Float, _ corners: SIMD16<Float>) {
        let p0 = Place(x: corners[0], y: corners[1])
        let p1 = Place(x: corners[2], y: corners[3])
        let p2 = Place(x: corners[4], y: corners[5])
        let p3 = Place(x: corners[6], y: corners[7])
        let sum = p0 - p1 + p2 - p3
        let (s1, s2) = (p1 - p2, p3 - p2)
        let determinant = s1.cross(s2)
        guard abs(determinant) > 1e-3 else { return nil }
        let g = sum.cross(s2) / determinant
        let h = s1.cross(sum) / determinant
        guard 1 + g > 0.05, 1 + h > 0.05, 1 + g + h > 0.05 else { return nil }
        a = (p1.x - p0.x + g * p1.x) / size
        b = (p3.x - p0.x + h * p3.x) / size
        c = p0.x
        d = (p1.y - p0.y + g * p1.y) / size
        e = (p3.y - p0.y + h * p3.y) / size
        f = p0.y
        self.g = g / size
        self.h = h / size
    }

    /// A place in modules, the pixel where it was found, and how much that counts.
    struct Pair {
        let module: Place
        let pixel: Place
        let weight: Double
    }

    /// The map of the least squares through pairs of modules and pixels, at least four.
    ///
    /// Nil when they do not say what it is.
    init?(_ pairs: [Pair], size: Float) {
        guard let first = pairs.first?.pixel, let last = pairs.last?.pixel else { return nil }
        // Numbers about 1 keep the equations well conditioned.
        let unit = Double(max(first.distance(to: last), 1))
        var matrix = [Double](repeating: 0, count: 8 * 9)
        for pair in pairs {
            let u = Double(pair.module.x / size)
            let v = Double(pair.module.y / size)
            let x = Double(pair.pixel.x - first.x) / unit
            let y = Double(pair.pixel.y - first.y) / unit
            Self.add([u, v, 1, 0, 0, 0, -u * x, -v * x, x], pair.weight, to: &matrix)
            Self.add([0, 0, 0, u, v, 1, -u * y, -v * y, y], pair.weight, to: &matrix)
        }
        guard let solved = Self.solved(matrix) else { return nil }
        let (g, h) = (solved[6], solved[7])
        let (originX, originY, side) = (Double(first.x), Double(first.y), Double(size))
        guard 1 + g > 0.05, 1 + h > 0.05, 1 + g + h > 0.05 else { return nil }
        a = Float((solved[0] * unit + originX * g) / side)
        b = Float((solved[1] * unit + originX * h) / side)
        c = Float(solved[2] * unit + originX)
        d = Float((solved[3] * unit + originY * g) / side)
        e = Float((solved[4] * unit + originY * h) / side)
        f = Float(solved[5] * unit + originY)
        self.g = Float(g / side)
        self.h = Float(h / side)
    }

    /// Adds an equation, its right side last, to the normal equations.
    private static func add(_ row: [Double], _ weight: Double, to matrix: inout [Double]) {
        for i in 0..<8 where row[i] != 0 {
            for j in 0..<9 { matrix[i * 9 + j] += weight * row[i] * row[j] }
        }
    }

    /// Solves eight equations by elimination.
    private static func solved(_ equations: [Double]) -> [Double]? {
        var matrix = equations
        for column in 0..<8 {
            var pivot = column
            for row in column..<8 where abs(matrix[row * 9 + column]) > abs(matrix[pivot * 9 + column]) { pivot = row }
            guard abs(matrix[pivot * 9 + column]) > 1e-12 else { return nil }
            for index in 0..<9 { matrix.swapAt(pivot * 9 + index, column * 9 + index) }
            for row in 0..<8 where row != column {
                let factor = matrix[row * 9 + column] / matrix[column * 9 + column]
                for index in column..<9 { matrix[row * 9 + index] -= factor * matrix[column * 9 + index] }
            }
        }
        var solution = [Double](repeating: 0, count: 8)
        for row in 0..<8 {
            let factor: Double = matrix[row * 9 + row]
            solution[row] = matrix[row * 9 + 8] / factor
        }
        return solution
    }
}
