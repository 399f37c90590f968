public import Encodings

/// How both errors go against each other, as a picture: a curve of detection error trade-off (ISO/IEC 19795-1).
///
/// Both axes are drawn by normal deviates, so that scores of two bell curves give a straight line.
public enum DETPlot {
    /// One curve.
    public struct Curve {
        /// What is compared, for the legend: plain letters.
        let name: Bytes
        let rates: ErrorRates
        /// Where the program decides, to be marked.
        let threshold: Double?

        /// A curve of some scores.
        public init(name: Bytes, rates: ErrorRates, threshold: Double?) {
            self.name = name
            self.rates = rates
            self.threshold = threshold
        }
    }

    /// The rates that have lines, in thousandths.
    private static let marks = [1, 2, 5, 10, 20, 50, 100, 200, 400]
    /// Rates beyond these are drawn at the edge.
    private static let (least, most) = (0.000_5, 0.5)
    /// In tenths of a unit of the picture.
    private static let (left, top, size) = (520, 120, 4_000)

    /// An SVG element with the classes `grid`, `equal`, `label`, `curve-0`…, `rate` and `point`, which a style sheet colours.
    public static func svg(_ curves: [Curve]) -> Bytes {
        var svg = SVG(width: left + size + 120, height: top + size + 480, title: "Detection error trade-off")
        for mark in marks {
            let place = axis(Double(mark) / 1_000)
            svg.line((left + place, top), (left + place, top + size), "grid")
            svg.line((left, top + size - place), (left + size, top + size - place), "grid")
            let label = percent(mark)
            svg.text(label, (left + place, top + size + 150), "label", .middle)
            svg.text(label, (left - 50, top + size - place + 35), "label", .end)
        }
        svg.line((left, top + size), (left + size, top), "equal")
        for (number, curve) in curves.enumerated() {
            let style = Bytes(text: "curve-") + decimalBytes(UInt64(number))
            var points: [(Int, Int)] = []
            for threshold in curve.rates.thresholds {
                let point = place(curve.rates, threshold)
                guard points.last.map({ $0 != point }) ?? true else { continue }
                // A threshold between two scores changes nothing: steps, not slopes.
                if let last = points.last { points.append((point.0, last.1)) }
                points.append(point)
            }
            svg.polyline(points, style)
            let row = top + 180 + 200 * number
            svg.polyline([(left + 2_250, row - 40), (left + 2_550, row - 40)], style)
            svg.text(curve.name, (left + 2_600, row), "label", .start)
            if let threshold = curve.threshold {
                svg.circle(place(curve.rates, threshold), 45, "point")
            }
        }
        svg.text(Bytes(text: "forged accepted, %"), (left + size / 2, top + size + 380), "label", .middle)
        svg.text(Bytes(text: "genuine refused, %"), (120, top + size / 2), "label upright", .middle)
        return svg.end()
    }

    private static func place(_ rates: ErrorRates, _ threshold: Double) -> (Int, Int) {
        (left + axis(rates.falseAcceptance(at: threshold)), top + size - axis(rates.falseRejection(at: threshold)))
    }

    private static func percent(_ thousandths: Int) -> Bytes {
        thousandths < 10
            ? Bytes(text: "0.") + decimalBytes(UInt64(thousandths)) : decimalBytes(UInt64(thousandths / 10))
    }

    /// How far along an axis a rate is.
    private static func axis(_ rate: Double) -> Int {
        let (low, high) = (normalDeviate(least), normalDeviate(most))
        let share = (normalDeviate(min(max(rate, least), most)) - low) / (high - low)
        return Int((share * Double(size)).rounded())
    }

    /// The value below which a share of a normal distribution lies.
    ///
    /// Newton's method on the distribution, which is convex below 0: from there it comes nearer with every step.
    ///
    /// - Parameter share: above 0, at most one half.
    static func normalDeviate(_ share: Double) -> Double {
        var x = 0.0
        for _ in 0..<40 {
            let density = Elementary.exp(-x * x / 2) / (2 * Elementary.pi).squareRoot()
            // The integral from 0 to x is the density times x + x³/3 + x⁵/15 + …
            var (term, sum) = (x, x)
            for divisor in stride(from: 3.0, through: 121, by: 2) {
                term *= x * x / divisor
                sum += term
            }
            let step = (0.5 + density * sum - share) / density
            x -= step
            if step.magnitude < 1e-12 { break }
        }
        return x
    }
}
