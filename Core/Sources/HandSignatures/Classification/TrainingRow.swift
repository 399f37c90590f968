/// One comparison to learn from.
public struct TrainingRow: Sendable {
    /// See `Enrolment.inputs`.
    var inputs: [Double]
    var isForged: Bool
    var weight: Double

    /// Weighs sets alike, however many signatures each has, and makes the mean weight 1.
    ///
    /// - Parameter sets: the rows of each set, weighed within it.
    static func balanced(_ sets: [[TrainingRow]]) -> [TrainingRow] {
        var rows: [TrainingRow] = []
        var used = 0
        for set in sets where !set.isEmpty {
            used += 1
            var sum = 0.0
            for row in set { sum += row.weight }
            for row in set {
                var row = row
                row.weight /= sum
                rows.append(row)
            }
        }
        let scale = Double(rows.count) / Double(max(used, 1))
        for index in rows.indices { rows[index].weight *= scale }
        return rows
    }
}
