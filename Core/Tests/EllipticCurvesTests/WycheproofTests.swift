import Encodings
import EllipticCurves
import Testing

@Suite("Wycheproof's ECDSA P-256 SHA-256 cases")
struct WycheproofTests {
    struct Case: CustomTestStringConvertible {
        let number: String
        let result: String
        let key: Bytes
        let message: Bytes
        let signature: Bytes

        var testDescription: String { "case \(number), \(result)" }

        static func all(_ name: String) throws -> [Case] {
            var key: Bytes = []
            return try Fixture.lines(name).map { fields in
                if fields[2] != "=" { key = try Fixture.bytes(fields[2]) }
                return Case(
                    number: fields[0],
                    result: fields[1],
                    key: key,
                    message: try Fixture.bytes(fields[3]),
                    signature: try Fixture.bytes(fields[4])
                )
            }
        }
    }

    @Test("Signatures as r and s are judged as Wycheproof does")
    func raw() throws {
        let cases = try Case.all("wycheproof-p1363.txt")
        #expect(cases.count == 262)
        for one in cases {
            let isValid = P256.isValidSignature(one.signature, over: one.message, publicKey: one.key)
            #expect(isValid == (one.result == "valid"), "\(one.testDescription)")
        }
    }

    @Test("Signatures in DER are judged as Wycheproof does; other encodings than DER are refused")
    func der() throws {
        let cases = try Case.all("wycheproof-der.txt")
        #expect(cases.count == 484)
        for one in cases {
            let raw = try? ECDSASignature.raw(fromDER: one.signature)
            let isValid = raw.map { P256.isValidSignature($0, over: one.message, publicKey: one.key) } ?? false
            #expect(isValid == (one.result == "valid"), "\(one.testDescription)")
        }
    }

    @Test("A valid signature is refused when a bit of it, of the message or of the key is another")
    func bitFlips() throws {
        let one = try #require(try Case.all("wycheproof-p1363.txt").first { $0.result == "valid" })
        for bit in stride(from: 0, to: 64 * 8, by: 37) {
            var signature = one.signature
            signature[bit / 8] ^= 1 << UInt8(bit % 8)
            #expect(!P256.isValidSignature(signature, over: one.message, publicKey: one.key), "signature bit \(bit)")
        }
        for bit in stride(from: 0, to: one.message.count * 8, by: 11) {
            var message = one.message
            message[bit / 8] ^= 1 << UInt8(bit % 8)
            #expect(!P256.isValidSignature(one.signature, over: message, publicKey: one.key), "message bit \(bit)")
        }
        for bit in stride(from: 0, to: 65 * 8, by: 7) {
            var key = one.key
            key[bit / 8] ^= 1 << UInt8(bit % 8)
            #expect(!P256.isValidSignature(one.signature, over: one.message, publicKey: key), "key bit \(bit)")
        }
    }

    @Test("Wrong lengths are refused, not read past", arguments: [0, 1, 32, 63, 65, 128])
    func lengths(count: Int) throws {
        let one = try #require(try Case.all("wycheproof-p1363.txt").first { $0.result == "valid" })
        let stretched = Array((one.signature + one.signature).prefix(count))
        #expect(!P256.isValidSignature(stretched, over: one.message, publicKey: one.key))
        for keyCount in [0, 1, 33, 64, 66] {
            let key = Array((one.key + one.key).prefix(keyCount))
            #expect(!P256.isValidSignature(one.signature, over: one.message, publicKey: key))
            #expect(!P256.isOnCurve(publicKey: key))
        }
    }
}
