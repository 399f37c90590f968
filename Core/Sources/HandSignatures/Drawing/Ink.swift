public import Encodings

/// A signature as it was written, as a picture that shows its shape and not how it moved.
///
/// All the samples would give the movement away: their order and number are the clock. So strokes are smoothed, have
/// points at equal lengths instead of equal times, and are drawn from left to right, not in the direction and order of
/// the hand.
public enum Ink {
    /// The sides of the picture, in tenths of a unit.
    static let (width, height) = (6_000, 2_400)
    private static let margin = 100

    /// An SVG element with the class `ink`; the line is as wide everywhere, for pressure is not for the eye.
    ///
    /// A device whose y grows downwards, as a page's does, gives the picture as it was seen.
    public static func svg(_ capture: Capture) -> Bytes {
        // Hovering is not part of the picture.
        let samples = ((try? capture.written()) ?? capture).samples
        guard let first = samples.first else { return picture([]) }
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
        func place(_ sample: Capture.Sample) -> InkStroke.Point {
            let x = (Int(sample.x) - Int(left)) * room / span
            let y = (Int(sample.y) - Int(top)) * room / span
            return InkStroke.Point(
                Double((width - spanX * room / span) / 2 + x), Double((height - spanY * room / span) / 2 + y))
        }
        var strokes: [[InkStroke.Point]] = []
        var stroke: [InkStroke.Point] = []
        for (number, sample) in samples.enumerated() {
            stroke.append(place(sample))
            guard sample.isPenUp || number == samples.count - 1 else { continue }
            strokes.append(stroke)
            stroke = []
        }
        return picture(strokes)
    }

    /// The same picture as a file of its own, in black on nothing, for any program that shows SVG.
    public static func file(_ capture: Capture) -> Bytes {
        let drawn = svg(capture)
        let look = Bytes(
            text: ##" fill="none" stroke="#14212b" stroke-width="3" stroke-linecap="round" stroke-linejoin="round""##)
        // Behind the name of the first element.
        return drawn.prefix(4) + look + drawn.dropFirst(4)
    }

    /// A picture that version 0.3 drew, with a point for each sample, as this version draws it.
    ///
    /// - Returns: what this version drew as it is; `nil` for anything that neither of both drew.
    public static func redrawn(_ svg: Bytes) -> Bytes? {
        guard var reader = InkReader(svg) else { return nil }
        guard let strokes = reader.strokes() else { return reader.isOfThisVersion ? svg : nil }
        return picture(strokes)
    }

    private static func picture(_ strokes: [[InkStroke.Point]]) -> Bytes {
        var svg = SVG(width: width, height: height, title: "Signature")
        for stroke in strokes.map(InkStroke.init).sorted(by: <) {
            if stroke.points.count == 1 {
                svg.circle(stroke.points[0], 12, "dot")
            } else {
                svg.curve(stroke.points, "ink")
            }
        }
        return svg.end()
    }
}
