import EllipticCurves
import Encodings
import Testing

@testable import Pico

@Suite("Attacks on a run")
struct AttackTests {
    private let pair: Pair
    private var suite: TestSuite { pair.suite }

    init() throws { pair = try Pair() }

    /// The error with which a Pico refuses a ServiceAuth that answers its Start.
    private func picoRefuses(_ make: (Bytes) throws -> Bytes) throws -> PicoError? {
        var (prover, start) = try pair.prover()
        let message = try make(start)
        return refusal { try prover.receive(serviceAuth: message, at: 0, suite: suite) }
    }

    @Test("swapped roles: what a Pico proves is no proof of a service, and the reverse")
    func swappedRoles() throws {
        var run = try pair.met()
        let picoAuth = try run.prover.answer(with: pair.pico, extraData: [], at: 0, suite: suite)
        // The sealed proof of the Pico, used as the service's.
        let sealed = try SealedMessage.parse(picoAuth)
        let error = try picoRefuses { start in
            let forger = try Forger(pair, start: start)
            return ServiceAuthMessage(ephemeral: forger.ephemeral.publicKey, nonce: forger.nonce, sealed: sealed)
                .encoded()
        }
        #expect(error == .cannotOpen)
        // The service's own ServiceAuth as PicoAuth.
        var verifier = try pair.met().verifier
        #expect(refusal { try verifier.receive(picoAuth: run.serviceAuth, at: 0, suite: suite) } == .cannotOpen)
        // A key that is paired as a Pico is no service.
        let other = try picoRefuses { start in
            let forger = try Forger(pair, start: start)
            return try forger.serviceAuth(forger.proof(pair.pico).encoded())
        }
        #expect(other == .wrongService)
    }

    @Test("the MAC key of the other role does not count")
    func otherRolesKey() throws {
        let error = try picoRefuses { start in
            let forger = try Forger(pair, start: start)
            let good = forger.proof(pair.service)
            let mac = IdentityProof.mac(good.spki, key: forger.keys.picoMAC, suite: suite)
            return try forger.serviceAuth(
                IdentityProof(spki: good.spki, signature: good.signature, mac: mac).encoded())
        }
        #expect(error == .invalidMAC)
    }

    @Test("replay: nothing of one run counts in another")
    func replay() throws {
        var first = try pair.met()
        let picoAuth = try first.prover.answer(with: pair.pico, extraData: [], at: 0, suite: suite)
        _ = try first.verifier.receive(picoAuth: picoAuth, at: 0, suite: suite)
        let status = try first.verifier.accept(.paired(pair.pico.publicKey), at: 0, suite: suite).status
        #expect(try picoRefuses { _ in first.serviceAuth } == .cannotOpen)
        var second = try pair.met()
        #expect(refusal { try second.verifier.receive(picoAuth: picoAuth, at: 0, suite: suite) } == .cannotOpen)
        _ = try second.prover.answer(with: pair.pico, extraData: [], at: 0, suite: suite)
        #expect(refusal { try second.prover.receive(status: status, at: 0, suite: suite) } == .cannotOpen)
        // In one run each message counts once.
        #expect(refusal { try first.verifier.receive(picoAuth: picoAuth, at: 0, suite: suite) } == .outOfOrder)
        _ = try first.prover.receive(status: status, at: 0, suite: suite)
        #expect(refusal { try first.prover.receive(status: status, at: 0, suite: suite) } == .outOfOrder)
    }

    @Test("reflection: a side's own messages are no answers to it")
    func reflection() throws {
        #expect(try picoRefuses { $0 } == .malformed)
        var run = try pair.met()
        let picoAuth = try run.prover.answer(with: pair.pico, extraData: [], at: 0, suite: suite)
        #expect(refusal { try run.prover.receive(status: picoAuth, at: 0, suite: suite) } == .cannotOpen)
        // A peer that sends our own ephemeral key back.
        let own = try picoRefuses { start in
            let parsed = try StartMessage.parse(start, curves: .current)
            let sealed = SealedMessage(sessionID: 0, encryptedData: Bytes(repeating: 0, count: 32), iv: Bytes(0..<16))
            return ServiceAuthMessage(ephemeral: parsed.ephemeral, nonce: [1], sealed: sealed).encoded()
        }
        #expect(own == .invalidKey)
        // A service's own identity does not sign in to it.
        var verifier = pair.verifier()
        let pico = try ForgingPico(pair, &verifier)
        let message = try pico.picoAuth(pico.proof(pair.service).encoded() + PicoElements.write([]))
        #expect(refusal { try verifier.receive(picoAuth: message, at: 0, suite: suite) } == .invalidKey)
    }

    @Test("ServiceAuth, sent again as Status, is no status, although it begins with 0")
    func serviceAuthAsStatus() throws {
        for curve in EllipticCurve.allCases {
            let pair = try Pair(on: curve)
            var run = try pair.met()
            _ = try run.prover.answer(with: pair.pico, extraData: [], at: 0, suite: suite)
            #expect(refusal { try run.prover.receive(status: run.serviceAuth, at: 0, suite: suite) } == .malformed)
        }
    }

    @Test("a signature for one ephemeral key says nothing of another")
    func manInTheMiddle() throws {
        // Somebody has the real service sign for the Pico's nonce, and puts that into a run of their own.
        let error = try picoRefuses { start in
            let forger = try Forger(pair, start: start)
            var verifier = pair.verifier()
            let relayed = StartMessage(ephemeral: forger.ephemeral.publicKey, nonce: forger.start.nonce)
            let answer = try ServiceAuthMessage.parse(
                verifier.receive(start: relayed.encoded(), at: 0, suite: suite), curves: .current)
            let keys = try PicoKeys.agree(
                own: forger.ephemeral, peer: answer.ephemeral, picoNonce: forger.start.nonce,
                serviceNonce: answer.nonce, suite: suite)
            var elements = PicoElements(try answer.sealed.open(keys.serviceEncryption, suite: suite))
            let stolen = try IdentityProof(&elements)
            let mac = IdentityProof.mac(stolen.spki, key: forger.keys.serviceMAC, suite: suite)
            return try forger.serviceAuth(
                IdentityProof(spki: stolen.spki, signature: stolen.signature, mac: mac).encoded())
        }
        #expect(error == .invalidSignature)
    }

    @Test("a service with another identity key is another service")
    func identityChanged() throws {
        let other = try Pair(seed: "other")
        let error = try picoRefuses { start in
            var verifier = other.verifier()
            return try verifier.receive(start: start, at: 0, suite: other.suite)
        }
        #expect(error == .wrongService)
        // When pairing, the key of the code counts.
        var (prover, start) = try PicoProver.pair(with: pair.code, at: 0, suite: suite)
        var verifier = other.verifier(.pairing)
        let message = try verifier.receive(start: start, at: 0, suite: other.suite)
        #expect(refusal { try prover.receive(serviceAuth: message, at: 0, suite: suite) } == .wrongService)
    }

    @Test("a code of another service is not for this pairing")
    func wrongCommitment() throws {
        let other = try Pair(seed: "other")
        #expect(
            refusal {
                try PicoProver.authenticate(
                    with: other.authenticationCode, pairing: pair.pairing, at: 0, suite: suite)
            } == .wrongService)
    }

    @Test("another pairing's key is not shown to this service")
    func otherPairingsKey() throws {
        var run = try pair.met()
        let other = try suite.freshKey(on: .p256)
        #expect(refusal { try run.prover.answer(with: other, extraData: [], at: 0, suite: suite) } == .invalidKey)
    }

    @Test("a changed bit of any message ends in no sign-in, at the side that takes it")
    func everyByte() throws {
        let run = try pair.met()
        let (fresh, start) = try pair.prover()
        for index in start.indices {
            // What the service takes of a changed Start, the Pico refuses.
            var (verifier, prover) = (pair.verifier(), fresh)
            let changed = start.flipping(index)
            let error = refusal {
                let answer = try verifier.receive(start: changed, at: 0, suite: suite)
                _ = try prover.receive(serviceAuth: answer, at: 0, suite: suite)
            }
            #expect(error != nil, "Start, byte \(index)")
        }
        var (verifier, met) = (pair.verifier(), fresh)
        let serviceAuth = try verifier.receive(start: start, at: 0, suite: suite)
        for index in serviceAuth.indices {
            var prover = fresh
            let changed = serviceAuth.flipping(index)
            let error = refusal { try prover.receive(serviceAuth: changed, at: 0, suite: suite) }
            #expect(error != nil, "ServiceAuth, byte \(index)")
        }
        _ = try met.receive(serviceAuth: serviceAuth, at: 0, suite: suite)
        let picoAuth = try met.answer(with: pair.pico, extraData: Bytes(0..<16), at: 0, suite: suite)
        for index in picoAuth.indices {
            var changed = verifier
            let message = picoAuth.flipping(index)
            let error = refusal { try changed.receive(picoAuth: message, at: 0, suite: suite) }
            #expect(error != nil, "PicoAuth, byte \(index)")
        }
        _ = try verifier.receive(picoAuth: picoAuth, at: 0, suite: suite)
        let status = try verifier.accept(.paired(pair.pico.publicKey), at: 0, suite: suite).status
        // Status has a session id that is not authenticated, and ignored: its one digit.
        let digit = Bytes(text: "{\"sessionId\":").count
        for index in status.indices where index != digit {
            var prover = met
            let changed = status.flipping(index)
            let error = refusal { try prover.receive(status: changed, at: 0, suite: suite) }
            #expect(error != nil, "Status, byte \(index)")
        }
        #expect(run.start != start)
    }

    @Test("a side that refused one message takes no more")
    func failsClosed() throws {
        var (prover, start) = try pair.prover()
        var verifier = pair.verifier()
        let serviceAuth = try verifier.receive(start: start, at: 0, suite: suite)
        #expect(refusal { try prover.receive(serviceAuth: [], at: 0, suite: suite) } == .malformed)
        #expect(refusal { try prover.receive(serviceAuth: serviceAuth, at: 0, suite: suite) } == .outOfOrder)
        #expect(refusal { try prover.answer(with: pair.pico, extraData: [], at: 0, suite: suite) } == .outOfOrder)
        #expect(refusal { try prover.receive(status: [], at: 0, suite: suite) } == .outOfOrder)
        #expect(refusal { try verifier.receive(picoAuth: [], at: 0, suite: suite) } == .malformed)
        #expect(
            refusal { try verifier.accept(.paired(pair.pico.publicKey), at: 0, suite: suite) } == .outOfOrder)
    }

    @Test("what comes too late does not count")
    func late() throws {
        let (fresh, start) = try pair.prover()
        var verifier = pair.verifier()
        var tooLate = verifier
        #expect(refusal { try tooLate.receive(start: start, at: 300_001, suite: suite) } == .timedOut)
        let serviceAuth = try verifier.receive(start: start, at: 300_000, suite: suite)
        var prover = fresh
        #expect(refusal { try prover.receive(serviceAuth: serviceAuth, at: 60_001, suite: suite) } == .timedOut)
        prover = fresh
        _ = try prover.receive(serviceAuth: serviceAuth, at: 60_000, suite: suite)
        var sleeping = prover
        #expect(
            refusal { try sleeping.answer(with: pair.pico, extraData: [], at: 120_001, suite: suite) } == .timedOut)
        let picoAuth = try prover.answer(with: pair.pico, extraData: [], at: 120_000, suite: suite)
        tooLate = verifier
        #expect(refusal { try tooLate.receive(picoAuth: picoAuth, at: 360_001, suite: suite) } == .timedOut)
        _ = try verifier.receive(picoAuth: picoAuth, at: 360_000, suite: suite)
        let key = pair.pico.publicKey
        tooLate = verifier
        #expect(refusal { try tooLate.accept(.paired(key), at: 420_001, suite: suite) } == .timedOut)
        let status = try verifier.accept(.paired(key), at: 420_000, suite: suite).status
        #expect(refusal { try prover.receive(status: status, at: 180_001, suite: suite) } == .timedOut)
    }

    @Test("a Pico that is not paired, or paired under another key, is told no")
    func notAuthorised() throws {
        let other = try suite.freshKey(on: .p256)
        let wrong: [(PicoVerifier.Purpose, PicoVerifier.Authorisation)] = [
            (.authentication, .paired(other.publicKey)), (.authentication, .newPairing),
            (.pairing, .paired(pair.pico.publicKey)),
        ]
        for (purpose, authorisation) in wrong {
            var verifier = pair.verifier(purpose)
            let pico = try ForgingPico(pair, &verifier)
            let message = try pico.picoAuth(pico.proof(pair.pico).encoded() + PicoElements.write([]))
            _ = try verifier.receive(picoAuth: message, at: 0, suite: suite)
            #expect(refusal { try verifier.accept(authorisation, at: 0, suite: suite) } == .notAuthorised)
            #expect(try pico.statusByte(verifier.reject(suite: suite)) == 0xFF)
        }
    }
}
