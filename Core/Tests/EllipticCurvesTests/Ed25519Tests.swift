import EllipticCurves
import Encodings
import Testing

@Suite("Ed25519")
struct Ed25519Tests {
    struct Case: CustomTestStringConvertible {
        let name: String
        let key: Bytes
        let message: Bytes
        let signature: Bytes

        var testDescription: String { name }

        init(_ name: String, _ key: String, _ message: String, _ signature: String) throws {
            self.name = name
            self.key = try Fixture.bytes(key)
            self.message = try Fixture.bytes(message)
            self.signature = try Fixture.bytes(signature)
        }

        var isValid: Bool { Ed25519.isValidSignature(signature, over: message, publicKey: key) }
    }

    private func examples() throws -> [Case] {
        try Fixture.lines("rfc8032.txt").map { try Case("RFC 8032", $0[0], $0[1], $0[2]) }
    }

    @Test("The examples of RFC 8032 are valid, and for no other message or key")
    func rfc() throws {
        let examples = try examples()
        #expect(examples.count == 4)
        for (index, one) in examples.enumerated() {
            #expect(one.isValid)
            let other = examples[(index + 1) % examples.count]
            #expect(!Ed25519.isValidSignature(one.signature, over: other.message, publicKey: one.key))
            #expect(!Ed25519.isValidSignature(one.signature, over: one.message, publicKey: other.key))
        }
    }

    @Test("Wycheproof's cases are judged as Wycheproof does")
    func wycheproof() throws {
        var key = ""
        let lines = try Fixture.lines("wycheproof-ed25519.txt")
        #expect(lines.count == 150)
        for fields in lines {
            if fields[2] != "=" { key = fields[2] }
            let one = try Case(fields[0], key, fields[3], fields[4])
            #expect(one.isValid == (fields[1] == "valid"), "case \(one.name)")
        }
    }

    @Test("Odd spellings, points of small order and parts of small order are judged as documented")
    func edges() throws {
        let lines = try Fixture.lines("ed25519-edges.txt")
        #expect(lines.count == 42)
        for fields in lines {
            let one = try Case(fields[0], fields[3], fields[4], fields[5])
            #expect(one.isValid == (fields[1] == "valid"), "\(one.name)")
        }
    }

    @Test("A valid signature is refused when a bit of it, of the message or of the key is another")
    func bitFlips() throws {
        let one = try #require(try examples().last)
        for bit in stride(from: 0, to: 64 * 8, by: 31) {
            var signature = one.signature
            signature[bit / 8] ^= 1 << UInt8(bit % 8)
            #expect(!Ed25519.isValidSignature(signature, over: one.message, publicKey: one.key), "signature bit \(bit)")
        }
        for bit in stride(from: 0, to: one.message.count * 8, by: 37) {
            var message = one.message
            message[bit / 8] ^= 1 << UInt8(bit % 8)
            #expect(!Ed25519.isValidSignature(one.signature, over: message, publicKey: one.key), "message bit \(bit)")
        }
        for bit in 0..<32 * 8 where bit % 17 == 0 || bit == 255 {
            var key = one.key
            key[bit / 8] ^= 1 << UInt8(bit % 8)
            #expect(!Ed25519.isValidSignature(one.signature, over: one.message, publicKey: key), "key bit \(bit)")
        }
    }

    @Test("Wrong lengths are refused, not read past", arguments: [0, 1, 31, 32, 33, 63, 65, 128])
    func lengths(count: Int) throws {
        let one = try #require(try examples().first)
        let stretched = Array((one.signature + one.signature).prefix(count))
        #expect(!Ed25519.isValidSignature(stretched, over: one.message, publicKey: one.key))
        let key = Array((one.key + one.key + one.key + one.key).prefix(count))
        #expect(Ed25519.isValidSignature(one.signature, over: one.message, publicKey: key) == (count == 32))
    }

    @Test("The suite of our own curves answers with them")
    func suite() throws {
        let suite = PureSuite()
        let one = try #require(try examples().first)
        #expect(suite.isValidEd25519(one.signature, over: one.message, publicKey: one.key))
        #expect(!suite.isValidEd25519(one.signature, over: [1], publicKey: one.key))
        let fields = try #require(try Fixture.lines("wycheproof-p1363.txt").first)
        let (key, message) = (try Fixture.bytes(fields[2]), try Fixture.bytes(fields[3]))
        let signature = try Fixture.bytes(fields[4])
        #expect(suite.isValidP256(signature, over: message, publicKey: key))
        #expect(!suite.isValidP256(signature, over: message + [0], publicKey: key))
        #expect(suite.sha256([]) == SHA256.hash([]))
    }
}
