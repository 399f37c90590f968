public import Encodings

/// A signature as it was written, as a picture.
public enum Ink {
    /// The longer side of the picture, in tenths of a unit.
    private static let (width, height, margin) = (6_000, 2_400, 100)

    /// An SVG element with the class `ink`; the line is as wide everywhere, for pressure is not for the eye.
    ///
    /// A device whose y grows downwards, as a page's does, gives the picture as it was seen.
    public static func svg(_ capture: Capture) -> Bytes {
        var svg = SVG(width: width, height: height, title: "Signature")
        let samples = capture.samples
        guard let first = samples.first else { return svg.end() }
        var (left, right, top, bottom) = (first.x, first.x, first.y, first.y)
        for sample in samples {
            left = min(left, sample.x)
            right = max(right, sample.x)
            top = min(top, sample.y)
            bottom = max(bottom, sample.y)
        }
        // One scale for both directions, the one that just fits.
        let (spanX, spanY) = (max(Int(right) - Int(left), 1), max(Int(bottom) - Int(top), 1))
        let (roomX, roomY) = (width - 2 * margin, height - 2 * margin)
        let isWide = spanX * roomY > spanY * roomX
        let (room, span) = isWide ? (roomX, spanX) : (roomY, spanY)
        func place(_ sample: Capture.Sample) -> (Int, Int) {
            let x = (Int(sample.x) - Int(left)) * room / span
            let y = (Int(sample.y) - Int(top)) * room / span
            return ((width - spanX * room / span) / 2 + x, (height - spanY * room / span) / 2 + y)
        }
        var stroke: [(Int, Int)] = []
        for (number, sample) in samples.enumerated() {
            stroke.append(place(sample))
            guard sample.isPenUp || number == samples.count - 1 else { continue }
            if stroke.count == 1 { svg.circle(stroke[0], 12, "dot") } else { svg.polyline(stroke, Bytes(text: "ink")) }
            stroke = []
        }
        return svg.end()
    }
}
