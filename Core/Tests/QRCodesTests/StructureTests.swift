import Testing

@testable import QRCodes

@Suite("Structure of the symbol")
struct StructureTests {
    /// Powers of two in the field, made without `ReedSolomon`.
    private static let powers: [UInt8] = {
        var powers: [UInt8] = [1]
        while powers.count < 255 {
            let last = Int(powers[powers.count - 1]) << 1
            powers.append(UInt8(last > 255 ? last ^ 0x11D : last))
        }
        return powers
    }()

    private static let exponents: [Int] = (0...255).map { value in powers.firstIndex { $0 == UInt8(value) } ?? 0 }

    /// Whether a block, read as a polynomial, has the root 2^power: every undamaged block has.
    private static func hasRoot(_ block: [UInt8], power: Int) -> Bool {
        var sum: UInt8 = 0
        for byte in block {
            // Horner's rule.
            if sum != 0 { sum = powers[(exponents[Int(sum)] + power) % 255] }
            sum ^= byte
        }
        return sum == 0
    }

    @Test("Codes of every version and level read back: format, error correction and text", arguments: 1...40)
    func readBack(version: Int) throws {
        for level in QRCode.ErrorCorrection.allCases {
            let text = Array("version \(version), \(level)".utf8.prefix(version == 1 ? 7 : 14))
            let code = try QRCode(encoding: text, errorCorrection: level, minimumVersion: version, mask: version % 8)
            #expect(code.version == version)
            #expect(code.size == 17 + 4 * version)
            let read = try SymbolReader(code)
            #expect(read.level == level)
            #expect(read.mask == version % 8)
            #expect(read.text == text)
            for block in read.blocks {
                let layout = BlockLayout(Version(number: version), level)
                #expect((0..<layout.correctionCount).allSatisfy { Self.hasRoot(block, power: $0) })
            }
        }
    }

    @Test("Bytes of every value and texts of every length read back")
    func texts() throws {
        let all = (0...255).map { UInt8($0) }
        #expect(try SymbolReader(QRCode(encoding: all)).text == all)
        #expect(try SymbolReader(QRCode(encoding: [])).text == [])
        let mixed = Array("HTTPS://EXAMPLE.ORG/A-B.C:8080 $%*+ 0123456789".utf8)
        for count in 0...mixed.count {
            let prefix = Array(mixed.prefix(count))
            #expect(try SymbolReader(QRCode(encoding: prefix)).text == prefix)
        }
    }

    @Test("Capital letters and digits take the denser mode, anything else takes bytes")
    func modes() {
        #expect(Payload(Array("AC-42".utf8)).mode == .alphanumeric)
        #expect(Payload(Array("AC-42!".utf8)).mode == .byte)
        #expect(Payload(Array("ac-42".utf8)).mode == .byte)
        #expect(Payload([]).mode == .byte)
        // The standard's example (section 7.4.4): AC-42 at version 1.
        let expected: [UInt8] = [0b0010_0000, 0b0010_1001, 0b1100_1110, 0b1110_0111, 0b0010_0001, 0b0000_0000]
        let codewords = Payload(Array("AC-42".utf8)).codewords(Version(number: 1), count: 9)
        #expect(codewords == expected + [0xEC, 0x11, 0xEC])
    }

    @Test("Three corners have finders, the fourth has none, and timing runs between", arguments: [1, 2, 7, 22, 32, 40])
    func functionPatterns(version: Int) throws {
        let finder = ["#######.", "#.....#.", "#.###.#.", "#.###.#.", "#.###.#.", "#.....#.", "#######.", "........"]
        for mask in 0..<8 {
            let code = try QRCode(
                encoding: [0x31],
                errorCorrection: .medium,
                minimumVersion: version,
                mask: mask
            )
            let last = code.size - 1
            for row in 0..<8 {
                for (column, character) in finder[row].utf8.enumerated() {
                    let isDark = character == 0x23
                    #expect(code[row, column] == isDark)
                    #expect(code[row, last - column] == isDark)
                    #expect(code[last - row, column] == isDark)
                }
            }
            for index in 8..<code.size - 8 {
                #expect(code[6, index] == (index % 2 == 0))
                #expect(code[index, 6] == (index % 2 == 0))
            }
            #expect(code[code.size - 8, 8])
            #expect(!code[-1, 0] && !code[0, -1] && !code[code.size, 0] && !code[0, code.size])
        }
    }

    @Test("Format and version bits are those of the standard's tables")
    func information() {
        // Annex C: level medium with mask 5; annex D: version 7; then the first and last rows of the tables.
        #expect(InformationBits.format(.medium, mask: 5) == 0b100_0000_1100_1110)
        #expect(InformationBits.format(.medium, mask: 0) == 0x5412)
        #expect(InformationBits.format(.low, mask: 0) == 0x77C4)
        #expect(InformationBits.format(.quartile, mask: 7) == 0x2BED)
        #expect(InformationBits.version(Version(number: 7)) == 0x07C94)
        #expect(InformationBits.version(Version(number: 40)) == 0x28C69)
    }

    @Test("Alignment patterns stand where annex E says")
    func alignment() {
        #expect(Version(number: 1).alignmentCentres == [])
        #expect(Version(number: 2).alignmentCentres == [6, 18])
        #expect(Version(number: 7).alignmentCentres == [6, 22, 38])
        #expect(Version(number: 15).alignmentCentres == [6, 26, 48, 70])
        #expect(Version(number: 32).alignmentCentres == [6, 34, 60, 86, 112, 138])
        #expect(Version(number: 36).alignmentCentres == [6, 24, 50, 76, 102, 128, 154])
        #expect(Version(number: 40).alignmentCentres == [6, 30, 58, 86, 114, 142, 170])
    }

    @Test("The mask with the least penalty is taken")
    func leastPenalty() throws {
        let text = Array("https://localhost:8080/i/8Zk3vQ".utf8)
        var matrix = Matrix(Version(number: 3))
        let blocks = BlockLayout(matrix.version, .medium)
        matrix.place(blocks.interleaved(Payload(text).codewords(matrix.version, count: blocks.dataCount)))
        let penalties = (0..<8).map { matrix.masked(with: $0, .medium).matrix.penalty }
        let code = try QRCode(encoding: text)
        #expect(code.version == 3)
        #expect(penalties.min() == penalties[code.mask])
    }
}
