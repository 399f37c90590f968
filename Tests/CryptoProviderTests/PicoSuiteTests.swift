import CryptoProvider
import EllipticCurves
import Encodings
import Foundation
import Pico
import Testing

/// The library and our own arithmetic are the same party to a Pico.
@Suite("Pico's cryptography")
struct PicoSuiteTests {
    private let library = SwiftCryptoSuite()

    /// The recorded sealings of the original's library.
    private struct Sealings: Decodable {
        struct Case: Decodable {
            var key: String
            var iv: String
            var plaintext: String
            var encryptedData: String
        }
        var cases: [Case]
    }

    @Test("AES-GCM with IVs of 16 bytes seals and opens what was recorded")
    func sealings() throws {
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("../../Core/Tests/PicoTests/Fixtures/gcm.json")
        let recorded = try JSONDecoder().decode(Sealings.self, from: Data(contentsOf: file))
        #expect(recorded.cases.count > 4)
        for one in recorded.cases {
            let (key, iv) = (try Self.bytes(one.key), try Self.bytes(one.iv))
            let (plaintext, sealed) = (try Self.bytes(one.plaintext), try Self.bytes(one.encryptedData))
            #expect(library.sealAESGCM(plaintext, key: key, iv: iv) == sealed)
            #expect(library.openAESGCM(sealed, key: key, iv: iv) == plaintext)
            var other = sealed
            other[0] ^= 1
            #expect(library.openAESGCM(other, key: key, iv: iv) == nil)
            #expect(library.openAESGCM(sealed, key: key, iv: iv.dropLast() + [(iv.last ?? 0) ^ 1]) == nil)
            #expect(library.openAESGCM(Array(sealed.prefix(15)), key: key, iv: iv) == nil)
        }
        #expect(library.sealAESGCM([1], key: Bytes(repeating: 1, count: 24), iv: Bytes(repeating: 0, count: 16)) == nil)
    }

    @Test(
        "a library's key has the public point that ours computes, and takes no number out of range",
        arguments: EllipticCurve.allCases)
    func keys(_ curve: EllipticCurve) throws {
        for _ in 0..<8 {
            let key = try library.freshKey(on: curve)
            #expect(try ECPrivateKey(curve, scalar: key.secretScalar).publicKey == key.publicKey)
            #expect(try library.privateKey(on: curve, scalar: key.secretScalar).publicKey == key.publicKey)
        }
        for bad in [Bytes(repeating: 0, count: curve.byteCount), Bytes(repeating: 0xFF, count: curve.byteCount), [1]] {
            #expect(throws: EllipticCurveError.scalarOutOfRange) { try library.privateKey(on: curve, scalar: bad) }
        }
    }

    @Test("a library that gives no point of the curve makes no key")
    func wrongLibrary() throws {
        let scalar = Bytes(repeating: 7, count: 32)
        var point = try ECPrivateKey(.p256, scalar: scalar).publicKey.x963
        point[64] ^= 1
        #expect(throws: EllipticCurveError.notOnCurve) {
            try ECPrivateKey(.p256, scalar: scalar, publicPoint: { _ in point })
        }
        #expect(throws: EllipticCurveError.scalarOutOfRange) {
            try ECPrivateKey(.p256, scalar: scalar, publicPoint: { _ in nil })
        }
    }

    @Test("each role with each suite pairs and signs in, on every curve", arguments: EllipticCurve.allCases)
    func roles(_ curve: EllipticCurve) throws {
        let ours = CoreSuite()
        try Self.meet(on: curve, library, ours)
        try Self.meet(on: curve, ours, library)
        try Self.meet(on: curve, library, library)
    }

    @Test(
        "a signature over something else, with another key, or in another spelling is none",
        arguments: EllipticCurve.allCases)
    func signatures(_ curve: EllipticCurve) throws {
        let key = try ECPrivateKey.generate(on: curve, randomBytes: library.randomBytes)
        let other = try ECPrivateKey.generate(on: curve, randomBytes: library.randomBytes)
        let signature = try #require(library.signature(over: [1, 2, 3], with: key))
        #expect(library.isValidSignature(signature, over: [1, 2, 3], publicKey: key.publicKey))
        #expect(!library.isValidSignature(signature, over: [1, 2, 4], publicKey: key.publicKey))
        #expect(!library.isValidSignature(signature, over: [1, 2, 3], publicKey: other.publicKey))
        #expect(!library.isValidSignature(signature + [0], over: [1, 2, 3], publicKey: key.publicKey))
        // One nonce for two messages would give the key away.
        let again = try #require(library.signature(over: [1, 2, 4], with: key))
        let raws = try [signature, again].map { try ECDSASignature.raw(fromDER: $0, size: curve.byteCount) }
        #expect(raws[0].prefix(curve.byteCount) != raws[1].prefix(curve.byteCount))
        #expect(
            library.sharedSecret(of: key, with: other.publicKey) == library.sharedSecret(of: other, with: key.publicKey)
        )
        let foreign = try ECPrivateKey.generate(on: curve == .p256 ? .p192 : .p256, randomBytes: library.randomBytes)
        #expect(library.sharedSecret(of: key, with: foreign.publicKey) == nil)
    }

    /// A pairing and a sign-in, the Pico with one suite and the service with the other.
    private static func meet(
        on curve: EllipticCurve, _ pico: some PicoCryptoSuite, _ service: some PicoCryptoSuite
    ) throws {
        let curves: PicoCurves = curve == .p256 ? .current : .oldService(on: curve)
        let identity = try ECPrivateKey.generate(on: curve, randomBytes: service.randomBytes)
        let own = try ECPrivateKey.generate(on: curve, randomBytes: pico.randomBytes)
        let address = try PicoAddress.parse(Bytes(text: "https://pico.example/channel/1"), accepting: .rendezvous)
        let code = try PicoPairingCode(
            name: Bytes(text: "Example"), address: address, identity: identity, suite: service)
        var verifier = PicoVerifier(identity: identity, purpose: .pairing, curves: curves, at: 0)
        var (prover, start) = try PicoProver.pair(with: code, curves: curves, at: 0, suite: pico)
        let auth = try verifier.receive(start: start, at: 0, suite: service)
        _ = try prover.receive(serviceAuth: auth, at: 0, suite: pico)
        let claim = try verifier.receive(
            picoAuth: prover.answer(with: own, extraData: [], at: 0, suite: pico), at: 0, suite: service)
        #expect(claim.identity == own.publicKey)
        let status = try verifier.accept(.newPairing, extraData: [7, 8], at: 0, suite: service).status
        #expect(try prover.receive(status: status, at: 0, suite: pico).extraData == [7, 8])

        let pairing = PicoPairing(
            service: PicoCommitment(of: identity.publicKey, suite: pico), name: code.name, identity: own.publicKey,
            curves: curves)
        verifier = PicoVerifier(identity: identity, purpose: .authentication, curves: curves, at: 0)
        (prover, start) = try PicoProver.authenticate(
            with: PicoAuthenticationCode(service: pairing.service, address: address), pairing: pairing, at: 0,
            suite: pico)
        _ = try prover.receive(
            serviceAuth: verifier.receive(start: start, at: 0, suite: service), at: 0, suite: pico)
        let back = try verifier.receive(
            picoAuth: prover.answer(with: own, extraData: [7, 8], at: 0, suite: pico), at: 0, suite: service)
        #expect(back.extraData == [7, 8] && back.commitment == PicoCommitment(of: own.publicKey, suite: service))
        let (last, session) = try verifier.accept(.paired(own.publicKey), continuous: true, at: 0, suite: service)
        let outcome = try prover.receive(status: last, at: 0, suite: pico)
        #expect(outcome.session?.secretKey == session?.secretKey && session != nil)
    }

    private static func bytes(_ hex: String) throws -> Bytes {
        let digits = Array(hex.utf8)
        return try stride(from: 0, to: digits.count, by: 2).map {
            try #require(UInt8(String(decoding: digits[$0..<$0 + 2], as: UTF8.self), radix: 16))
        }
    }
}

/// What `Core` computes by itself, with the library's AES and randomness.
private struct CoreSuite: PicoCryptoSuite {
    private let library = SwiftCryptoSuite()
    private let pure = PureSuite()

    func sealAESGCM(_ plaintext: Bytes, key: Bytes, iv: Bytes) -> Bytes? {
        library.sealAESGCM(plaintext, key: key, iv: iv)
    }
    func openAESGCM(_ sealed: Bytes, key: Bytes, iv: Bytes) -> Bytes? { library.openAESGCM(sealed, key: key, iv: iv) }
    func randomBytes(_ count: Int) -> Bytes { library.randomBytes(count) }
    func isValidP256(_ signature: Bytes, over message: Bytes, publicKey: Bytes) -> Bool {
        pure.isValidP256(signature, over: message, publicKey: publicKey)
    }
    func isValidEd25519(_ signature: Bytes, over message: Bytes, publicKey: Bytes) -> Bool {
        pure.isValidEd25519(signature, over: message, publicKey: publicKey)
    }
}
