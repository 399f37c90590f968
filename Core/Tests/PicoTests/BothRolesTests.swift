import EllipticCurves
import Encodings
import Testing

@testable import Pico

@Suite("Our Pico and our service")
struct BothRolesTests {
    @Test("pair, sign in and stay signed in on each curve", arguments: EllipticCurve.allCases)
    func wholeLife(curve: EllipticCurve) throws {
        var pair = try Pair(on: curve)
        pair.sessionID = -5
        let suite = pair.suite
        // The service shows a pairing code; the person confirms it.
        let read = try PicoCode.read(pair.code.encoded(), curves: pair.curves, suite: suite)
        guard case .pairing(let code) = read else { throw Missing() }
        #expect(code == pair.code && read.decision == .run)
        var verifier = pair.verifier(.pairing)
        var (prover, start) = try PicoProver.pair(with: code, curves: pair.curves, at: 0, suite: suite)
        let serviceAuth = try verifier.receive(start: PicoFrame.decode(PicoFrame.encode(start)), at: 1, suite: suite)
        let service = try prover.receive(serviceAuth: serviceAuth, at: 2, suite: suite)
        #expect(service.name == code.name && service.host.equals("rendezvous.example"))
        #expect(service.publicKey == pair.service.publicKey)
        let picoAuth = try prover.answer(with: pair.pico, extraData: [], at: 3, suite: suite)
        let claim = try verifier.receive(picoAuth: picoAuth, at: 4, suite: suite)
        #expect(claim.identity == pair.pico.publicKey && claim.extraData.isEmpty)
        let secret = try PairingSecret(name: Bytes(text: "alice"), data: Bytes(text: "a secret"))
        let status = try verifier.accept(.newPairing, extraData: secret.encoded(), at: 5, suite: suite).status
        let outcome = try prover.receive(status: status, at: 6, suite: suite)
        #expect(PairingSecret.read(outcome.extraData).data.equals("a secret"))
        #expect(outcome.session == nil)
        try signIn(pair)
    }

    private func signIn(_ pair: Pair) throws {
        let suite = pair.suite
        let read = try PicoCode.read(pair.authenticationCode.encoded(), suite: suite)
        #expect(read == .authentication(pair.authenticationCode))
        var run = try pair.met()
        let secret = Bytes(text: "a secret")
        let picoAuth = try run.prover.answer(with: pair.pico, extraData: secret, at: 0, suite: suite)
        let claim = try run.verifier.receive(picoAuth: picoAuth, at: 0, suite: suite)
        #expect(claim.commitment == PicoCommitment(of: pair.pico.publicKey, suite: suite))
        #expect(claim.extraData == secret)
        let (status, session) = try run.verifier.accept(
            .paired(pair.pico.publicKey), continuous: true, at: 0, suite: suite)
        let outcome = try run.prover.receive(status: status, at: 0, suite: suite)
        let ours = try #require(outcome.session)
        #expect(ours.secretKey == session?.secretKey && ours.sessionID == -5)
        // Once is enough: the session goes on.
        var pico = try PicoContinuousProver(ours, at: 0, suite: suite)
        var service = try PicoContinuousVerifier(#require(session), at: 0, suite: suite)
        #expect(try service.receive(pico.send(.active, at: 0, suite: suite), at: 1, suite: suite) == .active)
        #expect(try pico.receive(service.reply(at: 2, suite: suite), at: 3, suite: suite).state == .active)
    }

    @Test("a person's key may sign elsewhere, and a signature over anything else goes nowhere")
    func signingElsewhere() throws {
        let pair = try Pair()
        var (prover, start) = try pair.prover()
        var verifier = pair.verifier()
        let serviceAuth = try verifier.receive(start: start, at: 0, suite: pair.suite)
        let service = try prover.receive(serviceAuth: serviceAuth, at: 0, suite: pair.suite)
        var other = prover
        let wrong = pair.pico.signature(over: service.bytesToSign + [0], with: .sha256)
        #expect(throws: PicoError.invalidSignature) {
            try other.answer(identity: pair.pico.publicKey, signature: wrong, extraData: [], at: 0, suite: pair.suite)
        }
        let signature = pair.pico.signature(over: service.bytesToSign, with: .sha256)
        let picoAuth = try prover.answer(
            identity: pair.pico.publicKey, signature: signature, extraData: [], at: 0, suite: pair.suite)
        #expect(try verifier.receive(picoAuth: picoAuth, at: 0, suite: pair.suite).identity == pair.pico.publicKey)
    }

    @Test("an identity key of an old service may be on another curve than the ephemeral keys")
    func mixedCurves() throws {
        let old = try Pair(on: .p192)
        let suite = old.suite
        let identity = try suite.freshKey(on: .p256)
        let pairing = PicoPairing(
            service: old.pairing.service, name: [], identity: identity.publicKey, curves: .old)
        var (prover, start) = try PicoProver.authenticate(
            with: old.authenticationCode, pairing: pairing, at: 0, suite: suite)
        var verifier = old.verifier()
        let serviceAuth = try verifier.receive(start: start, at: 0, suite: suite)
        #expect(try ServiceAuthMessage.parse(serviceAuth, curves: .old).ephemeral.curve == .p256)
        #expect(try prover.receive(serviceAuth: serviceAuth, at: 0, suite: suite).publicKey.curve == .p192)
        let picoAuth = try prover.answer(with: identity, extraData: [], at: 0, suite: suite)
        #expect(try verifier.receive(picoAuth: picoAuth, at: 0, suite: suite).identity == identity.publicKey)
    }
}
