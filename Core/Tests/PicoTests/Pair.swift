import EllipticCurves
import Encodings
import Testing

@testable import Pico

/// A Pico and a service of ours, for runs of one with the other.
struct Pair {
    let curves: PicoCurves
    let service: ECPrivateKey
    let pico: ECPrivateKey
    let suite: TestSuite
    let code: PicoPairingCode
    let pairing: PicoPairing
    var sessionID: Int32 = 0

    init(on curve: EllipticCurve = .p256, seed: String = "pair") throws {
        suite = TestSuite(seed: seed)
        curves = curve == .p256 ? .current : .old
        service = try suite.freshKey(on: curve)
        pico = try suite.freshKey(on: curve)
        code = try PicoPairingCode(
            name: Bytes(text: "Example Café"), address: .example, identity: service, suite: suite)
        pairing = PicoPairing(
            service: PicoCommitment(of: service.publicKey, suite: suite), name: code.name,
            identity: pico.publicKey, curves: curves)
    }

    var authenticationCode: PicoAuthenticationCode {
        PicoAuthenticationCode(service: pairing.service, address: .example)
    }

    func verifier(_ purpose: PicoVerifier.Purpose = .authentication) -> PicoVerifier {
        PicoVerifier(identity: service, purpose: purpose, curves: curves, sessionID: sessionID, at: 0)
    }

    func prover() throws -> (prover: PicoProver, start: Bytes) {
        try PicoProver.authenticate(with: authenticationCode, pairing: pairing, at: 0, suite: suite)
    }

    /// A run as far as both sides are before PicoAuth.
    func met() throws -> Met {
        var verifier = verifier()
        var (prover, start) = try prover()
        let serviceAuth = try verifier.receive(start: start, at: 0, suite: suite)
        _ = try prover.receive(serviceAuth: serviceAuth, at: 0, suite: suite)
        return Met(prover: prover, verifier: verifier, start: start, serviceAuth: serviceAuth)
    }

    struct Met {
        var prover: PicoProver
        var verifier: PicoVerifier
        let start: Bytes
        let serviceAuth: Bytes
    }

    /// A whole authentication, with continuous authentication to follow.
    func sessions() throws -> (pico: PicoSession, service: PicoSession) {
        var run = try met()
        let picoAuth = try run.prover.answer(with: pico, extraData: [], at: 0, suite: suite)
        _ = try run.verifier.receive(picoAuth: picoAuth, at: 0, suite: suite)
        let (status, session) = try run.verifier.accept(
            .paired(pico.publicKey), continuous: true, at: 0, suite: suite)
        let outcome = try run.prover.receive(status: status, at: 0, suite: suite)
        return (try #require(outcome.session), try #require(session))
    }
}
