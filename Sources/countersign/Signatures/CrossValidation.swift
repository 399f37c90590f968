import HandSignatures

/// Models that are tried only on users from whom they have not learnt.
struct CrossValidation: Sendable {
    /// For each fold, a model of the users outside it, with the threshold that suits them.
    let models: [SignatureModel]
    /// The threshold that suits all.
    let threshold: Double

    /// Into how many parts users are divided.
    private static let folds = 5

    /// Learns, on all processors.
    ///
    /// Each set has a threshold at which equally many genuine and forged signatures are mistaken, with the first
    /// signatures as references; thresholds are the mean of these. Every user is judged by a model that has not learnt
    /// from them.
    init(_ sets: [SignatureSet<PreparedSignature>], tool: Capture.Tool) async {
        var models = await withTaskGroup(of: (Int, SignatureModel).self) { group in
            for fold in 0..<Self.folds {
                group.addTask { (fold, Self.model(of: sets, without: fold, tool: tool)) }
            }
            var models: [(Int, SignatureModel)] = []
            for await one in group { models.append(one) }
            return models.sorted { $0.0 < $1.0 }.map(\.1)
        }
        let evaluations = sets.map { [models] set in
            Evaluation(set.users, .first) { models[$0 % Self.folds].score(of: $1) }
        }
        func threshold(without fold: Int?) -> Double {
            evaluations.map { $0.equalThreshold { $0 % Self.folds == fold } }.reduce(0, +) / Double(sets.count)
        }
        for fold in models.indices { models[fold].threshold = threshold(without: fold) }
        self.models = models
        self.threshold = threshold(without: nil)
    }

    /// The model that has not learnt from a user, by the user's place in the set.
    func model(for user: Int) -> SignatureModel { models[user % Self.folds] }

    /// A model of the users outside a fold, or of all.
    static func model(
        of sets: [SignatureSet<PreparedSignature>], without fold: Int? = nil, tool: Capture.Tool, threshold: Double = 0
    ) -> SignatureModel {
        let rows = sets.map { set in
            set.users.enumerated().filter { $0.offset % folds != fold }.flatMap { $0.element.trainingRows() }
        }
        return SignatureModel(training: rows, tool: tool, threshold: threshold, from: sets.map(\.source))
    }

    /// For each set, a model of the others, with the threshold that they gave: what a device never seen may expect.
    ///
    /// - Parameter sets: two at least.
    static func withoutEach(_ sets: [SignatureSet<PreparedSignature>], tool: Capture.Tool) async -> [SignatureModel] {
        var models: [SignatureModel] = []
        for place in sets.indices {
            var others = sets
            others.remove(at: place)
            models.append(
                model(of: others, tool: tool, threshold: await CrossValidation(others, tool: tool).threshold))
        }
        return models
    }
}
