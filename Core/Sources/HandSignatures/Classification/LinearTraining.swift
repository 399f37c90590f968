extension LinearClassifier {
    /// How strongly large coefficients are held back: the smaller, the more.
    private static let prior = 0.003
    /// Where standardised inputs are cut off.
    private static let standardClip = 5.0

    /// The coefficients that make the rows most likely, large ones held back (logistic regression with a normal prior).
    ///
    /// Minimises the weighted sum of -ln p and |coefficients|^2 / (2 prior), by Newton's steps; the intercept is free.
    ///
    /// - Parameter rows: at least one of each kind.
    init(training rows: [TrainingRow]) {
        let width = rows[0].inputs.count
        means = []
        scales = []
        for input in 0..<width {
            let moments = Moments(rows.map { $0.inputs[input] })
            means.append(moments.mean)
            // An input that never changes says nothing; it must not be divided by nothing either.
            scales.append(moments.deviation > 1e-12 ? moments.deviation : 1)
        }
        coefficients = [Double](repeating: 0, count: width)
        intercept = 0
        clip = Self.standardClip
        let standardised = rows.map { standardise($0.inputs) + [1] }
        for _ in 0..<50 {
            let step = newtonStep(rows, standardised)
            var largest = 0.0
            for index in 0..<width { coefficients[index] -= step[index] }
            intercept -= step[width]
            for value in step { largest = max(largest, value.magnitude) }
            if largest < 1e-10 { break }
        }
    }

    private func newtonStep(_ rows: [TrainingRow], _ standardised: [[Double]]) -> [Double] {
        let width = coefficients.count
        let size = width + 1
        var gradient = coefficients.map { $0 / Self.prior } + [0]
        var curvature = [Double](repeating: 0, count: size * size)
        for index in 0..<width { curvature[index * size + index] = 1 / Self.prior }
        for (row, inputs) in zip(rows, standardised) {
            var sum = intercept
            for index in 0..<width { sum += coefficients[index] * inputs[index] }
            let share = 1 / (1 + Elementary.exp(-sum))
            let slope = row.weight * (share - (row.isForged ? 1 : 0))
            let bend = row.weight * share * (1 - share)
            for first in 0..<size {
                gradient[first] += slope * inputs[first]
                let factor = bend * inputs[first]
                for second in 0...first { curvature[first * size + second] += factor * inputs[second] }
            }
        }
        return Self.solve(&curvature, gradient)
    }

    /// Solves a symmetric positive definite system, given its lower half (Cholesky).
    private static func solve(_ matrix: inout [Double], _ right: [Double]) -> [Double] {
        let size = right.count
        for column in 0..<size {
            for row in column..<size {
                var sum = matrix[row * size + column]
                for inner in 0..<column { sum -= matrix[row * size + inner] * matrix[column * size + inner] }
                matrix[row * size + column] =
                    row == column ? max(sum, 1e-300).squareRoot() : sum / matrix[column * size + column]
            }
        }
        var result = right
        for row in 0..<size {
            for inner in 0..<row { result[row] -= matrix[row * size + inner] * result[inner] }
            result[row] /= matrix[row * size + row]
        }
        for row in (0..<size).reversed() {
            for inner in row + 1..<size { result[row] -= matrix[inner * size + row] * result[inner] }
            result[row] /= matrix[row * size + row]
        }
        return result
    }
}
