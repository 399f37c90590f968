import Testing

@testable import QRCodes

@Suite("Beside libqrencode")
struct IndependentEncoderTests {
    struct Filled {
        let mode: Payload.Mode
        let version: Int
        let level: QRCode.ErrorCorrection
        let count: Int
        let mask: Int
        let checksum: UInt64

        static func all() throws -> [Filled] {
            try Fixture.text("libqrencode.txt").split(separator: "\n").map { line in
                let fields = line.split(separator: " ")
                return Filled(
                    mode: fields[0] == "byte" ? .byte : .alphanumeric,
                    version: try #require(Int(fields[1])),
                    level: try Fixture.level(fields[2]),
                    count: try #require(Int(fields[3])),
                    mask: try #require(Int(fields[4])),
                    checksum: try #require(UInt64(fields[5], radix: 16))
                )
            }
        }
    }

    @Test("Every version and level, filled to the last byte, is the same module by module")
    func filledSymbols() throws {
        let symbols = try Filled.all()
        #expect(symbols.count == 196)
        for symbol in symbols {
            let text = Fixture.filling(symbol.mode, version: symbol.version, count: symbol.count)
            let code = try QRCode(
                encoding: text,
                errorCorrection: symbol.level,
                minimumVersion: symbol.version,
                mask: symbol.mask
            )
            #expect(code.version == symbol.version, "\(symbol)")
            #expect(code.checksum == symbol.checksum, "\(symbol)")
        }
    }

    @Test("One character more takes the next version, and beyond version 40 there is none")
    func oneMore() throws {
        for symbol in try Filled.all() {
            let payload = Payload(Fixture.filling(symbol.mode, version: symbol.version, count: symbol.count + 1))
            let next = Version.smallest(from: 1, holding: payload, symbol.level)
            #expect(next?.number == (symbol.version < 40 ? symbol.version + 1 : nil), "\(symbol)")
        }
    }

    @Test("Whole symbols are the same row by row, in the version that we choose ourselves")
    func wholeSymbols() throws {
        let lines = try Fixture.text("modules.txt").split(separator: "\n")
        let starts = lines.indices.filter { lines[$0].hasPrefix(">") }
        #expect(starts.count == 5)
        for start in starts {
            let fields = lines[start].split(separator: " ", maxSplits: 3)
            let mask = try #require(Int(fields[2]))
            let code = try QRCode(
                encoding: Array(fields[3].utf8),
                errorCorrection: try Fixture.level(fields[1]),
                minimumVersion: 1,
                mask: mask
            )
            let expected = lines[(start + 1)..<(start + 1 + code.size)].map { Array($0.utf8) }
            #expect(code.rows == expected, "\(fields[3])")
        }
    }

    @Test("Too long is an error, at every level", arguments: QRCode.ErrorCorrection.allCases)
    func tooLong(level: QRCode.ErrorCorrection) {
        #expect(throws: QRCodeError.tooLong) {
            try QRCode(encoding: [UInt8](repeating: 0x61, count: 2_954), errorCorrection: level)
        }
        #expect(throws: QRCodeError.tooLong) {
            try QRCode(encoding: [UInt8](repeating: 0x41, count: 1 << 20), errorCorrection: level)
        }
    }
}
