import EllipticCurves
import Encodings
import Testing

@testable import EllipticCurves

@Suite("Multiplication of points by secrets")
struct MultiplicationTests {
    @Test("Multiples of the base point are those of Python's integers", arguments: EllipticCurve.allCases)
    func multiples(curve: EllipticCurve) throws {
        let lines = try Fixture.lines("multiples-curves.txt").filter { $0[0] == "\(curve.name)" }
        #expect(lines.count == 25)
        let none = Bytes(repeating: 0, count: curve.byteCount)
        let one = Array(none.dropLast()) + [1]
        for line in lines {
            let numbers = try line.dropFirst().map(Fixture.bytes)
            let expected = [4] + numbers[1] + numbers[2]
            let generator = try #require(curve.publicPoint(of: one))
            #expect(curve.publicPoint(of: numbers[0]) == expected)
            #expect(curve.product(numbers[0], generator) == expected)
            #expect(curve.publicSum(numbers[0], none, generator) == expected)
            #expect(curve.publicSum(none, numbers[0], generator) == expected)
        }
    }

    @Test("Multiples of other points are those of Python's slow affine formulas", arguments: EllipticCurve.allCases)
    func products(curve: EllipticCurve) throws {
        let lines = try Fixture.lines("products.txt").filter { $0[0] == "\(curve.name)" }
        #expect(lines.count == 12)
        for line in lines {
            let bytes = try line.dropFirst().map(Fixture.bytes)
            #expect(curve.product(bytes[0], bytes[1]) == bytes[2])
            #expect(curve.publicSum(bytes[3], bytes[0], bytes[1]) == bytes[4])
        }
    }

    @Test("Random keys: both multiplications with secrets and the public one agree", arguments: EllipticCurve.allCases)
    func random(curve: EllipticCurve) throws {
        var random = SeededNumbers(18)
        for _ in 0..<20 {
            let key = try ECPrivateKey.generate(on: curve) { random.bytes($0) }
            let peer = try ECPrivateKey.generate(on: curve) { random.bytes($0) }
            let none = Bytes(repeating: 0, count: curve.byteCount)
            let product = curve.product(key.secretScalar, peer.publicKey.x963)
            #expect(product == curve.product(peer.secretScalar, key.publicKey.x963))
            #expect(product == curve.publicSum(none, key.secretScalar, peer.publicKey.x963))
        }
    }

    @Test("The complete formulas meet every exceptional case", arguments: EllipticCurve.allCases)
    func exceptionalCases(curve: EllipticCurve) { curve.run(ExceptionalCases()) }

    private struct ExceptionalCases: CurveOperation {
        func run<Curve: ShortWeierstrassCurve>(on curve: Curve.Type) {
            typealias Point = ProjectivePoint<Curve>
            let generator = Curve.generator
            let one = Point(generator)
            let opposite = Point(x: one.x, y: one.y.negated(), z: one.z)
            let two = AffineReference<Curve>.product(Curve.Order.Number(2), (generator.x, generator.y))
            func isSame(_ point: Point, _ other: AffineReference<Curve>.Point?) -> Bool {
                guard let other else { return point.z.isZero && point.x.isZero && !point.y.isZero }
                return !point.z.isZero && point.affine.x == other.x && point.affine.y == other.y
            }
            #expect(isSame(.infinity + .infinity, nil))
            #expect(isSame(one + .infinity, (generator.x, generator.y)))
            #expect(isSame(.infinity + one, (generator.x, generator.y)))
            #expect(isSame(one + opposite, nil))
            #expect(isSame(one + one, two))
            // 0 and the order are no keys, and no formula fails on them all the same.
            for none in [Curve.Order.Number.zero, Curve.Order.words] {
                #expect(isSame(Curve.generatorMultiples.product(none), nil))
                #expect(isSame(Point.product(none, generator), nil))
            }
        }
    }

    @Test("Sums for points that differ take infinity on both sides", arguments: EllipticCurve.allCases)
    func distinctSums(curve: EllipticCurve) { curve.run(DistinctSums()) }

    private struct DistinctSums: CurveOperation {
        func run<Curve: ShortWeierstrassCurve>(on curve: Curve.Type) {
            typealias Point = JacobianPoint<Curve>
            let generator = Curve.generator
            let two = Point(generator).doubled()
            let three = AffineReference<Curve>.product(Curve.Order.Number(3), (generator.x, generator.y))
            func isSame(_ point: Point, _ other: AffineReference<Curve>.Point?) -> Bool {
                guard let own = point.affine, let other else { return point.affine == nil && other == nil }
                return own.x == other.x && own.y == other.y
            }
            let (never, always) = (Mask(bit: 0), Mask(bit: 1))
            #expect(isSame(.distinctSum(two, Point(generator)), three))
            #expect(isSame(.distinctSum(Point(generator), two), three))
            #expect(isSame(.distinctSum(two, .infinity), two.affine))
            #expect(isSame(.distinctSum(.infinity, two), two.affine))
            #expect(isSame(.distinctSum(.infinity, .infinity), nil))
            #expect(isSame(.distinctSum(two, generator, orLeftWhere: never), three))
            #expect(isSame(.distinctSum(two, generator, orLeftWhere: always), two.affine))
            #expect(isSame(.distinctSum(.infinity, generator, orLeftWhere: never), (generator.x, generator.y)))
            #expect(isSame(.distinctSum(.infinity, generator, orLeftWhere: always), nil))
        }
    }

    @Test(
        "The scalars next to 0 and to the order, where the last points can be the same",
        arguments: EllipticCurve.allCases)
    func outermost(curve: EllipticCurve) { curve.run(Outermost()) }

    private struct Outermost: CurveOperation {
        func run<Curve: ShortWeierstrassCurve>(on curve: Curve.Type) {
            let generator = Curve.generator
            let other = ProjectivePoint<Curve>.product(Curve.Order.Number(0x1_2345), generator).affine
            for small in UInt64(1)...32 {
                let number = Curve.Order.Number(small)
                let large = Curve.Order.words.subtracting(number).difference
                for point in [generator, other] {
                    let expected = AffineReference<Curve>.product(number, (point.x, point.y))
                    let low = ProjectivePoint.product(number, point).affine
                    let high = ProjectivePoint.product(large, point).affine
                    #expect(low.x == expected?.x && low.y == expected?.y)
                    #expect(high.x == expected?.x && high.y == expected?.y.negated(), "the order less \(small)")
                }
                let own = AffineReference<Curve>.product(number, (generator.x, generator.y))
                let low = Curve.generatorMultiples.product(number).affine
                let high = Curve.generatorMultiples.product(large).affine
                #expect(low.x == own?.x && low.y == own?.y && high.x == own?.x && high.y == own?.y.negated())
            }
        }
    }

    @Test("Signed digits add up to the scalar", arguments: EllipticCurve.allCases)
    func digits(curve: EllipticCurve) { curve.run(Digits()) }

    private struct Digits: CurveOperation {
        func run<Curve: ShortWeierstrassCurve>(on curve: Curve.Type) {
            var random = SeededNumbers(4)
            let last = Curve.Order.words.subtracting(Curve.Order.Number(1)).difference
            for number in [.zero, last] + (0..<20).map({ _ in random.number(of: curve) }) {
                let digits = SignedDigits(number, bitCount: Curve.Order.bitCount)
                #expect(digits.count == SignedDigits<Curve.Order.Number>.count(bitCount: Curve.Order.bitCount))
                var sum = Curve.Scalar.zero
                for position in (0..<digits.count).reversed() {
                    let (magnitude, negative) = digits.digit(position)
                    #expect(magnitude <= 8 && (negative.bits == 0 || negative.bits == ~0))
                    for _ in 0..<4 { sum = sum.doubled() }
                    for _ in 0..<magnitude { sum = negative.bits == 0 ? sum + .one : sum - .one }
                }
                #expect(sum == Curve.Scalar(reducing: number))
            }
        }
    }
}
