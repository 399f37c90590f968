import Encodings
import Testing

@testable import EllipticCurves

@Suite("Field arithmetic")
struct FieldTests {
    @Test("Sums, differences, products and inverses are those of Python's integers", arguments: ["p", "n"])
    func knownAnswers(modulus: String) throws {
        let lines = try Fixture.lines("field.txt").filter { $0[0] == modulus }
        #expect(lines.count > 80)
        for line in lines {
            let numbers = try line.dropFirst().map(Fixture.bytes)
            if modulus == "p" {
                try check(P256.Field.self, numbers)
            } else {
                try check(P256.Scalar.self, numbers)
            }
        }
    }

    @Test("So they are for the other curves", arguments: ["secp192r1", "secp384r1", "secp521r1", "secp192k1"])
    func otherCurves(curve: String) throws {
        let lines = try Fixture.lines("fields.txt").filter { $0[0] == curve }
        #expect(lines.count == 82)
        for line in lines {
            let numbers = try line.dropFirst(2).map(Fixture.bytes)
            switch (curve, line[1]) {
            case ("secp192r1", "p"): try check(P192.Field.self, numbers)
            case ("secp192r1", _): try check(P192.Scalar.self, numbers)
            case ("secp384r1", "p"): try check(P384.Field.self, numbers)
            case ("secp384r1", _): try check(P384.Scalar.self, numbers)
            case ("secp521r1", "p"): try check(P521.Field.self, numbers)
            case ("secp521r1", _): try check(P521.Scalar.self, numbers)
            case (_, "p"): try check(Secp192k1.Field.self, numbers)
            default: try check(Secp192k1.Scalar.self, numbers)
            }
        }
    }

    private func check<Field: PrimeField>(_: Field.Type, _ numbers: [Bytes]) throws {
        let a = try #require(Field(bigEndian: numbers[0], at: 0))
        let b = try #require(Field(bigEndian: numbers[1], at: 0))
        #expect(a.bigEndian == numbers[0])
        #expect((a + b).bigEndian == numbers[2])
        #expect((a - b).bigEndian == numbers[3])
        #expect((a * b).bigEndian == numbers[4])
        #expect(a.inverse().bigEndian == numbers[5])
        #expect(a.squared() == a * a)
        #expect(a.doubled() == a + a)
        #expect(a + a.negated() == .zero)
        #expect(b.squared() == b * b)
        #expect(a.isZero == (a == .zero))
        #expect(a.zeroMask.bits == (a == .zero ? ~0 : 0))
        #expect(a.replaced(by: b, where: Mask(bit: 1)) == b)
        #expect(a.replaced(by: b, where: Mask(bit: 0)) == a)
        #expect(Field(a.number) == a)
        #expect(a.isZero || a * a.inverse() == .one)
    }

    @Test("The modulus and everything above are no elements")
    func tooLarge() {
        let largest = Words256(~0, ~0, ~0, ~0)
        #expect(P256.Field(P256.Prime.words) == nil)
        #expect(P256.Field(largest) == nil)
        #expect(P256.Scalar(P256.Order.words) == nil)
        #expect(P256.Scalar(largest) == nil)
        #expect(P256.Scalar(reducing: P256.Order.words) == .zero)
        #expect(P521.Field(Mersenne521.prime) == nil)
        #expect(P521.Field(bigEndian: Bytes(repeating: 0xFF, count: 66)) == nil)
        #expect(P521.Scalar(P521.Order.words) == nil)
        #expect(P192.Field(P192.Prime.words) == nil)
        #expect(Secp192k1.Scalar(Secp192k1.Order.words) == nil)
        #expect(P384.Field(P384.Prime.words) == nil)
        #expect(P256.Field(reducing: P256.Prime.words.adding(Words256(1, 0, 0, 0)).sum) == .one)
    }

    @Test("The constants of Montgomery's method belong to the moduli")
    func constants() {
        check(P192.Prime.self)
        check(P192.Order.self)
        check(P256.Prime.self)
        check(P256.Order.self)
        check(P384.Prime.self)
        check(P384.Order.self)
        check(P521.Order.self)
        check(Secp192k1.Prime.self)
        check(Secp192k1.Order.self)
    }

    private func check<Modulus: PrimeModulus>(_: Modulus.Type) {
        let width = 64 * Modulus.Number.wordCount
        #expect(Modulus.words[0] &* Modulus.negatedInverse == ~0)
        #expect(Modulus.words.shiftedRight(by: 1).bits(at: Modulus.bitCount - 2, count: 7) == 1)
        #expect(Montgomery<Modulus>.one.number == Modulus.Number(1))
        // R by doubling one as often as it has bits.
        var power = Montgomery<Modulus>.one
        for _ in 0..<width { power = power.doubled() }
        #expect(power.number == Modulus.r)
        #expect((power * power).number == Modulus.rSquared)
    }

    @Test("Non-adjacent digits add up to the scalar", arguments: ["p", "n"])
    func digits(modulus: String) throws {
        for line in try Fixture.lines("field.txt") where line[0] == modulus {
            let scalar = Words256(bigEndian: try Fixture.bytes(line[1]))
            let digits = nonAdjacentForm(scalar)
            var sum = P256.Field.zero
            for digit in digits.reversed() {
                sum = sum.doubled()
                for _ in 0..<digit.magnitude { sum = digit > 0 ? sum + .one : sum - .one }
                #expect(digit == 0 || (digit % 2 != 0 && digit.magnitude <= 15))
            }
            #expect(sum == P256.Field(reducing: scalar))
        }
    }
}
