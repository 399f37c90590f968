/// Tells a genuine signature from a forged one, as learnt from other people's: the mean of a weighted sum and of trees.
public struct SignatureModel: Sendable, Equatable {
    /// How much the weighted sum counts; the trees count the rest.
    private static let linearShare = 0.6

    /// A set of recordings that a model has learnt from.
    public struct Source: Sendable, Equatable {
        /// As its file or folder is called.
        public let name: [UInt8]
        /// How many people wrote it.
        public let users: Int
        /// What its recordings tell of their device.
        public let traits: RecordingTraits

        /// A set of recordings.
        public init(name: [UInt8], users: Int, traits: RecordingTraits) {
            self.name = name
            self.users = users
            self.traits = traits
        }
    }

    /// What the signatures are written with.
    public var tool: Capture.Tool
    /// The sets it has learnt from; empty for models older than this list.
    public var learntFrom: [Source]
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
    ///   - sources: what the sets are.
    public init(
        training sets: [[TrainingRow]], tool: Capture.Tool, threshold: Double = 0, from sources: [Source] = []
    ) {
        let rows = TrainingRow.balanced(sets)
        self.tool = tool
        learntFrom = sources
        linear = LinearClassifier(training: rows)
        var training = TreeTraining(rows)
        trees = training.grow()
        self.threshold = threshold
    }
}
