import Testing

@testable import QRCodes

@Suite("Renderings")
struct RenderingTests {
    private let code: QRCode

    init() throws {
        code = try QRCode(encoding: Array("COUNTERSIGN".utf8))
    }

    /// Dark modules of a plain text made of half blocks.
    private func modules(_ text: String, inkIsDark: Bool) -> [[Bool]] {
        var rows: [[Bool]] = []
        for line in text.split(separator: "\n", omittingEmptySubsequences: false).dropLast() {
            rows.append(line.map { ($0 == "█" || $0 == "▀") == inkIsDark })
            rows.append(line.map { ($0 == "█" || $0 == "▄") == inkIsDark })
        }
        return rows
    }

    @Test("Half blocks show the symbol and its quiet zone", arguments: [0, 1, 2, 4])
    func halfBlocks(quietZone: Int) {
        let side = code.size + 2 * quietZone
        for style in [QRCode.TerminalStyle.darkBackground, .lightBackground] {
            let text = String(decoding: code.terminalText(style, quietZone: quietZone), as: UTF8.self)
            let rows = modules(text, inkIsDark: style == .lightBackground)
            // The side is odd: the last line has half a row that is the terminal's background.
            #expect(rows.count == side + 1)
            for row in 0..<side {
                #expect(rows[row].count == side)
                for column in 0..<side {
                    #expect(rows[row][column] == code[row - quietZone, column - quietZone])
                }
            }
        }
    }

    @Test("The coloured form sets white on black for each line and takes it back")
    func coloured() {
        let lines = String(decoding: code.terminalText(), as: UTF8.self).split(separator: "\n")
        let plain = String(decoding: code.terminalText(.darkBackground), as: UTF8.self).split(separator: "\n")
        #expect(lines.count == (code.size + 8 + 1) / 2)
        #expect(zip(lines, plain).allSatisfy { $0 == "\u{1B}[97;40m\($1)\u{1B}[0m" })
    }

    @Test("The SVG path covers exactly the dark modules")
    func svg() throws {
        let quietZone = 4
        var dark = [[Bool]](repeating: [Bool](repeating: false, count: code.size + 8), count: code.size + 8)
        let path = String(decoding: code.svgPath(quietZone: quietZone), as: UTF8.self)
        for rectangle in path.split(separator: "z") {
            // Each is M column row h width v1h-width.
            let numbers = rectangle.split { !$0.isNumber }.compactMap { Int($0) }
            try #require(numbers.count == 5)
            #expect(numbers[3] == 1)
            #expect(numbers[2] == numbers[4])
            for column in numbers[0]..<numbers[0] + numbers[2] { dark[numbers[1]][column] = true }
        }
        for row in dark.indices {
            for column in dark.indices {
                #expect(dark[row][column] == code[row - quietZone, column - quietZone])
            }
        }
    }

    @Test("The SVG image has nothing that a strict content security policy refuses")
    func image() {
        let image = String(decoding: code.svg(), as: UTF8.self)
        #expect(image.hasPrefix("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 29 29\""))
        #expect(image.hasSuffix("\"/></svg>\n"))
        #expect(image.contains(String(decoding: code.svgPath(), as: UTF8.self)))
        #expect(!image.contains("style") && !image.contains("script"))
    }
}
