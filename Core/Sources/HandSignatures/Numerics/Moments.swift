/// Mean and population standard deviation, summed in order.
struct Moments {
    let mean: Double
    let deviation: Double

    init(_ values: [Double]) {
        guard !values.isEmpty else {
            mean = 0
            deviation = 0
            return
        }
        var sum = 0.0
        for value in values { sum += value }
        let mean = sum / Double(values.count)
        var squares = 0.0
        for value in values { squares += (value - mean) * (value - mean) }
        self.mean = mean
        deviation = (squares / Double(values.count)).squareRoot()
    }
}
