import Encodings
import QRCodes
import Testing

@testable import Wallet

/// A QR code that a program printed as text blocks, read as a camera would see it.
enum TerminalCode {
    private static let (scale, border) = (4, 4)

    /// The text of the code in these lines: light letters on a dark ground.
    static func read(_ lines: [String]) throws -> String {
        let rows = lines.map(plain).filter { $0.contains("█") && $0.allSatisfy { "█▀▄ ".contains($0) } }
        let width = try #require(rows.map(\.count).max()) + 2 * border
        let height = 2 * rows.count + 2 * border
        var pixels = [UInt8](repeating: 255, count: width * scale * height * scale)
        for (line, row) in rows.enumerated() {
            for (column, block) in row.enumerated() {
                paint(block == "█" || block == "▀", column + border, 2 * line + border, &pixels, width)
                paint(block == "█" || block == "▄", column + border, 2 * line + 1 + border, &pixels, width)
            }
            // What a terminal does not print at the end of a line is dark ground, and the code has no such lines.
        }
        let picture = try GreyPicture(width: width * scale, height: height * scale, pixels: pixels)
        return try #require(try QRCode.read(picture).text).text
    }

    private static func paint(_ isLight: Bool, _ column: Int, _ row: Int, _ pixels: inout [UInt8], _ width: Int) {
        for y in row * scale..<(row + 1) * scale {
            for x in column * scale..<(column + 1) * scale { pixels[y * width * scale + x] = isLight ? 255 : 0 }
        }
    }

    /// A line without colours and carriage returns.
    private static func plain(_ line: String) -> String {
        line.replacing(#/\u{1B}\[[0-9;]*m/#, with: "").replacing("\r", with: "")
    }
}
