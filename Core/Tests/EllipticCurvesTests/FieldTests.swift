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
        #expect(a.isZero == (a == .zero))
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
        #expect(P256.Field(reducing: P256.Prime.words.adding(Words256(1, 0, 0, 0)).sum) == .one)
    }

    @Test("The constants of Montgomery's method belong to the moduli")
    func constants() {
        check(P256.Prime.self)
        check(P256.Order.self)
    }

    private func check<Modulus: Modulus256>(_: Modulus.Type) {
        #expect(Modulus.words.w0 &* Modulus.negatedInverse == ~0)
        #expect(Montgomery256<Modulus>.one.number == Words256(1, 0, 0, 0))
        // 2^256 by doubling one 256 times.
        var power = Montgomery256<Modulus>.one
        for _ in 0..<256 { power = power.doubled() }
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
