import Encodings
import Foundation
import Interface
import Testing

@testable import Server

@Suite("The organisation's colour")
struct AccentTests {
    private static func colour(_ text: String) throws -> AccentColour {
        try #require(AccentColour(Bytes(text: text)))
    }

    @Test("has the contrasts that WCAG 2 gives")
    func contrast() throws {
        #expect(AccentColour.white.contrast(with: .black) == 2_100)
        #expect(try Self.colour("#777777").contrast(with: .white) == 447)
        #expect(try Self.colour("#767676").contrast(with: .white) == 454)
        #expect(try Self.colour("#ff0000").contrast(with: .white) == 399)
    }

    @Test(
        "is refused with the nearest that holds, which does",
        arguments: [
            "#ffffff", "#000000", "#ffff00", "#ff0000", "#00ff00", "#0000ff", "#ffcc00", "#0e1619", "#fcfdfc",
            "#800080",
            "#123456", "#c0ffee",
        ])
    func nearest(text: String) throws {
        let check = try Self.colour(text).check
        let nearest = try Self.colour(check.nearest).check
        #expect(nearest.holds && nearest.nearest == check.nearest)
        #expect(nearest.onLight >= 300 && nearest.onDark >= 300 && nearest.ofText >= 450)
        #expect(check.holds == (check.nearest == text))
    }

    @Test("holds where it does")
    func holds() throws {
        for text in ["#0a8066", "#b24542", "#3b6fd4"] { #expect(try Self.colour(text).check.holds, "\(text)") }
        #expect(try !Self.colour("#ffff00").check.holds)
        #expect(try !Self.colour("#000080").check.holds)
    }

    @Test(
        "is written in one way", arguments: ["", "red", "0a6655", "#0a665", "#0a66555", "#0a665g", "#0a6 55", "#éa665"])
    func form(text: String) { #expect(AccentColour(Bytes(text: text)) == nil) }

    @Test("is compared with the backgrounds that pages have")
    func backgrounds() throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        let style = try String(contentsOf: root.appending(path: "Web/shell/style.css"), encoding: .utf8)
        for name in ["paper", "sheet", "well"] {
            let found = style.matches(of: try Regex("--\(name): (#[0-9a-f]{6})")).compactMap { $0.output[1].substring }
            #expect(found.count == 2)
            #expect(AccentColour.light.map(\.text).contains(String(found[0])))
            #expect(AccentColour.dark.map(\.text).contains(String(found[1])))
        }
    }
}
