/// What may still be done to read a frame, in looks at modules: a count and no clock, so that the same frame always has the
/// same answer.
struct Effort {
    private var left: Int

    /// - Parameter looks: at modules; some hundred thousand take a few milliseconds.
    init(looks: Int) { left = looks }

    /// Whether nothing more may be begun.
    var isSpent: Bool { left <= 0 }

    /// Counts what is begun now.
    mutating func spend(_ looks: Int) { left -= looks }
}
