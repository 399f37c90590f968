import Encodings
import Testing

@testable import HandSignatures

/// Pictures of signatures and of comparisons.
@Suite("Pictures of signatures")
struct PictureTests {
    @Test("a signature is drawn stroke by stroke inside its frame, also a dot and a line without height")
    func ink() throws {
        let capture = try SyntheticSignature(seed: 3, strokes: 4).capture
        let svg = String(decoding: Ink.svg(capture), as: UTF8.self)
        #expect(svg.split(separator: "<path").count == 5 && svg.hasSuffix("</svg>"))
        for number in svg.matches(of: /d="M([^"]*)"/).flatMap({ $0.1.split(whereSeparator: { " ,Q".contains($0) }) }) {
            let value = try #require(Double(number))
            #expect((0...600).contains(value))
        }
        let flat = try Capture(
            tool: .touch, pressureLevels: 0,
            samples: (0..<10).map { Capture.Sample(time: $0 * 20_000, x: 5, y: 5, isPenUp: $0 == 0) })
        #expect(String(decoding: Ink.svg(flat), as: UTF8.self).contains("<circle"))
        let extreme = try Capture(
            tool: .touch, pressureLevels: 0,
            samples: (0..<10).map {
                Capture.Sample(
                    time: $0 * 20_000, x: ($0 % 2 == 0 ? 1 : -1) * Capture.largestCoordinate,
                    y: Capture.largestCoordinate)
            })
        #expect(!Ink.svg(extreme).isEmpty)
    }

    @Test("every channel has a plot of both signatures over the same steps")
    func plots() throws {
        let prepared = try [1, 2].map { try PreparedSignature(SyntheticSignature(seed: $0).capture, .pen()) }
        let plots = ChannelPlot.all(reference: prepared[0], probe: prepared[1])
        #expect(plots.map(\.channel) == Channel.allCases && Set(Channel.allCases.map(\.title)).count == plots.count)
        for plot in plots {
            let svg = String(decoding: plot.svg, as: UTF8.self)
            let lines = svg.matches(of: /points="([^"]*)"/).map { $0.1.split(separator: " ").count }
            #expect(lines.count == 2 && lines[0] == lines[1])
        }
    }

    @Test("the scores of an evaluation are written and read, and give rates and a curve; anything else is refused")
    func rates() throws {
        let text = """
            {"format":"countersign-signature-rates-1","genuine":[-2000,-1000,500],"judged_by":"m","others":[3000],\
            "sets":["a"],"skilled":[-1500,100,2000,3000],"tool":"pen"}
            """
        let file = try #require(RatesFile(Bytes(text: text)))
        #expect(RatesFile(file.file()) == file && file.sets == [Bytes(text: "a")])
        let rates = file.rates(at: 0)
        #expect(rates.genuineRefused == 1 - 2.0 / 3 && rates.forgedAccepted == 0.25 && rates.othersAccepted == 0)
        #expect(String(decoding: file.plot(threshold: 0), as: UTF8.self).contains("skilled forgeries"))
        for (good, bad) in [
            ("\"pen\"", "\"quill\""), ("[3000]", "[]"), ("-2000", "\"x\""), ("rates-1", "rates-2"), ("\"m\"", "1"),
        ] {
            #expect(RatesFile(Bytes(text: text.replacing(good, with: bad))) == nil)
        }
    }
}
