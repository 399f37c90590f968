/// Many small decision trees, whose values are added: the larger, the more likely the signature is forged.
struct BoostedTrees: Sendable, Equatable {
    /// A question about one input, or a value.
    enum Node: Sendable, Equatable {
        /// Whether the input is at most the threshold: then `yes`, else the node behind it.
        case question(input: Int, threshold: Float, yes: Int)
        case value(Float)
    }

    /// What is added to the values of all trees.
    var intercept: Double
    /// Each from its root on; the two nodes that a question leads to stand side by side, behind it.
    var trees: [[Node]]

    /// The score of the inputs of a comparison; see `Enrolment.inputs`.
    func score(_ inputs: [Double]) -> Double {
        var sum = intercept
        for tree in trees { sum += Double(Self.value(of: tree, inputs)) }
        return sum
    }

    /// A number as a model's file can hold it, in millionths: trees are grown with such, so that the file changes nothing.
    static func stored(_ value: Double) -> Float { Float((value * 1e6).rounded(.toNearestOrEven) / 1e6) }

    static func value(of tree: [Node], _ inputs: [Double]) -> Float {
        var place = 0
        while true {
            switch tree[place] {
            case .value(let value): return value
            case .question(let input, let threshold, let yes): place = Float(inputs[input]) <= threshold ? yes : yes + 1
            }
        }
    }
}
