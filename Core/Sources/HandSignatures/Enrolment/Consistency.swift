/// Whether signatures that were given for an enrolment go together.
public enum Consistency {
    /// The largest cost of the alignment with the nearest of the others.
    ///
    /// None of 300 first signatures of two research sets was further from the nearest of the same person's other four
    /// (at most 2.10). Of 970 pairs of different people's, one was nearer.
    private static let limit = 2.2

    /// The places of those that are not like any other one: to be written again.
    ///
    /// Nobody is told so of a first one.
    public static func strangers(among signatures: [PreparedSignature]) -> [Int] {
        guard signatures.count > 1 else { return [] }
        var nearest = [Double](repeating: .infinity, count: signatures.count)
        for first in signatures.indices {
            for second in signatures.indices.dropFirst(first + 1) {
                let cost = Alignment.cost(signatures[first], signatures[second])
                nearest[first] = min(nearest[first], cost)
                nearest[second] = min(nearest[second], cost)
            }
        }
        return nearest.indices.filter { nearest[$0] > limit }
    }
}
