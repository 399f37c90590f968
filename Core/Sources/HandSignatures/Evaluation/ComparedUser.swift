/// The inputs that tell a signature from an enrolment, and its true kind.
struct Probe: Sendable {
    enum Kind: Sendable {
        case genuine
        /// By a person who had practised.
        case skilled
        /// Another user's own signature.
        case random
    }

    let kind: Kind
    let inputs: [Double]
}

/// A user of a research set, with all their comparisons that evaluation and training need.
public struct ComparedUser<Signature: SignatureComparison>: Sendable {
    /// As the file has it.
    public let name: [UInt8]
    private let genuine, forged, others: [Signature]
    /// For each genuine signature, the quantities of its alignment with all genuine ones behind it, and all forged.
    private let own: [[[Double]]]
    /// For each of the first references, with the first signature of every other user.
    private let foreign: [[[Double]]]

    /// Compares, which takes a while: about 600 alignments for 20 genuine and 20 forged signatures.
    ///
    /// - Parameters:
    ///   - genuine: at least six, in the order in which they were given.
    ///   - others: the first genuine signature of every other user.
    public init(
        name: [UInt8], genuine: [Signature], forged: [Signature], others: [Signature]
    ) {
        self.name = name
        self.genuine = genuine
        self.forged = forged
        self.others = others
        own = genuine.indices.map { first in
            (genuine[(first + 1)...] + forged).map { Signature.quantities(genuine[first], $0) }
        }
        foreign = genuine.prefix(Enrolment.size).map { reference in
            others.map { Signature.quantities(reference, $0) }
        }
    }

    /// How many genuine signatures there are.
    var count: Int { genuine.count }

    private func pair(_ first: Int, _ second: Int) -> [Double] {
        first < second ? own[first][second - first - 1] : own[second][first - second - 1]
    }

    /// All probes against an enrolment: the other genuine signatures, the forged ones, and of other users if that is asked.
    ///
    /// - Parameter isWithOthers: only with `ReferenceDraws.first`.
    func probes(_ references: [Int], isWithOthers: Bool = false) -> [Probe] {
        let enrolled = Signature.enrolled(references.map { genuine[$0] }) { pair(references[$0], references[$1]) }
        var probes: [Probe] = []
        for place in genuine.indices where !references.contains(place) {
            probes.append(
                Probe(
                    kind: .genuine,
                    inputs: genuine[place].inputs(enrolled, comparisons: references.map { pair($0, place) })))
        }
        for place in forged.indices {
            let comparisons = references.map { own[$0][genuine.count - 1 - $0 + place] }
            probes.append(
                Probe(kind: .skilled, inputs: forged[place].inputs(enrolled, comparisons: comparisons)))
        }
        guard isWithOthers else { return probes }
        for place in others.indices {
            let comparisons = foreign.map { $0[place] }
            probes.append(
                Probe(kind: .random, inputs: others[place].inputs(enrolled, comparisons: comparisons)))
        }
        return probes
    }

}

extension ComparedUser where Signature == PreparedSignature {
    /// The user's share in training: in each window genuine and skilled weigh 1 each, random ones in the first 0.3.
    public func trainingRows() -> [TrainingRow] {
        var rows: [TrainingRow] = []
        for window in ReferenceDraws.windows(of: genuine.count) {
            let probes = probes(window, isWithOthers: window == ReferenceDraws.first)
            func count(_ kind: Probe.Kind) -> Double { Double(max(probes.count { $0.kind == kind }, 1)) }
            let weights = (1 / count(.genuine), 1 / count(.skilled), 0.3 / count(.random))
            for probe in probes {
                let weight =
                    switch probe.kind {
                    case .genuine: weights.0
                    case .skilled: weights.1
                    case .random: weights.2
                    }
                rows.append(
                    TrainingRow(inputs: probe.inputs, isForged: probe.kind != .genuine, weight: weight))
            }
        }
        return rows
    }
}
