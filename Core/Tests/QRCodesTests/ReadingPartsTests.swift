import Testing

@testable import QRCodes

@Suite("Parts of the reading of codes")
struct ReadingPartsTests {
    @Test("As many wrong codewords as the correction allows are put right, and one more is noticed")
    func corrections() throws {
        let decoder = ReedSolomonDecoder()
        var random = TestRandom(seed: 7)
        for (dataCount, correctionCount) in [(19, 7), (16, 10), (13, 13), (9, 17), (68, 18), (120, 30), (225, 30)] {
            var data = (0..<dataCount).map { _ in UInt8.random(in: 0...255, using: &random) }
            data += ReedSolomon.remainder(data, ReedSolomon.generator(degree: correctionCount))
            for errorCount in 0...correctionCount / 2 {
                var wrong = data
                for place in wrong.indices.shuffled(using: &random).prefix(errorCount) {
                    wrong[place] ^= UInt8.random(in: 1...255, using: &random)
                }
                let right = decoder.corrected(wrong, correctionCount: correctionCount, most: correctionCount / 2)
                #expect(right?.block == data)
                #expect(right?.errorCount == errorCount)
                let fewer = decoder.corrected(wrong, correctionCount: correctionCount, most: max(0, errorCount - 1))
                #expect(errorCount == 0 || fewer == nil)
            }
        }
    }

    @Test("Arbitrary blocks never trap and never give a block that is no codeword")
    func arbitraryBlocks() {
        let decoder = ReedSolomonDecoder()
        var random = TestRandom(seed: 11)
        for _ in 0..<2_000 {
            let correctionCount = Int.random(in: 2...30, using: &random)
            let block = (0..<Int.random(in: correctionCount + 1...255, using: &random)).map { _ in
                UInt8.random(in: 0...255, using: &random)
            }
            guard let found = decoder.corrected(block, correctionCount: correctionCount, most: correctionCount / 2)
            else { continue }
            let generator = ReedSolomon.generator(degree: correctionCount)
            let data = Array(found.block.dropLast(correctionCount))
            #expect(ReedSolomon.remainder(data, generator) == Array(found.block.suffix(correctionCount)))
        }
    }

    @Test("Every mode is read")
    func modes() throws {
        let one = Version(number: 1)
        func bytes(_ bits: String) throws -> [UInt8] {
            try SymbolContent.parts(Self.codewords(bits), one).flatMap(\.bytes)
        }
        // The examples of ISO/IEC 18004, sections 7.4.3 to 7.4.6.
        #expect(try bytes("0001 0000001000 0000001100 0101011001 1000011 0000") == Array("01234567".utf8))
        #expect(try bytes("0010 000000101 00111001110 11100111001 000010 0000") == Array("AC-42".utf8))
        #expect(try bytes("1000 00000010 0110110011111 1101010101010 0000") == [0x93, 0x5F, 0xE4, 0xAA])
        #expect(try bytes("0100 00000010 11000011 10100100 0000") == [0xC3, 0xA4])
        // FNC1: a per cent sign alone is the separator, doubled it is itself.
        #expect(try bytes("0101 0010 000000011 \(Self.pair(38, 10)) 100110 0000") == [0x1D, 0x41, 0x1D])
        #expect(try bytes("1001 00001111 0010 000000010 \(Self.pair(38, 38)) 0000") == [0x25])
        #expect(try bytes("") == [])
    }

    @Test("Character sets part the content")
    func characterSets() throws {
        let bits = "0100 00000001 01000001 0111 00011010 0100 00000001 01000010 1000 00000001 0110110011111 0000"
        let parts = try SymbolContent.parts(Self.codewords(bits), Version(number: 1))
        #expect(parts.map(\.characterSet) == [.unsaid, .interpretation(26), .shiftJIS])
        #expect(parts.map(\.bytes) == [[0x41], [0x42], [0x93, 0x5F]])
        for (number, designator) in [(899, "10000011 10000011"), (811_799, "11001100 01100011 00010111")] {
            let bits = "0111 \(designator) 0100 00000001 01000001 0000"
            let parts = try SymbolContent.parts(Self.codewords(bits), Version(number: 1))
            #expect(parts.map(\.characterSet) == [.interpretation(number)])
        }
    }

    @Test("Content that breaks the standard is named")
    func malformed() {
        let cases: [(String, QRReadingError)] = [
            ("0011 0001 0011 00000000", .partOfSeveral(position: 2, count: 4)),
            ("0001 0000000011 1111101000", .malformed),
            ("0001 0000000010 1100100", .malformed),
            ("0001 0000000001 1010", .malformed),
            ("0010 000000010 11111111111", .malformed),
            ("0010 000000001 101101", .malformed),
            ("0100 11111111 01000001", .malformed),
            ("1000 11111111 01000001", .malformed),
            ("0111 11111111 01000001", .malformed),
            ("0110 00000000", .malformed),
            ("1111 11111111", .malformed),
        ]
        for (bits, expected) in cases {
            #expect(throws: expected, "\(bits)") { try SymbolContent.parts(Self.codewords(bits), Version(number: 1)) }
        }
    }

    @Test("Arbitrary content never traps")
    func arbitraryContent() {
        var random = TestRandom(seed: 3)
        for _ in 0..<5_000 {
            let count = Int.random(in: 0...80, using: &random)
            let data = (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
            _ = try? SymbolContent.parts(data, Version(number: Int.random(in: 1...40, using: &random)))
        }
    }

    private static func pair(_ first: Int, _ second: Int) -> String {
        let bits = String(45 * first + second, radix: 2)
        return String(repeating: "0", count: 11 - bits.count) + bits
    }

    private static func codewords(_ bits: String) -> [UInt8] {
        let digits = Array(bits.utf8.filter { $0 != 0x20 })
        return stride(from: 0, to: digits.count, by: 8).map { start in
            (start..<start + 8).reduce(0) { $0 << 1 | ($1 < digits.count && digits[$1] == 0x31 ? 1 : 0) }
        }
    }
}
