import Encodings
import Testing

@Suite("SHA-512")
struct SHA512Tests {
    private func hex(_ bytes: Bytes) -> String { String(decoding: Hex.encode(bytes), as: UTF8.self) }

    @Test(
        "The digests of FIPS 180's examples come out",
        arguments: [
            (
                "",
                "cf83e1357eefb8bdf1542850d66d8007d620e4050b5715dc83f4a921d36ce9ce"
                    + "47d0d13c5d85f2b0ff8318d2877eec2f63b931bd47417a81a538327af927da3e"
            ),
            (
                "abc",
                "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a"
                    + "2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f"
            ),
            (
                "abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmno"
                    + "ijklmnopjklmnopqklmnopqrlmnopqrsmnopqrstnopqrstu",
                "8e959b75dae313da8cf4f72814fc143f8f7779c6eb9f7fa17299aeadb6889018"
                    + "501d289e4900f7e4331b99dec4b5433ac7d329eeb6dd26545e96e55b874be909"
            ),
        ]
    )
    func examples(text: String, digest: String) {
        #expect(hex(SHA512.hash(Bytes(text: text))) == digest)
    }

    @Test("Every length from 0 to 299 hashes as with Python's hashlib")
    func lengths() {
        var all = SHA512()
        for count in 0..<300 {
            all.update(SHA512.hash((0..<count).map { UInt8(($0 * 7 + count) % 256) }))
        }
        #expect(
            hex(all.finish())
                == "30d6c78a55e1f152f00703601a37b39b96c6c8fa2b3e66fb9c8182466b108d39"
                + "d5dd84827c69cadb4376853da7ec31ea83a0a7a0e5a713bac426e0f0ceea8424")
    }

    @Test("Any cut into two pieces gives the same digest")
    func pieces() {
        let bytes = (0..<300).map { UInt8($0 % 256) }
        let expected = SHA512.hash(bytes)
        for cut in 0...300 {
            var hash = SHA512()
            hash.update(Array(bytes[..<cut]))
            hash.update(Array(bytes[cut...]))
            #expect(hash.finish() == expected)
        }
    }

    @Test("SHA-384 gives FIPS 180's digest, and that of Python's hashlib for every length from 0 to 299")
    func shorter() {
        #expect(
            hex(SHA384.hash(Bytes(text: "abc")))
                == "cb00753f45a35e8bb5a03d699ac65007272c32ab0eded163"
                + "1a8b605a43ff5bed8086072ba1e7cc2358baeca134c825a7")
        let all = (0..<300).flatMap { count in
            SHA384.hash((0..<count).map { UInt8(($0 * 7 + count) % 256) })
        }
        #expect(
            hex(SHA384.hash(all))
                == "e3a73ee7e40ce4f9bb660f1ec279e2e3145ce11a3d066daa"
                + "f5ba43639ef37a5e105d92e2090d8f782a96ca4c97457b29")
    }
}
