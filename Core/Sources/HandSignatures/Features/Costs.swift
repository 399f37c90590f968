/// The cost of the cheapest way to every pair of points.
///
/// Pairs whose places have the same sum do not depend on one another: they are computed together, eight at a time, along
/// the anti-diagonals. Every value is the same sum in the same order, for any width of the machine's vectors.
struct Costs {
    private typealias Lanes = SIMD8<Float>

    private let first, second: PreparedSignature
    /// The anti-diagonals one after the other; at both ends of each a place that no way comes from.
    private let values: [Float]
    /// Where in `values` the place of point 0 of the first signature is, or would be, on each anti-diagonal.
    private let origins: [Int]

    /// The cost of the way to a pair of points; infinite at the edges.
    private func way(to i: Int, _ j: Int) -> Float {
        i < 0 || j < 0 ? .infinity : values[origins[i + j] + i]
    }

    /// What the cheapest way through both signatures costs.
    var total: Float { way(to: first.count - 1, second.count - 1) }

    init(_ first: PreparedSignature, _ second: PreparedSignature) {
        self.first = first
        self.second = second
        let (n, m) = (first.count, second.count)
        var origins: [Int] = []
        // Before the first anti-diagonal no way comes from anywhere.
        var length = 2 * Lanes.scalarCount
        for diagonal in 0..<n + m - 1 {
            let (low, high) = (max(0, diagonal - m + 1), min(n - 1, diagonal))
            origins.append(length + 1 - low)
            length += high - low + 3
        }
        self.origins = origins
        var values = [Float](repeating: .infinity, count: length + Lanes.scalarCount)
        unsafe values.withUnsafeMutableBufferPointer { buffer in
            if let start = buffer.baseAddress { unsafe Self.fill(start, first, second, origins) }
        }
        self.values = values
    }

    /// Where vectors of one signature's values begin.
    @unsafe
    private struct Points {
        let channels, halfSquares: UnsafePointer<Float>
        let stride: Int

        /// Calls with the values of a signature.
        static func of(
            _ channels: [Float], _ halfSquares: [Float], _ stride: Int, _ body: (Points) -> Void
        ) {
            unsafe channels.withUnsafeBufferPointer { channels in
                unsafe halfSquares.withUnsafeBufferPointer { halfSquares in
                    guard let first = channels.baseAddress, let second = halfSquares.baseAddress else { return }
                    unsafe body(Points(channels: first, halfSquares: second, stride: stride))
                }
            }
        }
    }

    /// - Parameter values: all infinite.
    private static func fill(
        _ values: UnsafeMutablePointer<Float>, _ first: PreparedSignature, _ second: PreparedSignature, _ origins: [Int]
    ) {
        let (n, m) = (first.count, second.count)
        let costs = UnsafeMutablePointer<Float>.allocate(capacity: n + Lanes.scalarCount)
        defer { unsafe costs.deallocate() }
        let reversed = second.reversed()
        let start = Self.cost(first, 0, second, 0)
        unsafe values[origins[0]] = start + start
        unsafe Points.of(first.channels, first.halfSquares, first.stride) { a in
            unsafe Points.of(reversed.channels, reversed.halfSquares, reversed.stride) { b in
                for diagonal in 1..<n + m - 1 {
                    let (low, high) = (max(0, diagonal - m + 1), min(n - 1, diagonal))
                    let width = high - low + 1
                    unsafe halfSquares(costs, a, low, b, low + m - 1 - diagonal, width)
                    unsafe distances(costs, width)
                    let row = unsafe values + origins[diagonal] + low
                    let before = unsafe values + origins[diagonal - 1] + low
                    let earlier = unsafe values + (diagonal == 1 ? 1 : origins[diagonal - 2]) + low - 1
                    unsafe ways(row, before, earlier, costs, width)
                }
            }
        }
    }

    /// Half of the squared distances of neighbouring points of one signature and of the other, reversed.
    private static func halfSquares(
        _ costs: UnsafeMutablePointer<Float>, _ a: Points, _ i: Int, _ b: Points, _ j: Int, _ width: Int
    ) {
        for place in stride(from: 0, to: width, by: Lanes.scalarCount) {
            var half = unsafe load(a.halfSquares + (i + place)) + load(b.halfSquares + (j + place))
            var (aNext, bNext) = unsafe (a.channels + (i + place), b.channels + (j + place))
            for _ in 0..<Channel.aligningCount {
                half -= unsafe load(aNext) * load(bNext)
                unsafe aNext += a.stride
                unsafe bNext += b.stride
            }
            unsafe UnsafeMutableRawPointer(costs + place).storeBytes(of: half, as: Lanes.self)
        }
    }

    /// The cost of having two points side by side, as `fill` computes it.
    private static func cost(
        _ first: PreparedSignature, _ i: Int, _ second: PreparedSignature, _ j: Int
    ) -> Float {
        var half = first.halfSquares[i] + second.halfSquares[j]
        for channel in 0..<Channel.aligningCount {
            half -= first.channels[channel * first.stride + i] * second.channels[channel * second.stride + j]
        }
        half = max(half, 0)
        return (half + half).squareRoot()
    }

    /// A step of the way: in both signatures, or in one alone.
    enum Step {
        case both, first, second
    }

    /// How the cheapest way comes to a pair of points; when several do, by both, else by the first signature.
    func step(to i: Int, _ j: Int) -> Step {
        guard i > 0 || j > 0 else { return .both }
        let cost = Self.cost(first, i, second, j)
        let both = way(to: i - 1, j - 1) + (cost + cost)
        let one = way(to: i - 1, j) + cost
        let other = way(to: i, j - 1) + cost
        return both <= one && both <= other ? .both : one <= other ? .first : .second
    }

    // Loops over plain pointers: the compiler makes vectors of these by itself, and of `squareRoot` only so.

    @inline(never)
    private static func distances(_ halfSquares: UnsafeMutablePointer<Float>, _ width: Int) {
        for place in 0..<width {
            let half = unsafe halfSquares[place]
            let square = half > 0 ? half + half : 0
            unsafe halfSquares[place] = square.squareRoot()
        }
    }

    @inline(never)
    private static func ways(
        _ row: UnsafeMutablePointer<Float>, _ before: UnsafeMutablePointer<Float>,
        _ earlier: UnsafeMutablePointer<Float>, _ costs: UnsafeMutablePointer<Float>, _ width: Int
    ) {
        for place in 0..<width {
            let cost = unsafe costs[place]
            let both = unsafe earlier[place] + (cost + cost)
            let (one, other) = unsafe (before[place - 1] + cost, before[place] + cost)
            let single = one < other ? one : other
            unsafe row[place] = both < single ? both : single
        }
    }

    @inline(__always)
    private static func load(_ pointer: UnsafePointer<Float>) -> Lanes {
        unsafe UnsafeRawPointer(pointer).loadUnaligned(as: Lanes.self)
    }
}
