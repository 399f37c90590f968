import CryptoProvider
import Encodings
import Testing

@Suite struct KeyTests {
    static let order = "ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551"

    @Test(
        "Bytes that are no P-256 secret are refused",
        arguments: [
            "", "01", String(repeating: "00", count: 32), order, String(repeating: "ff", count: 32),
            String(repeating: "11", count: 33),
        ])
    func badSecrets(_ hex: String) throws {
        let bytes = try #require(Hex.decode(Bytes(text: hex)))
        #expect(throws: KeyError.malformed) { try SigningKey(rawRepresentation: bytes) }
        #expect(throws: KeyError.malformed) { try EncryptionKey(rawRepresentation: bytes) }
    }

    @Test("A log key is 32 bytes")
    func badSeed() {
        #expect(throws: KeyError.malformed) { try LogSigningKey(rawRepresentation: [1, 2, 3]) }
    }

    @Test("Keys come back from their raw form")
    func roundTrip() throws {
        let signing = try SigningKey()
        #expect(try SigningKey(rawRepresentation: signing.rawRepresentation).publicKey == signing.publicKey)
        let encryption = try EncryptionKey()
        #expect(try EncryptionKey(rawRepresentation: encryption.rawRepresentation).publicKey == encryption.publicKey)
        let log = LogSigningKey()
        #expect(try LogSigningKey(rawRepresentation: log.rawRepresentation).publicKey == log.publicKey)
    }

    @Test("A signature has the smaller of its two s; the other form verifies, too, and comes back to the first")
    func lowS() throws {
        let key = try SigningKey()
        let order = try #require(Hex.decode(Bytes(text: Self.order)))
        let half = try #require(
            Hex.decode(Bytes(text: "7fffffff800000007fffffffffffffffde737d56d38bcf4279dce5617e3192a8")))
        for number in UInt8(0)..<64 {
            let signature = try key.sign([number])
            #expect(!half.precedes(Array(signature[32...])))
            var twin = signature
            var borrow = 0
            for index in (0..<32).reversed() {
                let digit = Int(order[index]) - Int(signature[32 + index]) - borrow
                borrow = digit < 0 ? 1 : 0
                twin[32 + index] = UInt8(truncatingIfNeeded: digit)
            }
            #expect(half.precedes(Array(twin[32...])))
            for form in [signature, twin] {
                #expect(SwiftCryptoSuite().isValidP256(form, over: [number], publicKey: key.publicKey.x963))
                #expect(ECDSASignature.lowS(form) == signature)
            }
        }
        for other in [
            [], Bytes(repeating: 0xFF, count: 64), Bytes(repeating: 0, count: 64), Bytes(repeating: 1, count: 63),
        ] {
            #expect(ECDSASignature.lowS(other) == other)
        }
    }

    @Test("A JWS is signed for one purpose and by one key")
    func jws() throws {
        let key = try SigningKey()
        let other = try SigningKey()
        let payload = JSON.members([("sub", .text("blåbær")), ("iat", .integer(1_800_000_000))])
        let text = try key.signJWS(type: "test+jwt", header: [JSON.Member("kid", .text("1"))], payload: payload)
        let jws = try UnverifiedJWS.parse(Bytes(text: text))
        let suite = SwiftCryptoSuite()
        #expect(throws: JWSError.wrongPurpose) {
            try jws.payload(signedBy: key.publicKey, type: "other+jwt", suite: suite)
        }
        #expect(throws: JWSError.badSignature) {
            try jws.payload(signedBy: other.publicKey, type: "test+jwt", suite: suite)
        }
        #expect(try jws.payload(signedBy: key.publicKey, type: "test+jwt", suite: suite) == payload)
        #expect(jws.header["kid"] == .text("1"))
    }
}

@Suite struct SwiftCryptoSuiteTests {
    let suite = SwiftCryptoSuite()

    @Test("Malformed keys and signatures are false, never a trap", arguments: [0, 1, 31, 32, 63, 64, 65, 66, 1000])
    func malformed(_ length: Int) throws {
        let bytes = Bytes(repeating: 4, count: length)
        let key = try SigningKey()
        let log = LogSigningKey()
        #expect(!suite.isValidP256(bytes, over: [1], publicKey: key.publicKey.x963))
        #expect(!suite.isValidP256(try key.sign([1]), over: [1], publicKey: bytes))
        #expect(!suite.isValidEd25519(bytes, over: [1], publicKey: log.publicKey))
        #expect(!suite.isValidEd25519(try log.sign([1]), over: [1], publicKey: bytes))
    }

    @Test("A changed message, signature or key is refused")
    func changed() throws {
        let key = try SigningKey()
        let message = Bytes(text: "message")
        let signature = try key.sign(message)
        #expect(suite.isValidP256(signature, over: message, publicKey: key.publicKey.x963))
        for index in 0..<64 {
            var changed = signature
            changed[index] ^= 1
            #expect(!suite.isValidP256(changed, over: message, publicKey: key.publicKey.x963))
        }
        #expect(!suite.isValidP256(signature, over: message + [0], publicKey: key.publicKey.x963))
        #expect(!suite.isValidP256(signature, over: message, publicKey: try SigningKey().publicKey.x963))
        #expect(!suite.isValidP256(Bytes(repeating: 0, count: 64), over: message, publicKey: key.publicKey.x963))
    }

    @Test("The P-256 example of RFC 6979 A.2.5 is accepted")
    func rfc6979() throws {
        let x = "60FED4BA255A9D31C961EB74C6356D68C049B8923B61FA6CE669622E60F29FB6"
        let y = "7903FE1008B8BC99A41AE9E95628BC64F2F1B20C2D7E9F5177A3C294D4462299"
        let r = "EFD48B2AACB6A8FD1140DD9CD45E81D69D2C877B56AAF991C34D0EA84EAF3716"
        let s = "F7CB1C942D657C41D436C7A1B6E29F65F3E900DBB9AFF4064DC4AB2F843ACDA8"
        let point = try #require(Hex.decode(Bytes(text: "04" + x + y)))
        let signature = try #require(Hex.decode(Bytes(text: r + s)))
        #expect(suite.isValidP256(signature, over: Bytes(text: "sample"), publicKey: point))
        #expect(!suite.isValidP256(signature, over: Bytes(text: "simple"), publicKey: point))
    }

    @Test("The second example of RFC 8032 section 7.1 is accepted and made")
    func rfc8032() throws {
        let seed = "4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb"
        let publicKey = "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c"
        let expected =
            "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da"
            + "085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00"
        let key = try LogSigningKey(rawRepresentation: try #require(Hex.decode(Bytes(text: seed))))
        #expect(Hex.encode(key.publicKey) == Bytes(text: publicKey))
        let signature = try #require(Hex.decode(Bytes(text: expected)))
        #expect(suite.isValidEd25519(signature, over: [0x72], publicKey: key.publicKey))
        #expect(suite.isValidEd25519(try key.sign([0x72]), over: [0x72], publicKey: key.publicKey))
        #expect(!suite.isValidEd25519(signature, over: [0x73], publicKey: key.publicKey))
    }

    @Test("SHA-256 agrees with Core's own", arguments: [0, 1, 55, 56, 63, 64, 65, 1000])
    func sha256(_ length: Int) {
        let bytes = Bytes(repeating: 0x61, count: length)
        #expect(suite.sha256(bytes) == SHA256.hash(bytes))
    }
}
