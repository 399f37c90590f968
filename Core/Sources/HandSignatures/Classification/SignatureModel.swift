/// What tells a genuine signature from a forged one, learnt from other people's: the mean of a weighted sum and of trees.
public struct SignatureModel: Sendable, Equatable {
    /// How much the weighted sum counts; the trees count the rest.
    private static let linearShare = 0.6

    /// What the signatures are written with.
    public var tool: Capture.Tool
    var linear: LinearClassifier
    var trees: BoostedTrees
    /// The largest score of a signature that is accepted.
    public var threshold: Double

    /// How captures are prepared for it.
    public var preparation: Preparation { tool == .pen ? .pen() : .touch() }

    /// The score of the inputs of a comparison: the larger, the more likely the signature is forged.
    public func score(of inputs: [Double]) -> Double {
        Self.linearShare * linear.score(inputs) + (1 - Self.linearShare) * trees.score(inputs)
    }

    /// The score of a probe against an enrolment.
    public func score(_ probe: PreparedSignature, against enrolment: Enrolment) -> Double {
        score(of: enrolment.inputs(of: probe))
    }

    /// Learns from the users of several sets; every set weighs the same.
    ///
    /// - Parameters:
    ///   - sets: the rows of each set's users; some genuine, some forged.
    ///   - threshold: chosen on users that the model has not learnt from.
    public init(training sets: [[TrainingRow]], tool: Capture.Tool, threshold: Double = 0) {
        let rows = TrainingRow.balanced(sets)
        self.tool = tool
        linear = LinearClassifier(training: rows)
        var training = TreeTraining(rows)
        trees = training.grow()
        self.threshold = threshold
    }
}
