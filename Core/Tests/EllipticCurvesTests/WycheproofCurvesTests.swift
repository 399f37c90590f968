import EllipticCurves
import Encodings
import Testing

@Suite("Wycheproof's cases for the other curves, and for shared secrets")
struct WycheproofCurvesTests {
    struct Signatures: CustomTestStringConvertible {
        let curve: EllipticCurve
        let digest: MessageDigest
        let count: Int

        var testDescription: String { "\(curve.name)" }

        static let all = [
            Signatures(curve: .p192, digest: .sha256, count: 454),
            Signatures(curve: .secp192k1, digest: .sha256, count: 452),
            Signatures(curve: .p384, digest: .sha384, count: 504),
            Signatures(curve: .p521, digest: .sha512, count: 542),
        ]
    }

    @Test("Signatures in DER are judged as Wycheproof does", arguments: Signatures.all)
    func signatures(_ file: Signatures) throws {
        let cases = try WycheproofTests.Case.all("wycheproof-\(file.curve.name).txt")
        #expect(cases.count == file.count)
        for one in cases {
            let key = try ECPublicKey(file.curve, x963: one.key)
            let isValid = key.isValidSignature(one.signature, over: one.message, with: file.digest)
            #expect(isValid == (one.result == "valid"), "\(one.testDescription)")
        }
    }

    @Test("Those of P-256 are judged so through the keys of every curve too")
    func p256() throws {
        for one in try WycheproofTests.Case.all("wycheproof-der.txt") {
            let key = try ECPublicKey(.p256, x963: one.key)
            let isValid = key.isValidSignature(one.signature, over: one.message, with: .sha256)
            #expect(isValid == (one.result == "valid"), "\(one.testDescription)")
        }
    }

    @Test(
        "Shared secrets are Wycheproof's, and points that are none are refused",
        arguments: zip([EllipticCurve.p256, .p384, .p521], [125, 229, 205]))
    func points(curve: EllipticCurve, count: Int) throws {
        let lines = try Fixture.lines("wycheproof-ecdh-\(curve.name).txt")
        #expect(lines.count == count)
        for line in lines {
            let bytes = try line.dropFirst(2).map(Fixture.bytes)
            let shared = try? ECPrivateKey(curve, scalar: bytes[1]).sharedSecret(
                with: ECPublicKey(curve, x963: bytes[0]))
            // Acceptable are compressed points, which we do not take.
            #expect(shared == (line[1] == "valid" ? bytes[2] : nil), "case \(line[0])")
        }
    }

    @Test("Of keys with their curve, those in the one right form are taken")
    func keys() throws {
        let lines = try Fixture.lines("wycheproof-ecdh-secp256r1-spki.txt")
        #expect(lines.count == 382)
        for line in lines {
            let bytes = try line.dropFirst(2).map(Fixture.bytes)
            let peer = try? ECPublicKey(spki: bytes[0])
            // Acceptable are compressed points, explicit parameters and encodings that are not DER: we take none of them.
            let shared = try peer.flatMap { peer in
                peer.curve == .p256 ? try ECPrivateKey(.p256, scalar: bytes[1]).sharedSecret(with: peer) : nil
            }
            #expect(shared == (line[1] == "valid" ? bytes[2] : nil), "case \(line[0])")
            #expect(peer == nil || peer?.spki == bytes[0], "case \(line[0])")
        }
    }
}
