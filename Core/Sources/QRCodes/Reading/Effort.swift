/// How much may be done to read a picture.
///
/// All of it is counted in looks at modules and not in time, so that the same picture always has the same answer.
public struct ReadingEffort: Sendable {
    /// For a frame of a camera, which has 640 x 480 pixels and is followed by others: at most some ten milliseconds.
    public static let frame = ReadingEffort(looks: 220_000, triples: 8, symbols: 2, leastTiming: 0.1)

    /// For a picture that stays the same: up to ten times as long for one that is hard to read.
    public static let thorough = ReadingEffort(looks: 3_000_000, triples: 16, symbols: 4, leastTiming: 0)

    /// At modules; a hundred thousand take two to four milliseconds.
    let looks: Int
    /// So many threes of finders are looked at, and so many of those that look like a symbol are decoded.
    let triples: Int
    let symbols: Int
    /// How well dark and light must alternate between finders, from -1 to 1.
    ///
    /// By chance half of them do, which is 0. Of a hundred symbols that can be read, hardly one is below 0.1.
    let leastTiming: Float
}

/// What may still be done to read a picture.
struct Effort {
    let most: ReadingEffort
    private var left: Int

    init(_ most: ReadingEffort) {
        self.most = most
        left = most.looks
    }

    /// Whether nothing more may be begun.
    var isSpent: Bool { left <= 0 }

    /// Counts what is begun now.
    mutating func spend(_ looks: Int) { left -= looks }
}
