import Encodings
import Testing

@testable import HandSignatures

/// Pictures for people.
@Suite("Pictures of error rates")
struct DrawingTests {
    @Test("normal deviates are those of tables")
    func deviates() {
        // Quantiles of the standard normal distribution, to nine places.
        let known = [
            (0.5, 0.0), (0.25, -0.674489750), (0.1, -1.281551566), (0.05, -1.644853627), (0.025, -1.959963985),
            (0.01, -2.326347874), (0.001, -3.090232306), (0.0005, -3.290526731),
        ]
        for (share, deviate) in known {
            #expect((DETPlot.normalDeviate(share) - deviate).magnitude < 1e-8, "\(share)")
        }
    }

    @Test("a curve goes in steps through its rates, the point where the program decides lies on it")
    func curve() throws {
        // Two of four genuine are refused where one of four forged is accepted.
        let rates = ErrorRates(genuine: [1, 2, 5, 6], forged: [4, 7, 8, 9])
        let curve = DETPlot.Curve(name: Bytes(text: "a<b&c"), rates: rates, threshold: 4.5)
        let svg = String(decoding: DETPlot.svg([curve]), as: UTF8.self)
        #expect(svg.hasPrefix("<svg ") && svg.hasSuffix("</svg>"))
        #expect(svg.contains(">abc</text>"), "what is not plain text is left out")
        // Deviates from -3.29 to 0 over 400 units: a quarter is at -0.6745, one half at the edge.
        #expect(svg.contains("cx=\"370\" cy=\"12\""), "\(svg)")
        #expect(svg.contains("370,12"))
    }

    @Test("lengths are tenths, with a sign and without idle zeros")
    func numbers() {
        var svg = SVG(width: 10, height: 25, title: "t")
        svg.line((-5, 0), (101, -20), "s")
        #expect(
            String(decoding: svg.end(), as: UTF8.self)
                == "<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" viewBox=\"0 0 1 2.5\"><title>t</title>"
                + "<line class=\"s\" x1=\"-0.5\" y1=\"0\" x2=\"10.1\" y2=\"-2\"/></svg>")
    }
}
