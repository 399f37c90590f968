/// Three finder patterns that may belong to one symbol: its corner and the ends of its two arms.
struct FinderTriple {
    let corner: FinderCentre
    /// Clockwise of `lower` as seen from the corner: top right, when the symbol is upright.
    let right: FinderCentre
    let lower: FinderCentre
    /// How little the three look like a symbol; 0 is perfect.
    let strangeness: Float

    /// The likeliest first, at most `most` of those that the centres seen in most rows make.
    static func likeliest(_ most: Int, of centres: [FinderCentre]) -> [FinderTriple] {
        let often = centres.count { $0.count > 1 }
        var list: [FinderCentre] = []
        for centre in centres where often < 3 || centre.count > 1 {
            list.insert(centre, most: 14) { $0.count < $1.count }
        }
        var triples: [FinderTriple] = []
        for first in list.indices {
            for second in first + 1..<max(first + 1, list.count) {
                for third in second + 1..<max(second + 1, list.count) {
                    guard let triple = FinderTriple(list[first], list[second], list[third]) else { continue }
                    triples.insert(triple, most: most) { $0.strangeness > $1.strangeness }
                }
            }
        }
        return triples
    }

    init?(_ first: FinderCentre, _ second: FinderCentre, _ third: FinderCentre) {
        let least = min(first.module, second.module, third.module)
        let most = max(first.module, second.module, third.module)
        guard least > 0, most < 2.2 * least else { return nil }
        // The corner is opposite to the longest side.
        let sides = (
            second.place.distance(to: third.place), first.place.distance(to: third.place),
            first.place.distance(to: second.place)
        )
        let (corner, one, other): (FinderCentre, FinderCentre, FinderCentre) =
            if sides.0 >= sides.1, sides.0 >= sides.2 {
                (first, second, third)
            } else if sides.1 >= sides.2 {
                (second, first, third)
            } else {
                (third, first, second)
            }
        let armOne = one.place - corner.place
        let armOther = other.place - corner.place
        let (lengthOne, lengthOther) = (armOne.length, armOther.length)
        let (short, long) = (min(lengthOne, lengthOther), max(lengthOne, lengthOther))
        // The centres of the smallest symbol are 14 modules apart, of the largest 170; a slanted row crosses wider modules.
        guard short > 7 * least, long < 260 * most, long < 2.5 * short else { return nil }
        let cosine = abs(armOne.dot(armOther)) / (lengthOne * lengthOther)
        guard cosine < 0.6 else { return nil }
        self.corner = corner
        let isClockwise = armOne.cross(armOther) > 0
        right = isClockwise ? one : other
        lower = isClockwise ? other : one
        // Large numbers of rows are worth something: background that looks alike is seldom seen in many.
        let rows = Float(min(first.count, second.count, third.count))
        strangeness = (long - short) / long + cosine + 0.7 * (most - least) / least + 1 / (rows + 1)
    }
}
