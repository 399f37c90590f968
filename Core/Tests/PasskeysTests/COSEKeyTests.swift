import Encodings
import Passkeys
import Testing

@Suite("COSE keys")
struct COSEKeyTests {
    private static let x = String(repeating: "11", count: 32)
    private static let y = String(repeating: "22", count: 32)

    private func key(_ hex: String) throws(PasskeyError) -> COSEKey {
        try COSEKey(cose: Hex.decode(Bytes(text: hex.filter { $0 != " " })) ?? [])
    }

    private func modulus(_ bits: Int, last: UInt8 = 1) -> String {
        let first = UInt8(1) << UInt8((bits - 1) % 8)
        let count = (bits + 7) / 8
        let bytes = [first] + Bytes(repeating: 0, count: count - 2) + [last]
        let head: Bytes = count < 256 ? [0x58, UInt8(count)] : [0x59, UInt8(count >> 8), UInt8(count & 255)]
        return String(decoding: Hex.encode(head + bytes), as: UTF8.self)
    }

    @Test("Each algorithm has its own kind of key")
    func kinds() throws {
        let (x, y) = (Self.x, Self.y)
        let p384 = "30\(x)\(x.prefix(32))"
        let p521 = "42\(x)\(x)1111"
        #expect(try key("a5 01 02 03 26 20 01 21 5820\(x) 22 5820\(y)").algorithm == .es256)
        #expect(try key("a5 01 02 03 3822 20 02 21 58\(p384) 22 58\(p384)").algorithm == .es384)
        #expect(try key("a5 01 02 03 3823 20 03 21 58\(p521) 22 58\(p521)").algorithm == .es512)
        #expect(try key("a4 01 01 03 27 20 06 21 5820\(x)").algorithm == .edDSA)
        #expect(try key("a4 01 03 03 390100 20 \(modulus(2048)) 21 43010001").algorithm == .rs256)
        #expect(try key("a4 01 03 03 390100 20 \(modulus(4096)) 21 43010001").algorithm == .rs256)
    }

    @Test("Ed448 is refused by name, under its own number and under EdDSA's")
    func ed448() {
        let point = String(repeating: "33", count: 57)
        #expect(throws: PasskeyError.ed448) { try key("a4 01 01 03 3834 20 07 21 5839\(point)") }
        #expect(throws: PasskeyError.ed448) { try key("a4 01 01 03 27 20 07 21 5839\(point)") }
    }

    @Test(
        "Another type, curve, length or parameter is refused",
        arguments: [
            "a5 01 01 03 26 20 01 21 5820\(x) 22 5820\(y)", "a5 01 02 03 26 20 02 21 5820\(x) 22 5820\(y)",
            "a5 01 02 03 26 20 08 21 5820\(x) 22 5820\(y)", "a5 01 02 03 3822 20 01 21 5820\(x) 22 5820\(y)",
            "a5 01 02 03 26 20 01 21 40 22 5820\(y)", "a5 01 02 03 26 20 01 21 5821\(x)00 22 5820\(y)",
            "a5 01 02 03 26 20 01 21 5820\(x) 22 f5", "a5 01 02 03 26 20 01 21 5820\(x) 22 f4",
            "a4 01 02 03 26 20 01 21 5820\(x)", "a4 01 02 20 01 21 5820\(x) 22 5820\(y)",
            "a6 01 02 02 41aa 03 26 20 01 21 5820\(x) 22 5820\(y)",
            "a6 01 02 03 26 20 01 21 5820\(x) 22 5820\(y) 23 41aa",
            "a5 01 02 03 654553323536 20 01 21 5820\(x) 22 5820\(y)",
            "a4 01 01 03 27 20 04 21 5820\(x)", "a4 01 02 03 27 20 06 21 5820\(x)",
            "a4 01 01 03 27 20 06 21 581f\(x.dropLast(2))",
            "a4 01 03 03 390100 20 40 21 43010001", "a3 01 03 03 390100 21 43010001", "a0", "80", "f6",
        ])
    func malformed(hex: String) {
        #expect(throws: PasskeyError.malformedKey) { try key(hex) }
    }

    @Test("Keys in any but canonical CBOR are refused")
    func canonical() {
        let (x, y) = (Self.x, Self.y)
        #expect(throws: PasskeyError.malformedCBOR(.notCanonical)) {
            try key("a5 03 26 01 02 20 01 21 5820\(x) 22 5820\(y)")
        }
        #expect(throws: PasskeyError.malformedCBOR(.duplicateKey)) {
            try key("a6 01 02 01 02 03 26 20 01 21 5820\(x) 22 5820\(y)")
        }
        #expect(throws: PasskeyError.malformedCBOR(.trailing)) {
            try key("a5 01 02 03 26 20 01 21 5820\(x) 22 5820\(y) 00")
        }
        #expect(throws: PasskeyError.malformedCBOR(.truncated)) { try key("") }
    }

    @Test(
        "Algorithms that we do not know are refused with their number",
        arguments: [("2f", -16), ("3824", -37), ("3901ff", -512), ("39fffe", -65535), ("01", 1), ("00", 0), ("20", -1)])
    func algorithms(encoded: String, number: Int64) {
        #expect(throws: PasskeyError.unsupportedAlgorithm(number)) {
            try key("a5 01 02 03 \(encoded) 20 01 21 5820\(Self.x) 22 5820\(Self.y)")
        }
    }

    @Test("RSA keys that are short, long, even or have a small exponent are refused")
    func rsa() {
        for (modulus, exponent) in [
            (modulus(2047), "43010001"), (modulus(1024), "43010001"), (modulus(4097), "43010001"),
            (modulus(8192), "43010001"), (modulus(2048, last: 2), "43010001"), (modulus(2048), "4103"),
            (modulus(2048), "43010000"), (modulus(2048), "450100000001"),
        ] {
            #expect(throws: PasskeyError.weakKey) { try key("a4 01 03 03 390100 20 \(modulus) 21 \(exponent)") }
        }
        for (modulus, exponent) in [
            ("5901010001" + String(repeating: "11", count: 255), "43010001"), (modulus(2048), "4400010001"),
            (modulus(2048), "40"),
        ] {
            #expect(throws: PasskeyError.malformedKey) { try key("a4 01 03 03 390100 20 \(modulus) 21 \(exponent)") }
        }
    }

    @Test("A point off the curve is refused at registration")
    func offCurve() throws {
        var vector = try Vectors.none()
        vector.registration.object[vector.registration.object.count - 1] ^= 1
        #expect(throws: PasskeyError.pointNotOnCurve) { try vector.register() }
        let length = vector.registration.object.count
        vector.registration.object.replaceSubrange(length - 32..<length, with: Bytes(repeating: 0, count: 32))
        vector.registration.object.replaceSubrange(length - 67..<length - 35, with: Bytes(repeating: 0, count: 32))
        #expect(throws: PasskeyError.pointNotOnCurve) { try vector.register() }
        vector.registration.object.replaceSubrange(length - 32..<length, with: Bytes(repeating: 0xFF, count: 32))
        #expect(throws: PasskeyError.pointNotOnCurve) { try vector.register() }
    }

    @Test("An algorithm is told by its number alone")
    func numbers() {
        #expect(COSEAlgorithm.all.count == 5)
        #expect(COSEAlgorithm(rawValue: -7) == .es256)
        #expect(COSEAlgorithm(rawValue: -65535) == nil)
        #expect(COSECurve.p521.size == 66)
    }
}
