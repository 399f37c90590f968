import EllipticCurves
import Encodings
import Testing

@testable import EllipticCurves

@Suite("Signatures and shared secrets on every curve")
struct SigningTests {
    @Test("Signatures are those of RFC 6979 appendix A.2")
    func rfc6979() throws {
        let lines = try Fixture.lines("rfc6979.txt")
        #expect(lines.count == 24)
        for line in lines { try check(line, additional: []) }
    }

    @Test("Additional randomness goes into the nonce as RFC 6979 section 3.6 has it")
    func hedged() throws {
        let lines = try Fixture.lines("hedged.txt")
        #expect(lines.count == 12)
        for line in lines { try check(line, additional: Bytes(0..<32)) }
    }

    private func check(_ line: [String], additional: Bytes) throws {
        let digest = try Fixture.digest(line[1])
        let bytes = try line.dropFirst(2).map(Fixture.bytes)
        let key = try ECPrivateKey(Fixture.curve(line[0]), scalar: bytes[1])
        #expect(key.publicKey.x963 == bytes[2])
        let raw = key.rawSignature(over: bytes[0], with: digest, additionalRandomness: additional)
        #expect(raw == bytes[3], "\(line[0]) \(line[1])")
        let der = key.signature(over: bytes[0], with: digest, additionalRandomness: additional)
        #expect(try ECDSASignature.raw(fromDER: der, size: key.curve.byteCount) == raw)
        #expect(key.publicKey.isValidSignature(der, over: bytes[0], with: digest))
        #expect(!key.publicKey.isValidSignature(der, over: bytes[0] + [0], with: digest))
    }

    @Test("Keys, signatures and shared secrets are OpenSSL's")
    func openSSL() throws {
        let lines = try Fixture.lines("openssl.txt")
        #expect(lines.count == 20)
        for line in lines {
            let curve = try Fixture.curve(line[0])
            let digest = try Fixture.digest(line[1])
            let bytes = try line.dropFirst(2).map(Fixture.bytes)
            let key = try ECPrivateKey(curve, scalar: bytes[0])
            let peer = try ECPublicKey(spki: bytes[2])
            #expect(key.publicKey.spki == bytes[1])
            #expect(peer.spki == bytes[2])
            #expect(try key.sharedSecret(with: peer) == bytes[3])
            #expect(key.publicKey.isValidSignature(bytes[5], over: bytes[4], with: digest))
            #expect(!peer.isValidSignature(bytes[5], over: bytes[4], with: digest))
        }
    }

    @Test("Every signature made is valid, and for nothing else", arguments: EllipticCurve.allCases)
    func random(curve: EllipticCurve) throws {
        var random = SeededNumbers(7)
        for round in 0..<8 {
            let key = try ECPrivateKey.generate(on: curve) { random.bytes($0) }
            let peer = try ECPrivateKey.generate(on: curve) { random.bytes($0) }
            let message = random.bytes(round * 9)
            let raw = key.rawSignature(over: message, with: .sha512, additionalRandomness: random.bytes(16))
            let digest = SHA512.hash(message)
            #expect(key.publicKey.isValidRawSignature(raw, digest: digest))
            #expect(!peer.publicKey.isValidRawSignature(raw, digest: digest))
            var other = raw
            other[Int.random(in: raw.indices, using: &random)] ^= 1
            #expect(!key.publicKey.isValidRawSignature(other, digest: digest))
            #expect(!key.publicKey.isValidRawSignature(raw + [0], digest: digest))
            #expect(!key.publicKey.isValidRawSignature(raw, digest: Array(digest[0..<31])))
            #expect(!key.publicKey.isValidRawSignature(raw, digest: digest + [0]))
            #expect(try key.sharedSecret(with: peer.publicKey) == peer.sharedSecret(with: key.publicKey))
            #expect(try ECPrivateKey(curve, scalar: key.secretScalar).publicKey == key.publicKey)
        }
    }

    @Test("Nonces differ with the additional randomness, with the message and with the key")
    func differ() throws {
        var random = SeededNumbers(3)
        let key = try ECPrivateKey.generate(on: .p192) { random.bytes($0) }
        let other = try ECPrivateKey.generate(on: .p192) { random.bytes($0) }
        let rs = [
            key.rawSignature(over: [1], with: .sha256), key.rawSignature(over: [2], with: .sha256),
            key.rawSignature(over: [1], with: .sha256, additionalRandomness: [1]),
            key.rawSignature(over: [1], with: .sha256, additionalRandomness: [2]),
            other.rawSignature(over: [1], with: .sha256),
        ].map { Array($0[0..<24]) }
        #expect(Set(rs).count == 5)
        #expect(key.rawSignature(over: [1], with: .sha256)[0..<24] == rs[0][...])
    }

    @Test("Keys of different curves share no secret")
    func differentCurves() throws {
        var random = SeededNumbers(5)
        let key = try ECPrivateKey.generate(on: .p192) { random.bytes($0) }
        let other = try ECPrivateKey.generate(on: .secp192k1) { random.bytes($0) }
        #expect(throws: EllipticCurveError.differentCurves) { try key.sharedSecret(with: other.publicKey) }
        // The same bytes on the other curve are no point.
        #expect(throws: EllipticCurveError.notOnCurve) { try ECPublicKey(.p192, x963: other.publicKey.x963) }
    }
}
