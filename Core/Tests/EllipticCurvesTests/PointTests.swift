import Encodings
import Testing

@testable import EllipticCurves

@Suite("Points of P-256")
struct PointTests {
    typealias Point = JacobianPoint<P256.Curve>

    struct Multiple {
        let factor: Words256
        let point: Bytes

        static func all() throws -> [Multiple] {
            try Fixture.lines("multiples.txt").map {
                Multiple(
                    factor: Words256(bigEndian: try Fixture.bytes($0[0])),
                    point: try Fixture.bytes("04" + $0[1] + $0[2])
                )
            }
        }
    }

    private func encoded(_ point: Point) -> Bytes {
        guard let (x, y) = point.affine else { return [0] }
        return [4] + x.bigEndian + y.bigEndian
    }

    @Test("Multiples of the base point are OpenSSL's")
    func multiples() throws {
        let generator = Point(P256.Curve.generator)
        for (index, multiple) in try Multiple.all().enumerated() {
            #expect(encoded(.sum(multiple.factor, generator, .zero, generator)) == multiple.point)
            if index % 4 == 0 {
                #expect(encoded(.sum(.zero, generator, multiple.factor, generator)) == multiple.point)
            }
            #expect(P256.isOnCurve(publicKey: multiple.point))
        }
    }

    @Test("a·G + b·Q is (a + b·q)·G")
    func doubleMultiplication() throws {
        let generator = Point(P256.Curve.generator)
        let multiples = try Multiple.all()
        for (index, multiple) in multiples.enumerated() where index % 3 == 0 {
            let point = Point(try #require(AffinePoint<P256.Curve>(uncompressed: multiple.point)))
            let a = multiples[(index * 7 + 3) % multiples.count].factor
            let b = multiples[(index * 5 + 1) % multiples.count].factor
            let q = P256.Scalar(reducing: multiple.factor)
            let total = P256.Scalar(reducing: a) + P256.Scalar(reducing: b) * q
            let expected = encoded(.sum(total.number, generator, .zero, generator))
            #expect(encoded(.sum(a, generator, b, point)) == expected)
        }
    }

    @Test("Adding meets every exceptional case: infinity, the same point, the opposite point")
    func exceptionalCases() {
        let generator = Point(P256.Curve.generator)
        // The same point with another Z.
        let again = generator.doubled() + generator.negated()
        #expect((Point.infinity + Point.infinity).isInfinity)
        #expect(Point.infinity.doubled().isInfinity)
        #expect(encoded(generator + .infinity) == encoded(generator))
        #expect(encoded(.infinity + generator) == encoded(generator))
        #expect(encoded(again) == encoded(generator))
        #expect(encoded(generator + again) == encoded(generator.doubled()))
        #expect((again + generator.negated()).isInfinity)
        #expect((generator + again.negated()).isInfinity)
        #expect(Point.sum(P256.Order.words, generator, .zero, generator).isInfinity)
        #expect(!Point.infinity.hasX(.one))
        #expect(!Point.infinity.hasX(.zero))
    }

    @Test("A point off the curve, out of range, compressed, hybrid or at infinity is no public key")
    func notOnCurve() throws {
        let generator = P256.Curve.generator.uncompressed
        #expect(P256.isOnCurve(publicKey: generator))
        var wrongY = generator
        wrongY[64] ^= 1
        let prime = P256.Prime.words.bigEndian
        let x = Array(generator[1..<33])
        let y = Array(generator[33..<65])
        let refused: [Bytes] = [
            wrongY, [4] + y + x, [4] + prime + y, [4] + x + prime, [4] + Bytes(repeating: 0, count: 64),
            [4] + Bytes(repeating: 0xFF, count: 64), [6] + x + y, [7] + x + y, [3] + x, [2] + x, [0], [],
            [0] + x + y, generator + [0], Array(generator.dropLast()),
        ]
        for key in refused { #expect(!P256.isOnCurve(publicKey: key)) }
    }

    @Test("A coordinate written with the prime added is refused, though it means the same")
    func notReduced() throws {
        // x = 5 is on the curve: b and 110 + b has a root; the twin x = p + 5 still fits 256 bits.
        let five = try Fixture.bytes(
            "04" + "0000000000000000000000000000000000000000000000000000000000000005"
                + "459243b9aa581806fe913bce99817ade11ca503c64d9a3c533415c083248fbcc"
        )
        #expect(P256.isOnCurve(publicKey: five))
        let twin = P256.Prime.words.adding(Words256(5, 0, 0, 0))
        #expect(twin.carry == 0)
        #expect(!P256.isOnCurve(publicKey: [4] + twin.sum.bigEndian + five[33..<65]))
    }
}
