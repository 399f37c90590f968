import BrowserCalls
import EllipticCurves
import Encodings
import Pico
import Testing

@testable import PicoBrowser

/// Services whose keys are on another curve than P-256, after the person has marked them as old.
@Suite("An old service in a page")
struct OldServiceTests {
    private static let curves = EllipticCurve.allCases.filter { $0 != .p256 }
    private static let ours = curves.filter { !$0.isOfWebCrypto }

    /// A key that the module makes, as the page keeps it.
    private func made(on curve: EllipticCurve, seed: String = "made") throws -> (publicKey: Bytes, secret: Bytes) {
        let random = ServiceSuite(seed).randomBytes(96)
        let parts = try answer("key_make", curve, random, [])
        return (try JSON.parse(parts[1]).bytes("publicKey"), parts[2])
    }

    private func answer(
        _ name: String, _ curve: EllipticCurve, _ random: Bytes, _ blobs: [Bytes]
    ) throws -> [Bytes] {
        let arguments = JSON.members([("curve", .literal(curve.pageName)), ("random", .base64URL(random))])
        let frames = Frames.joined([Bytes(text: name), arguments.serialized()] + blobs)
        let parts = try #require(Frames.split(PicoBrowser.answer(frames)))
        guard parts[0] == [0] else { throw Refused(code: try JSON.parse(parts[1]).text("code")) }
        return parts
    }

    private func signature(
        by secret: Bytes, on curve: EllipticCurve, over message: Bytes, random: Bytes = Bytes(0..<32)
    ) throws -> Bytes {
        try JSON.parse(answer("key_sign", curve, random, [secret, message])[1]).bytes("signature")
    }

    @Test("is paired with, and signed in to, with keys on its curve alone", arguments: curves)
    func whole(curve: EllipticCurve) throws {
        let service = try Service(on: curve)
        var page = Page(service.code.encoded(), on: curve)
        var verifier = service.verifier(.pairing)
        let begun = try page.step()
        let verified = try page.receive(verifier.receive(start: begun.bytes("message"), at: 0, suite: service.suite))
        #expect(verified.text("step") == "sign" && page.count == (curve.isOfWebCrypto ? 2 : 1))
        let picoAuth = try page.sign(verified.bytes("bytes"), with: service.pico)
        let claim = try verifier.receive(picoAuth: picoAuth.bytes("message"), at: 0, suite: service.suite)
        #expect(claim.identity == service.pico.publicKey)
        let (status, _) = try verifier.accept(.newPairing, at: 0, suite: service.suite)
        #expect(try page.receive(status).text("step") == "done")
        let (session, kept) = try service.session()
        #expect(try session.bytes("key") == kept.secretKey)
    }

    @Test("that nobody has marked, or that was marked with another curve, is told nothing", arguments: curves)
    func unmarked(curve: EllipticCurve) throws {
        let service = try Service(on: curve)
        for other in EllipticCurve.allCases where other != curve {
            #expect(try refusal { try Page(service.code.encoded(), on: other).ask() } == "old_curve", "\(other)")
            var page = Page(service.authenticationCode.encoded(), on: other)
            page.key = service.pico.publicKey.x963
            // A point of another length, or one that is not on the curve.
            let code = try refusal { try page.ask() }
            #expect(code == (other.byteCount == curve.byteCount ? "bad_key" : "wrong_length"), "\(other)")
        }
    }

    @Test("is refused when it answers with a key on another curve", arguments: EllipticCurve.allCases)
    func otherAnswer(curve: EllipticCurve) throws {
        let service = try Service(on: curve)
        for other in EllipticCurve.allCases where other != curve {
            let stranger = try Service(on: other)
            var (mine, theirs) = (service.page(), stranger.page())
            _ = try mine.step()
            var verifier = stranger.verifier(.authentication)
            let answer = try verifier.receive(start: theirs.step().bytes("message"), at: 0, suite: service.suite)
            #expect(try refusal { try mine.receive(answer) } == "old_curve", "\(other)")
            #expect(mine.answers.isEmpty)
        }
    }

    @Test("has keys of ours where WebCrypto has none", arguments: ours)
    func keys(curve: EllipticCurve) throws {
        let (publicKey, secret) = try made(on: curve)
        let key = try ECPrivateKey(curve, scalar: secret)
        #expect(key.publicKey.x963 == publicKey)
        #expect(try made(on: curve).secret == secret && made(on: curve, seed: "other").secret != secret)
        let message = Bytes(text: "sign me")
        let raw = try signature(by: secret, on: curve, over: message)
        #expect(raw == key.rawSignature(over: message, with: .sha256, additionalRandomness: Bytes(0..<32)))
        #expect(key.publicKey.isValidRawSignature(raw, digest: SHA256.hash(message)))
        let other = try signature(by: secret, on: curve, over: message, random: Bytes(1...32))
        #expect(other != raw && key.publicKey.isValidRawSignature(other, digest: SHA256.hash(message)))
    }

    @Test("has a key that the module made, in a run of the module", arguments: ours)
    func ownKey(curve: EllipticCurve) throws {
        let service = try Service(on: curve)
        let (publicKey, secret) = try made(on: curve)
        var page = Page(service.code.encoded(), on: curve)
        var verifier = service.verifier(.pairing)
        let begun = try page.step()
        let verified = try page.receive(verifier.receive(start: begun.bytes("message"), at: 0, suite: service.suite))
        page.signature = try signature(by: secret, on: curve, over: verified.bytes("bytes"))
        page.key = publicKey
        page.times.append(2_000)
        let claim = try verifier.receive(picoAuth: page.step().bytes("message"), at: 0, suite: service.suite)
        #expect(claim.identity.x963 == publicKey)
    }

    @Test("has no key of ours where WebCrypto has one, and no key of WebCrypto's where it has none")
    func whose() throws {
        for curve in EllipticCurve.allCases where curve.isOfWebCrypto {
            let (random, number) = (Bytes(repeating: 1, count: 96), Bytes(repeating: 1, count: curve.byteCount))
            #expect(try refusal { try answer("key_make", curve, random, []) } == "old_curve")
            #expect(
                try refusal { try answer("key_sign", curve, Array(random.prefix(32)), [number, []]) } == "old_curve")
            var page = try Page(Service(on: curve).code.encoded(), on: curve)
            page.ephemeral = nil
            #expect(try refusal { try page.ask() } == "missing_member")
        }
        for curve in Self.ours {
            var page = try Page(Service(on: curve).code.encoded(), on: curve)
            page.ephemeral = Page.key(on: curve, seed: "WebCrypto's")
            #expect(try refusal { try page.ask() } == "missing_member")
        }
    }

    @Test("gets no key of little randomness, and no signature by a number out of range", arguments: ours)
    func refused(curve: EllipticCurve) throws {
        for count in [0, 24, 95, 97] {
            #expect(try refusal { try answer("key_make", curve, Bytes(0..<UInt8(count)), []) } == "wrong_length")
        }
        let large = Bytes(repeating: 0xFF, count: 96)
        #expect(try refusal { try answer("key_make", curve, large, []) } == "suite_failed")
        let secret = try made(on: curve).secret
        for number in [Bytes(repeating: 0, count: 24), Bytes(repeating: 0xFF, count: 24), secret + [0], []] {
            #expect(try refusal { try signature(by: number, on: curve, over: []) } == "bad_key")
        }
        #expect(
            try refusal { try signature(by: secret, on: curve, over: [], random: Bytes(0..<31)) } == "wrong_length")
        #expect(try refusal { try answer("key_sign", curve, Bytes(0..<32), [secret]) } == "missing_blob")
    }

    @Test("is none on a curve that nobody knows")
    func unknown() throws {
        let code = try Service().code.encoded()
        for name in ["", "P-192", "secp256k1"] {
            #expect(try refusal { try call("run", [("curve", .text(name))], [code]) } == "old_curve")
        }
    }
}
