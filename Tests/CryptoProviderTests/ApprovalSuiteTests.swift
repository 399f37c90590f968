import Approvals
import CryptoProvider
import EllipticCurves
import Encodings
import Testing

/// The library and our own arithmetic say the same about keys and signatures of approvals.
@Suite struct ApprovalSuiteTests {
    @Test("points of P-256, and what is none")
    func points() throws {
        let key = try SigningKey().publicKey.x963
        var off = key
        off[64] ^= 1
        for (bytes, isPoint) in [
            (key, true), (off, false), (Bytes(key.dropLast()), false), ([], false), (key + [0], false),
            ([2] + key[1...32], false),
        ] {
            #expect(SwiftCryptoSuite().isOnP256(bytes) == isPoint)
            #expect(PureSuite().isOnP256(bytes) == isPoint)
        }
    }

    @Test("a signature with SHA-256 is none with SHA-384")
    func digests() throws {
        let key = try SigningKey()
        let signature = try key.sign([1, 2, 3])
        #expect(SwiftCryptoSuite().isValidP256(signature, over: [1, 2, 3], publicKey: key.publicKey.x963))
        for isValid in [
            SwiftCryptoSuite().isValidP256WithSHA384(signature, over: [1, 2, 3], publicKey: key.publicKey.x963),
            PureSuite().isValidP256WithSHA384(signature, over: [1, 2, 3], publicKey: key.publicKey.x963),
            SwiftCryptoSuite().isValidRSAWithSHA384(signature, over: [1], modulus: key.publicKey.x963, exponent: [3]),
        ] { #expect(!isValid) }
    }
}
