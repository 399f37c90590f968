import Encodings
import Testing

@Suite("SHA-256 and HMAC")
struct HashTests {
    private func hex(_ bytes: Bytes) -> String { String(decoding: Hex.encode(bytes), as: UTF8.self) }

    @Test(
        "The digests of FIPS 180's examples come out",
        arguments: [
            ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
            ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
            (
                "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
                "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
            ),
        ]
    )
    func examples(text: String, digest: String) {
        #expect(hex(SHA256.hash(Bytes(text: text))) == digest)
    }

    @Test("A million letters have the digest of FIPS 180's example, in pieces of every kind")
    func million() {
        var hash = SHA256()
        var left = 1_000_000
        var size = 1
        while left > 0 {
            hash.update(Bytes(repeating: 0x61, count: min(size, left)))
            left -= min(size, left)
            size = size % 1_021 + 97
        }
        #expect(hex(hash.finish()) == "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0")
    }

    @Test("Every length from 0 to 299 hashes as with Python's hashlib")
    func lengths() {
        var all = SHA256()
        for count in 0..<300 {
            all.update(SHA256.hash((0..<count).map { UInt8(($0 * 7 + count) % 256) }))
        }
        #expect(hex(all.finish()) == "d5238871a46ac4a1a75ac3fb19d645b0b3b9e5f35f5f720e2b240d605c6b694e")
    }

    @Test("Any cut into two pieces gives the same digest")
    func pieces() {
        let bytes = (0..<200).map { UInt8($0) }
        let expected = SHA256.hash(bytes)
        for cut in 0...200 {
            var hash = SHA256()
            hash.update(Array(bytes[..<cut]))
            hash.update(Array(bytes[cut...]))
            #expect(hash.finish() == expected)
        }
    }

    @Test(
        "The codes of RFC 4231 come out",
        arguments: [
            (
                Bytes(repeating: 0x0B, count: 20), Bytes(text: "Hi There"),
                "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"
            ),
            (
                Bytes(text: "Jefe"), Bytes(text: "what do ya want for nothing?"),
                "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
            ),
            (
                Bytes(repeating: 0xAA, count: 20), Bytes(repeating: 0xDD, count: 50),
                "773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe"
            ),
            (
                Bytes(repeating: 0xAA, count: 131),
                Bytes(text: "Test Using Larger Than Block-Size Key - Hash Key First"),
                "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"
            ),
        ]
    )
    func authentication(key: Bytes, message: Bytes, code: String) {
        #expect(hex(HMACSHA256.authenticate(message, key: key)) == code)
        #expect(hex(HMACSHA256.authenticate(message, key: key, suite: OwnHash())) == code)
    }

    /// A suite that hashes as `Core` itself does.
    private struct OwnHash: CryptoSuite {
        func isValidP256(_ signature: Bytes, over message: Bytes, publicKey: Bytes) -> Bool { false }
        func isValidEd25519(_ signature: Bytes, over message: Bytes, publicKey: Bytes) -> Bool { false }
    }

    @Test("Every key length from 0 to 199 authenticates as with Python's hmac")
    func keyLengths() {
        var all = SHA256()
        for count in 0..<200 {
            let key = (0..<count).map { UInt8(($0 * 3 + count) % 256) }
            let message = (0..<count / 2).map { UInt8(($0 * 5 + count) % 256) }
            all.update(HMACSHA256.authenticate(message, key: key))
        }
        #expect(hex(all.finish()) == "c17cba78df58531bf9f28edb051bd3cdea36f96554ca90e74d9f025c683ca4cb")
    }
}
