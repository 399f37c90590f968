import CryptoProvider
import EllipticCurves
import Encodings
import Testing

import enum Crypto.Curve25519

/// The page's suite against the server's: a document must not be valid for one and not for the other.
@Suite("Our own curves")
struct PureSuiteTests {
    private let ours = PureSuite()
    private let theirs = SwiftCryptoSuite()

    /// Hashes of a number: the same in every run.
    private func bytes(_ number: Int, _ purpose: String) -> Bytes { SHA256.hash(Bytes(text: "\(purpose) \(number)")) }

    @Test("agree with swift-crypto about Ed25519 signatures, whole and with a bit turned")
    func ed25519() throws {
        for number in 0..<40 {
            let key = try Curve25519.Signing.PrivateKey(rawRepresentation: bytes(number, "seed"))
            let publicKey = Bytes(key.publicKey.rawRepresentation)
            let message = Array((bytes(number, "a") + bytes(number, "b")).prefix(number))
            let signature = Bytes(try key.signature(for: message))
            #expect(ours.isValidEd25519(signature, over: message, publicKey: publicKey))
            for turn in 0..<6 {
                let bit = Int(bytes(number * 6 + turn, "bit")[0]) * 2 + turn % 2
                var (otherSignature, otherKey) = (signature, publicKey)
                otherSignature[bit / 8] ^= 1 << UInt8(bit % 8)
                otherKey[bit / 16] ^= 1 << UInt8(bit % 8)
                for (signature, key) in [(otherSignature, publicKey), (signature, otherKey)] {
                    #expect(
                        ours.isValidEd25519(signature, over: message, publicKey: key)
                            == theirs.isValidEd25519(signature, over: message, publicKey: key))
                }
            }
        }
    }

    @Test("agree with swift-crypto about P-256 signatures, whole and with a bit turned")
    func p256() throws {
        for number in 0..<10 {
            let key = try SigningKey(rawRepresentation: bytes(number, "key"))
            let message = bytes(number, "message")
            let signature = try key.sign(message)
            #expect(ours.isValidP256(signature, over: message, publicKey: key.publicKey.x963))
            for turn in 0..<4 {
                let bit = Int(bytes(number * 4 + turn, "bit")[0]) * 2 + turn % 2
                var (otherSignature, otherKey) = (signature, key.publicKey.x963)
                otherSignature[bit / 8] ^= 1 << UInt8(bit % 8)
                otherKey[1 + bit / 8] ^= 1 << UInt8(bit % 8)
                for (signature, key) in [(otherSignature, key.publicKey.x963), (signature, otherKey)] {
                    #expect(
                        ours.isValidP256(signature, over: message, publicKey: key)
                            == theirs.isValidP256(signature, over: message, publicKey: key))
                }
            }
        }
    }

    /// Signatures by keys of small order, S·B = R with k·A vanishing: BoringSSL takes them, we do not.
    @Test("differ from swift-crypto only for keys of small order, which would accept nearly anything")
    func smallOrder() throws {
        // The neutral element as key: k·A vanishes for every message.
        let neutral = Bytes([1]) + Bytes(repeating: 0, count: 31)
        // R and S of zero: S·B is the neutral element.
        let signature = neutral + Bytes(repeating: 0, count: 32)
        #expect(theirs.isValidEd25519(signature, over: Bytes(text: "anything"), publicKey: neutral))
        #expect(!ours.isValidEd25519(signature, over: Bytes(text: "anything"), publicKey: neutral))
    }
}
