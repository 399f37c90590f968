/// How trees are grown: each on some of the rows and inputs, to make up for what those before it got wrong (gradient
/// boosting of the logistic loss).
struct TreeTraining {
    private static let trees = 500
    private static let leaves = 6
    /// How much of a tree counts.
    private static let rate = 0.02
    /// Of 10 rows, and of 10 inputs, so many are drawn for each tree.
    private static let (rowsOfTen, inputsOfTen) = (7, 3)
    /// Holds leaves of few rows back.
    private static let prior = 5.0
    /// The least weight of a leaf.
    private static let leastWeight = 1.0
    /// Into how many parts the values of an input are divided, about the same number of rows in each.
    private static let parts = 64

    private let rows: [TrainingRow]
    /// The boundaries of each input's parts.
    private let boundaries: [[Float]]
    /// For each input and row, the part that its value is in.
    private let part: [[UInt8]]
    private var random: UInt64 = 2_025

    /// - Parameter rows: at least one of each kind.
    init(_ rows: [TrainingRow]) {
        self.rows = rows
        var boundaries: [[Float]] = []
        var part: [[UInt8]] = []
        for input in rows[0].inputs.indices {
            let values = rows.map { Float($0.inputs[input]) }
            let sorted = values.sorted()
            var found: [Float] = []
            for number in 1..<Self.parts {
                let boundary = BoostedTrees.stored(Double(sorted[number * (sorted.count - 1) / Self.parts]))
                if boundary != found.last { found.append(boundary) }
            }
            boundaries.append(found)
            part.append(values.map { Self.place(of: $0, in: found) })
        }
        self.boundaries = boundaries
        self.part = part
    }

    /// How many boundaries a value lies above.
    private static func place(of value: Float, in boundaries: [Float]) -> UInt8 {
        var (low, high) = (0, boundaries.count)
        while low < high {
            let middle = (low + high) / 2
            if boundaries[middle] < value { low = middle + 1 } else { high = middle }
        }
        return UInt8(low)
    }

    /// Grows all trees.
    mutating func grow() -> BoostedTrees {
        var (forged, genuine) = (0.0, 0.0)
        for row in rows { if row.isForged { forged += row.weight } else { genuine += row.weight } }
        var result = BoostedTrees(intercept: Elementary.ln(forged / genuine), trees: [])
        var scores = [Double](repeating: result.intercept, count: rows.count)
        for _ in 0..<Self.trees {
            let tree = growTree(scores)
            for (index, row) in rows.enumerated() {
                scores[index] += Double(BoostedTrees.value(of: tree, row.inputs))
            }
            result.trees.append(tree)
        }
        return result
    }

    /// The derivatives of the loss by the score of a row: its slope and its bend.
    private struct Slope {
        var slope = 0.0
        var bend = 0.0

        static func + (left: Slope, right: Slope) -> Slope {
            Slope(slope: left.slope + right.slope, bend: left.bend + right.bend)
        }
        static func - (left: Slope, right: Slope) -> Slope {
            Slope(slope: left.slope - right.slope, bend: left.bend - right.bend)
        }
        /// The gain when all of it gets the best value.
        var gain: Double { slope * slope / (bend + TreeTraining.prior) }
    }

    /// A part of the rows, and the question that divides it best.
    private struct Leaf {
        var rows: [Int]
        var sum: Slope
        var place: Int
        var gain = 0.0
        var input = 0
        var boundary = 0
    }

    private mutating func growTree(_ scores: [Double]) -> [BoostedTrees.Node] {
        let slopes = zip(rows, scores).map { row, score in
            let share = 1 / (1 + Elementary.exp(-score))
            return Slope(
                slope: row.weight * (share - (row.isForged ? 1 : 0)), bend: row.weight * share * (1 - share))
        }
        let drawn = draw(Self.rowsOfTen, of: rows.count)
        let inputs = draw(Self.inputsOfTen, of: boundaries.count)
        var nodes: [BoostedTrees.Node] = [.value(0)]
        var leaves = [leaf(drawn, at: 0, inputs, slopes)]
        while leaves.count < Self.leaves {
            var best = 0
            for index in leaves.indices where leaves[index].gain > leaves[best].gain { best = index }
            let divided = leaves[best]
            guard divided.gain > 0 else { break }
            nodes[divided.place] = .question(
                input: divided.input, threshold: boundaries[divided.input][divided.boundary], yes: nodes.count)
            let parts = part[divided.input]
            leaves[best] = leaf(
                divided.rows.filter { parts[$0] <= divided.boundary }, at: nodes.count, inputs, slopes)
            leaves.append(
                leaf(divided.rows.filter { parts[$0] > divided.boundary }, at: nodes.count + 1, inputs, slopes))
            nodes += [.value(0), .value(0)]
        }
        for leaf in leaves {
            nodes[leaf.place] = .value(BoostedTrees.stored(-Self.rate * leaf.sum.slope / (leaf.sum.bend + Self.prior)))
        }
        return nodes
    }

    private func leaf(_ members: [Int], at place: Int, _ inputs: [Int], _ slopes: [Slope]) -> Leaf {
        var sum = Slope()
        for row in members { sum = sum + slopes[row] }
        var leaf = Leaf(rows: members, sum: sum, place: place)
        for input in inputs {
            var sums = [Slope](repeating: Slope(), count: Self.parts)
            let parts = part[input]
            for row in members { sums[Int(parts[row])] = sums[Int(parts[row])] + slopes[row] }
            var below = Slope()
            for boundary in boundaries[input].indices {
                below = below + sums[boundary]
                let above = sum - below
                guard below.bend >= Self.leastWeight, above.bend >= Self.leastWeight else { continue }
                let gain = below.gain + above.gain - sum.gain
                if gain > leaf.gain {
                    leaf.gain = gain
                    leaf.input = input
                    leaf.boundary = boundary
                }
            }
        }
        return leaf
    }

    /// Some of ten of the numbers below `count`, in order.
    private mutating func draw(_ ofTen: Int, of count: Int) -> [Int] {
        var left = (count * ofTen + 5) / 10
        var drawn: [Int] = []
        for index in 0..<count {
            random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            if Int(random >> 33) % (count - index) < left {
                drawn.append(index)
                left -= 1
            }
        }
        return drawn
    }
}
