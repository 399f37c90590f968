import Encodings
import Testing

@testable import EllipticCurves

@Suite("Field and points of edwards25519")
struct Edwards25519Tests {
    private func number(_ hex: String) throws -> Words256 { Words256(bigEndian: try Fixture.bytes(hex)) }

    @Test("Field operations are Python's")
    func field() throws {
        let lines = try Fixture.lines("field-25519.txt")
        #expect(lines.count == 128)
        for line in lines {
            let values = try line.map { try number($0) }
            let a = try #require(Field25519(canonical: values[0]))
            let b = try #require(Field25519(canonical: values[1]))
            #expect((a + b).number == values[2])
            #expect((a - b).number == values[3])
            #expect((a * b).number == values[4])
            #expect(a.inverse().number == values[5])
            #expect((a + b.negated()).number == values[3])
            #expect(a.isOdd == (values[0].w0 & 1 == 1))
        }
    }

    @Test("Numbers from the prime on are not canonical, and count modulo the prime all the same")
    func unreduced() throws {
        let prime = try number("7fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffed")
        for small in UInt64(0)..<40 {
            for count in 1...2 {
                var (words, carry) = (Words256(small, 0, 0, 0), UInt64(0))
                for _ in 0..<count { (words, carry) = words.adding(prime) }
                guard carry == 0 else { continue }
                #expect(Field25519(canonical: words) == nil)
                #expect(Field25519(words).number == Words256(small, 0, 0, 0))
                #expect((Field25519(words) - Field25519(Words256(small, 0, 0, 0))).isZero)
            }
        }
        let most = Field25519(Words256(~0, ~0, ~0, ~0))
        #expect(most.number == Words256(37, 0, 0, 0))
        #expect((most + most).number == Words256(74, 0, 0, 0))
        #expect((most * most).number == Words256(37 * 37, 0, 0, 0))
        #expect((most - Field25519(Words256(38, 0, 0, 0))) == Field25519.one.negated())
        #expect((Field25519.zero - most) == Field25519(Words256(37, 0, 0, 0)).negated())
    }

    @Test("Multiples of the base point are Python's")
    func multiples() throws {
        for line in try Fixture.lines("multiples-25519.txt") {
            let factor = try number(line[0])
            let compressed = Words256(littleEndian: try Fixture.bytes(line[1]), at: 0)
            #expect(EdwardsPoint.sum(factor, .generator, .zero, .generator).compressed == compressed)
            #expect(EdwardsPoint.sum(.zero, .generator, factor, .generator).compressed == compressed)
            let point = try #require(EdwardsPoint(compressed: compressed))
            #expect(point.compressed == compressed)
            #expect(!point.hasSmallOrder)
            #expect((point + point.negated()).compressed == EdwardsPoint.neutral.compressed)
            #expect((point + point).compressed == point.doubled().compressed)
            #expect((point + .neutral).compressed == compressed)
        }
    }

    @Test("The neutral element is of small order, and has one spelling")
    func neutral() {
        #expect(EdwardsPoint.neutral.compressed == Words256(1, 0, 0, 0))
        #expect(EdwardsPoint.neutral.hasSmallOrder)
        #expect(EdwardsPoint(compressed: Words256(1, 0, 0, 0))?.hasSmallOrder == true)
        #expect(EdwardsPoint(compressed: Words256(1, 0, 0, 1 << 63)) == nil)
        #expect(EdwardsPoint(compressed: Words256(0xffff_ffff_ffff_ffee, ~0, ~0, ~0 >> 1)) == nil)
    }

    @Test("A y from the prime on is no point's, though the smaller y may be")
    func nonCanonical() {
        var points = 0
        for small in UInt64(0)..<19 {
            if EdwardsPoint(compressed: Words256(small, 0, 0, 0)) != nil { points += 1 }
            #expect(EdwardsPoint(compressed: Words256(0xffff_ffff_ffff_ffed + small, ~0, ~0, ~0 >> 1)) == nil)
        }
        #expect(points > 5)
    }
}
