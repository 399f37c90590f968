import EllipticCurves
import Encodings
import Testing

@testable import EllipticCurves

@Suite("Keys on every curve")
struct KeyTests {
    private func key(_ curve: EllipticCurve) throws -> ECPrivateKey {
        var random = SeededNumbers(11)
        return try ECPrivateKey.generate(on: curve) { random.bytes($0) }
    }

    private func order(_ curve: EllipticCurve) -> Bytes { curve.run(OrderBytes()) }

    private struct OrderBytes: CurveOperation {
        func run<Curve: ShortWeierstrassCurve>(on curve: Curve.Type) -> Bytes {
            Curve.Order.words.bigEndian(byteCount: Curve.Scalar.byteCount)
        }
    }

    @Test(
        "A private key is between 1 and the order minus 1, and as long as the order", arguments: EllipticCurve.allCases)
    func range(curve: EllipticCurve) throws {
        let order = order(curve)
        var last = order
        last[last.count - 1] -= 1
        var above = order
        above[above.count - 1] += 1
        let none = Bytes(repeating: 0, count: order.count)
        let refused: [Bytes] = [
            none, order, above, Bytes(repeating: 0xFF, count: order.count), [], [1], Array(last.dropFirst()),
            [0] + last,
        ]
        for scalar in refused {
            #expect(throws: EllipticCurveError.scalarOutOfRange) { try ECPrivateKey(curve, scalar: scalar) }
        }
        var one = none
        one[one.count - 1] = 1
        let first = try ECPrivateKey(curve, scalar: one).publicKey.x963
        let opposite = try ECPrivateKey(curve, scalar: last).publicKey.x963
        #expect(first[0...curve.byteCount] == opposite[0...curve.byteCount])
        #expect(first != opposite)
    }

    @Test(
        "A new key is the first number in range; a broken source of randomness gives none",
        arguments: EllipticCurve.allCases)
    func generation(curve: EllipticCurve) throws {
        var one = Bytes(repeating: 0, count: curve.byteCount)
        one[one.count - 1] = 1
        var answers = [one, Bytes(repeating: 0, count: curve.byteCount), order(curve)]
        let key = try ECPrivateKey.generate(on: curve) { count in
            #expect(count == curve.byteCount)
            return answers.removeLast()
        }
        #expect(key.secretScalar == one)
        #expect(answers.isEmpty)
        var asked = 0
        #expect(throws: EllipticCurveError.badRandomness) {
            try ECPrivateKey.generate(on: curve) { count in
                asked += 1
                return Bytes(repeating: 0, count: count)
            }
        }
        #expect(asked == 64)
        for wrong in [0, curve.byteCount - 1, curve.byteCount + 1] {
            #expect(throws: EllipticCurveError.badRandomness) {
                try ECPrivateKey.generate(on: curve) { _ in Bytes(repeating: 1, count: wrong) }
            }
        }
    }

    @Test("The bits above P-521's order are cleared, not refused")
    func topBits() throws {
        let key = try ECPrivateKey.generate(on: .p521) { [0xFE] + Bytes(repeating: 0x11, count: $0 - 1) }
        #expect(key.secretScalar[0] == 0)
        #expect(key.secretScalar[1] == 0x11)
    }

    @Test("What is written as SubjectPublicKeyInfo is read again", arguments: EllipticCurve.allCases)
    func roundTrip(curve: EllipticCurve) throws {
        let key = try key(curve).publicKey
        #expect(try ECPublicKey(spki: key.spki) == key)
        let prefixes: [EllipticCurve: String] = [
            .p192: "3049301306072a8648ce3d020106082a8648ce3d03010103320004",
            .p256: "3059301306072a8648ce3d020106082a8648ce3d03010703420004",
            .p384: "3076301006072a8648ce3d020106052b8104002203620004",
            .p521: "30819b301006072a8648ce3d020106052b810400230381860004",
            .secp192k1: "3046301006072a8648ce3d020106052b8104001f0332000" + "4",
        ]
        let prefix = try Fixture.bytes(try #require(prefixes[curve]))
        #expect(Array(key.spki.prefix(prefix.count)) == prefix)
        #expect(key.spki.count == prefix.count + 2 * curve.byteCount)
    }

    @Test("Other spellings of a key are refused, each with its reason", arguments: EllipticCurve.allCases)
    func spellings(curve: EllipticCurve) throws {
        let key = try key(curve).publicKey
        let (x, y) = (Array(key.x963[1...curve.byteCount]), Array(key.x963[(1 + curve.byteCount)...]))
        let algorithm: Bytes = [0x2A, 0x86, 0x48, 0xCE, 0x3D, 2, 1]
        func spki(_ algorithm: Bytes, _ parameters: Bytes, _ point: Bytes, unused: UInt8 = 0) -> Bytes {
            DERWriter.sequence(
                DERWriter.sequence(DERWriter.objectIdentifier(algorithm) + parameters)
                    + DERWriter.bitString(point, unused: unused))
        }
        let named = DERWriter.objectIdentifier(curve.objectIdentifier)
        #expect(spki(algorithm, named, key.x963) == key.spki)
        let wrongY = Array(y.dropLast()) + [y[y.count - 1] ^ 1]
        let ones = Bytes(repeating: 0xFF, count: curve.byteCount)
        let refused: [(Bytes, EllipticCurveError)] = [
            ([], .malformedKey), (Array(key.spki.dropLast()), .malformedKey), (key.spki + [0], .malformedKey),
            (spki(algorithm, named, key.x963 + [0]), .malformedKey),
            (spki(algorithm, named, Array(key.x963.dropLast())), .malformedKey),
            (spki(algorithm, named, []), .malformedKey),
            (spki(algorithm, named, key.x963, unused: 1), .malformedKey),
            (spki(algorithm, named + [5, 0], key.x963), .malformedKey), (spki(algorithm, [], key.x963), .malformedKey),
            (spki(algorithm, [5, 0], key.x963), .malformedKey),
            (spki(algorithm, DERWriter.sequence([2, 1, 1]), key.x963), .unsupportedCurve),
            (spki([0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 1, 1, 1], named, key.x963), .unsupportedCurve),
            // secp256k1.
            (spki(algorithm, DERWriter.objectIdentifier([0x2B, 0x81, 4, 0, 0x0A]), key.x963), .unsupportedCurve),
            (spki(algorithm, named, [2] + x), .notOnCurve), (spki(algorithm, named, [3] + x), .notOnCurve),
            (spki(algorithm, named, [0]), .notOnCurve), (spki(algorithm, named, [6] + x + y), .notOnCurve),
            (spki(algorithm, named, [4] + y + x), .notOnCurve), (spki(algorithm, named, [4] + x + wrongY), .notOnCurve),
            (spki(algorithm, named, [4] + ones + y), .notOnCurve),
            (spki(algorithm, named, [4] + x + ones), .notOnCurve),
            (spki(algorithm, named, [4] + Bytes(repeating: 0, count: 2 * curve.byteCount)), .notOnCurve),
        ]
        for (bytes, reason) in refused {
            #expect(throws: reason, "\(Hex.encode(bytes))") { try ECPublicKey(spki: bytes) }
        }
    }

    @Test("A coordinate written with the prime added is refused, though it means the same")
    func notReduced() throws {
        // A point of P-521 with a small x: x + p still fits 66 bytes.
        var x = Bytes(repeating: 0, count: 66)
        x[65] = 1
        let one = try #require(P521.Field(bigEndian: x))
        let root = P521.right(one).power(Words<9>([0, 0, 0, 0, 0, 0, 0, 0, 1 << 7]), bitCount: 520)
        try #require(root.squared() == P521.right(one))
        let point = [4] + x + root.bigEndian
        #expect(try ECPublicKey(.p521, x963: point).x963 == point)
        let twin = Mersenne521.prime.adding(Words(1)).sum.bigEndian(byteCount: 66)
        #expect(throws: EllipticCurveError.notOnCurve) { try ECPublicKey(.p521, x963: [4] + twin + root.bigEndian) }
    }

    @Test("What is wiped is zero, and the copy of a key's number is not the key's own")
    func wiping() throws {
        var bytes: Bytes = [1, 2, 3]
        bytes.wipe()
        #expect(bytes == [0, 0, 0])
        var none: Bytes = []
        none.wipe()
        #expect(none.isEmpty)
        let key = try key(.p256)
        var copy = key.secretScalar
        copy.wipe()
        #expect(key.secretScalar != copy)
        #expect(try ECPrivateKey(.p256, scalar: key.secretScalar).publicKey == key.publicKey)
    }

    @Test("Neither a description nor a dump of a key shows its number")
    func descriptions() throws {
        let key = try ECPrivateKey(.p192, scalar: Bytes(repeating: 0x5A, count: 24))
        var dumped = ""
        dump(key, to: &dumped)
        for text in ["\(key)", String(reflecting: key), dumped] {
            #expect(!text.lowercased().contains("5a, ") && !text.contains("90, 90") && !text.contains("5a5a"))
        }
    }
}
