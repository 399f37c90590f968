import EllipticCurves
import Encodings
import Testing

@testable import Pico

@Suite("Keys that are none")
struct KeyAttackTests {
    /// Keys in spellings, or of points, that must not come in; made of a good one on P-256.
    static func bad(_ key: ECPublicKey) throws -> [(name: String, spki: Bytes, error: PicoError)] {
        let spki = key.spki
        let (head, point) = (Array(spki.prefix(26)), key.x963)
        let x = Array(point[1..<33])
        func algorithm(_ parameters: Bytes) -> Bytes {
            DERWriter.sequence(DERWriter.objectIdentifier([0x2A, 0x86, 0x48, 0xCE, 0x3D, 2, 1]) + parameters)
        }
        func spelling(_ parameters: Bytes, _ point: Bytes) -> Bytes {
            DERWriter.sequence(algorithm(parameters) + DERWriter.bitString(point))
        }
        let named = DERWriter.objectIdentifier(EllipticCurve.p256.objectIdentifier)
        let p384 = DERWriter.objectIdentifier(EllipticCurve.p384.objectIdentifier)
        let explicit = DERWriter.sequence(DERWriter.unsignedInteger([1]))
        let other = try TestSuite(seed: "p192").freshKey(on: .p192).publicKey
        return [
            ("not on the curve", head + point.flipping(64), .invalidKey),
            ("at infinity", spelling(named, [0]), .invalidKey),
            ("of zeros", head + [4] + Bytes(repeating: 0, count: 64), .invalidKey),
            ("not below the prime", head + [4] + Bytes(repeating: 0xFF, count: 64), .invalidKey),
            ("compressed", spelling(named, [2] + x), .invalidKey),
            ("hybrid", head + [6] + Array(point.dropFirst()), .invalidKey),
            ("explicit parameters", spelling(explicit, point), .unsupportedCurve),
            ("no parameters", spelling([], point), .invalidKey),
            ("bytes after the key", spki + [0], .invalidKey),
            ("bytes after the point", spelling(named, point + [0]), .invalidKey),
            ("a long length", [0x30, 0x81, 0x59] + Array(spki.dropFirst(2)), .invalidKey),
            ("an indefinite length", [0x30, 0x80] + Array(spki.dropFirst(2)) + [0, 0], .invalidKey),
            ("a point of another curve", spelling(p384, point), .invalidKey),
            ("another curve", other.spki, .unsupportedCurve),
            ("nothing", [], .invalidKey),
            ("too long", spki + Bytes(repeating: 0, count: 100), .invalidKey),
        ]
    }

    @Test("are refused as ephemeral keys of a Pico, before anything is answered")
    func start() throws {
        let pair = try Pair()
        for (name, spki, error) in try Self.bad(pair.pico.publicKey) {
            let start = JSON.members([
                ("picoVersion", .integer(2)), ("picoEphemeralPublicKey", PicoJSON.base64(spki)),
                ("picoNonce", PicoJSON.base64([1])),
            ])
            var verifier = pair.verifier()
            let refused = refusal { try verifier.receive(start: start.serialized(), at: 0, suite: pair.suite) }
            // A key that is too long for any curve is refused by its length alone.
            #expect(refused == error || (spki.count > 158 && refused == .tooLarge), "\(name)")
        }
    }

    @Test("are refused as ephemeral keys of a service")
    func serviceAuth() throws {
        let pair = try Pair()
        for (name, spki, error) in try Self.bad(pair.pico.publicKey) {
            var (prover, start) = try pair.prover()
            let forger = try Forger(pair, start: start)
            let good = try JSON.parse(forger.serviceAuth(forger.proof(pair.service).encoded()))
            let bad = good.setting("serviceEphemPublicKey", PicoJSON.base64(spki))
            let refused = refusal { try prover.receive(serviceAuth: bad.serialized(), at: 0, suite: pair.suite) }
            #expect(refused == error || (spki.count > 158 && refused == .tooLarge), "\(name)")
        }
    }

    @Test("are refused as identity keys of a Pico")
    func picoAuth() throws {
        let pair = try Pair()
        for (name, spki, error) in try Self.bad(pair.pico.publicKey) {
            var verifier = pair.verifier()
            let pico = try ForgingPico(pair, &verifier)
            let good = pico.proof(pair.pico)
            let proof = IdentityProof(
                spki: spki, signature: good.signature,
                mac: IdentityProof.mac(spki, key: pico.keys.picoMAC, suite: pair.suite))
            let message = try pico.picoAuth(proof.encoded() + PicoElements.write([]))
            let refused = refusal { try verifier.receive(picoAuth: message, at: 0, suite: pair.suite) }
            #expect(refused == error || (spki.count > 158 && refused == .tooLarge), "\(name)")
        }
    }

    @Test("are refused as identity keys of a service, even if the code commits to them")
    func serviceIdentity() throws {
        let pair = try Pair()
        for (name, spki, _) in try Self.bad(pair.service.publicKey) {
            let target = ProverTarget(
                PicoAuthenticationCode(service: PicoCommitment(spki: spki, suite: pair.suite), address: .example),
                pair.pairing)
            let other = ProverTarget(
                PicoAuthenticationCode(service: PicoCommitment(spki: spki, suite: pair.suite), address: .example),
                PicoPairing(
                    service: PicoCommitment(spki: spki, suite: pair.suite), name: [], identity: pair.pico.publicKey))
            #expect(refusal { try target.identity(spki, suite: pair.suite) } == .wrongService, "\(name)")
            #expect(refusal { try other.identity(spki, suite: pair.suite) } != nil, "\(name)")
        }
    }

    @Test("of one curve do not go with those of another, even for an old service")
    func mixedEphemerals() throws {
        let pair = try Pair(on: .p192)
        for curve in EllipticCurve.allCases where curve != .p192 {
            var (prover, start) = try pair.prover()
            let forger = try Forger(pair, start: start)
            let good = try JSON.parse(forger.serviceAuth(forger.proof(pair.service).encoded()))
            let other = try pair.suite.freshKey(on: curve).publicKey
            let bad = good.setting("serviceEphemPublicKey", PicoJSON.base64(other.spki))
            #expect(
                refusal { try prover.receive(serviceAuth: bad.serialized(), at: 0, suite: pair.suite) }
                    == .unsupportedCurve)
        }
    }
}
