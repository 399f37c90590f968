import Encodings

/// Reads the strokes of a picture that version 0.3 drew: polylines with a point for each sample, and circles for dots.
struct InkReader {
    private static let head = Bytes(
        text: "<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" viewBox=\"0 0 600 240\">")
    private static let title = Bytes(text: "<title>Signature</title>")
    private static let line = Bytes(text: "<polyline class=\"ink\" points=\"")
    private static let path = Bytes(text: "<path class=\"ink\" d=\"")
    private static let dot = Bytes(text: "<circle class=\"dot\" cx=\"")
    private static let end = Bytes(text: "</svg>")

    private let bytes: Bytes
    private var place = 0

    /// - Returns: `nil` when neither version began a picture so.
    init?(_ bytes: Bytes) {
        self.bytes = bytes
        guard skip(Self.head), skip(Self.title) else { return nil }
    }

    /// Whether the picture has curves, or only dots, and no line of version 0.3.
    var isOfThisVersion: Bool { contains(Self.path) && !contains(Self.line) }

    /// - Returns: `nil` when something is in the picture that version 0.3 did not draw.
    mutating func strokes() -> [[InkStroke.Point]]? {
        var strokes: [[InkStroke.Point]] = []
        while !skip(Self.end) {
            if skip(Self.line) {
                guard let points = points() else { return nil }
                strokes.append(points)
            } else if skip(Self.dot) {
                guard let x = number(), skip(Bytes(text: "\" cy=\"")), let y = number(),
                    skip(Bytes(text: "\" r=\"1.2\"/>"))
                else { return nil }
                strokes.append([InkStroke.Point(x, y)])
            } else {
                return nil
            }
        }
        return place == bytes.count ? strokes : nil
    }

    private mutating func points() -> [InkStroke.Point]? {
        var points: [InkStroke.Point] = []
        repeat {
            guard points.count < Capture.mostSamples, let x = number(), skip([0x2C]), let y = number() else {
                return nil
            }
            points.append(InkStroke.Point(x, y))
        } while skip([0x20])
        return skip(Bytes(text: "\"/>")) ? points : nil
    }

    /// A length of the picture, in tenths; never negative, never beyond its frame.
    private mutating func number() -> Double? {
        var value = 0
        var digits = 0
        while place < bytes.count, (0x30...0x39).contains(bytes[place]), digits < 4 {
            value = 10 * value + Int(bytes[place] - 0x30)
            place += 1
            digits += 1
        }
        guard digits > 0 else { return nil }
        value *= 10
        if skip([0x2E]) {
            guard place < bytes.count, (0x30...0x39).contains(bytes[place]) else { return nil }
            value += Int(bytes[place] - 0x30)
            place += 1
        }
        return value <= 6_000 ? Double(value) : nil
    }

    private mutating func skip(_ text: Bytes) -> Bool {
        guard bytes.count - place >= text.count, bytes[place..<place + text.count].elementsEqual(text) else {
            return false
        }
        place += text.count
        return true
    }

    private func contains(_ text: Bytes) -> Bool {
        guard bytes.count >= text.count else { return false }
        for start in 0...bytes.count - text.count where bytes[start..<start + text.count].elementsEqual(text) {
            return true
        }
        return false
    }
}
