/// One stroke of a picture: smooth, with points at equal lengths, from its left end to its right one.
struct InkStroke {
    typealias Point = Polyline.Point

    /// Between two points, in tenths of a unit of the picture.
    ///
    /// Half of the signatures of the research sets have samples that lie 100 apart or less on average, and nineteen of
    /// twenty 160 or less. It is the same for all: a step made from the samples would tell how many there were.
    static let step = 160.0
    /// A stroke shorter than this is a dot.
    private static let dot = 10.0
    /// Between two samples, so that no corner is left where one was.
    private static let subdivisions = 8
    private static let smoothings = 2

    /// In tenths of a unit; one for a dot.
    let points: [(Int, Int)]

    init(_ samples: [Point]) {
        var line: [Point] = []
        for sample in samples where line.last != sample { line.append(sample) }
        guard let length = Polyline.lengths(line).last, length >= Self.dot else {
            points = line.first.map { [Self.rounded($0)] } ?? [(0, 0)]
            return
        }
        let (first, last) = (line[0], line[line.count - 1])
        if (last.x, last.y) < (first.x, first.y) { line.reverse() }
        line = Self.even(Polyline.curve(line, parts: Self.subdivisions))
        for _ in 0..<Self.smoothings { line = Polyline.smoothed(line) }
        line = Self.even(line)
        points = line.map(Self.rounded)
    }

    /// By the left end, then by the upper one.
    static func < (one: InkStroke, other: InkStroke) -> Bool { one.points[0] < other.points[0] }

    private static func even(_ line: [Point]) -> [Point] {
        let lengths = Polyline.lengths(line)
        return Polyline.even(line, pieces: max(Int((lengths[lengths.count - 1] / step).rounded()), 2))
    }

    /// Inside the picture, beyond which a smooth line may go.
    private static func rounded(_ point: Point) -> (Int, Int) {
        (
            Int(min(max(point.x, 0), Double(Ink.width)).rounded()),
            Int(min(max(point.y, 0), Double(Ink.height)).rounded())
        )
    }
}
