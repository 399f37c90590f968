import Foundation

@testable import QRCodes

/// Symbols made by libqrencode.
enum Fixture {
    struct Missing: Error {
        let name: String
    }

    static func text(_ name: String) throws -> String {
        guard let url = Bundle.module.url(forResource: name, withExtension: nil, subdirectory: "Fixtures") else {
            throw Missing(name: name)
        }
        return try String(contentsOf: url, encoding: .utf8)
    }

    static func level(_ letter: Substring) throws -> QRCode.ErrorCorrection {
        switch letter {
        case "L": .low
        case "M": .medium
        case "Q": .quartile
        case "H": .high
        default: throw Missing(name: String(letter))
        }
    }

    /// The text that fills a symbol, as the fixtures' README says.
    static func filling(_ mode: Payload.Mode, version: Int, count: Int) -> [UInt8] {
        let punctuation = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ $%*+-./:".utf8)
        return (0..<count).map { index in
            switch mode {
            case .byte: UInt8(0x61 + (7 * index + version) % 26)
            case .alphanumeric: punctuation[(11 * index + version) % 35]
            }
        }
    }
}

extension QRCode {
    /// The rows, `#` for dark and `.` for light.
    var rows: [[UInt8]] {
        (0..<size).map { row in (0..<size).map { self[row, $0] ? 0x23 : 0x2E } }
    }

    /// FNV-1a, 64 bits, of the rows.
    var checksum: UInt64 {
        rows.joined().reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
    }
}
