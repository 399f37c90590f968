/// A weighted sum of inputs: the larger, the more likely the signature is forged (logistic regression).
struct LinearClassifier: Sendable, Equatable {
    /// The mean of an input over the training, and its spread.
    var means, scales: [Double]
    /// What a standardised input counts.
    var coefficients: [Double]
    var intercept: Double
    /// Where standardised inputs are cut off, either way: nothing counts without end.
    var clip: Double

    /// The score of the inputs of a comparison; see `Enrolment.inputs`.
    func score(_ inputs: [Double]) -> Double {
        var sum = intercept
        for (coefficient, value) in zip(coefficients, standardise(inputs)) { sum += coefficient * value }
        return sum
    }

    /// How far from the mean each input is, in deviations, cut off.
    func standardise(_ inputs: [Double]) -> [Double] {
        inputs.indices.map { min(max((inputs[$0] - means[$0]) / scales[$0], -clip), clip) }
    }
}
