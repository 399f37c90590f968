import EllipticCurves
import Encodings
import Testing

@testable import Pico

/// A run whose every value is fixed, for the messages that must be refused in it.
struct MalformedRun {
    let json: JSON
    let curve: EllipticCurve
    let base: JSON

    static let names = ["p192", "p256"].flatMap { curve in
        ["start", "service-auth", "pico-auth", "status"].map { "malformed-\(curve)-\($0)" }
    }

    init(_ name: String) throws {
        json = try Fixture.json(name)
        curve = json["curve"]?.isString("P-192") == true ? .p192 : .p256
        base = try json.member("base")
    }

    /// Each side of an old build has one curve.
    var curves: PicoCurves { .oldService(on: curve) }

    func key(_ name: StaticString) throws -> ECPrivateKey { try ECPrivateKey(curve, scalar: base.hex(name)) }

    func good(_ name: StaticString) throws -> Bytes { try base.member("good").text(name) }

    func iv(_ name: StaticString) throws -> Bytes { try SealedMessage.parse(good(name)).iv }

    /// A verifier that has taken the good messages before the given one.
    func verifier(before stage: Bytes) throws -> (verifier: PicoVerifier, suite: TestSuite) {
        let suite = TestSuite([
            try base.hex("service_ephemeral_private"), try base.hex("service_nonce"), try iv("service_auth"),
            try iv("status"),
        ])
        var verifier = PicoVerifier(
            identity: try key("service_identity_private"), purpose: .authentication, curves: curves,
            sessionID: Int32(try base.number("session_id")), at: 0)
        if stage.equals("pico_auth") {
            #expect(try verifier.receive(start: good("start"), at: 0, suite: suite) == good("service_auth"))
        }
        return (verifier, suite)
    }

    /// A prover that has taken the good messages before the given one.
    func prover(before stage: Bytes) throws -> (prover: PicoProver, suite: TestSuite) {
        let suite = TestSuite([
            try base.hex("pico_ephemeral_private"), try base.hex("pico_nonce"), try iv("pico_auth"),
        ])
        let service = try #require(PicoCommitment(bytes: base.hex("expected_service_commitment")))
        let identity = try key("pico_identity_private")
        let pairing = PicoPairing(service: service, name: [], identity: identity.publicKey, curves: curves)
        var (prover, start) = try PicoProver.authenticate(
            with: PicoAuthenticationCode(service: service, address: .example), pairing: pairing, at: 0, suite: suite)
        #expect(start == (try good("start")))
        if stage.equals("status") {
            _ = try prover.receive(serviceAuth: good("service_auth"), at: 0, suite: suite)
            let answer = try prover.answer(with: identity, extraData: base.text("pico_extra"), at: 0, suite: suite)
            #expect(answer == (try good("pico_auth")))
        }
        return (prover, suite)
    }
}

@Suite("Malformed messages")
struct MalformedTests {
    @Test("are refused, and the unusual ones accepted, as the vectors say", arguments: MalformedRun.names)
    func refused(name: String) throws {
        let run = try MalformedRun(name)
        for vector in try run.json.list("cases") {
            let bytes = try vector["hex"]?.string.map { try #require(Hex.decode($0)) } ?? vector.text("text")
            let id = string(try vector.text("id"))
            let error = try feed(bytes, vector.text("stage"), vector.text("target"), run)
            if try vector.text("expect").equals("accept") {
                #expect(error == nil, "\(id)")
            } else {
                #expect(error != nil, "\(id) was accepted")
                #expect(error != .outOfOrder && error != .suiteFailed && error != .timedOut, "\(id): \(error as Any)")
            }
        }
    }

    @Test("are 137, and all of them are here")
    func count() throws {
        let counts = try MalformedRun.names.map { try MalformedRun($0).json.list("cases").count }
        #expect(counts == [20, 27, 12, 7, 25, 27, 12, 7])
    }

    /// The error, after checking what the target sends.
    private func feed(_ bytes: Bytes, _ stage: Bytes, _ target: Bytes, _ run: MalformedRun) throws -> PicoError? {
        switch string(stage) {
        case "frame":
            var (verifier, suite) = try run.verifier(before: stage)
            return refusal {
                try verifier.receive(start: PicoFrame.decode(bytes), at: 0, suite: suite)
            }
        case "start":
            var (verifier, suite) = try run.verifier(before: stage)
            var answer: Bytes?
            let error = refusal { answer = try verifier.receive(start: bytes, at: 0, suite: suite) }
            if let answer { #expect(answer == (try run.good("service_auth"))) }
            // There are no keys yet, so a refused Start is answered with nothing.
            let rejection = refusal { try verifier.reject(suite: suite) }
            if error != nil { #expect(rejection == .outOfOrder) }
            return error
        case "pico_auth": return try picoAuth(bytes, run)
        case "service_auth":
            var (prover, suite) = try run.prover(before: stage)
            let error = refusal { try prover.receive(serviceAuth: bytes, at: 0, suite: suite) }
            let identity = try run.key("pico_identity_private")
            let answer = refusal { try prover.answer(with: identity, extraData: [], at: 0, suite: suite) }
            if error != nil { #expect(answer == .outOfOrder, "PicoAuth follows a refused ServiceAuth") }
            return error
        default:
            var (prover, suite) = try run.prover(before: stage)
            return refusal { try prover.receive(status: bytes, at: 0, suite: suite) }
        }
    }

    /// A refused PicoAuth gets Status -1, whatever was wrong.
    private func picoAuth(_ bytes: Bytes, _ run: MalformedRun) throws -> PicoError? {
        var (verifier, suite) = try run.verifier(before: Bytes(text: "pico_auth"))
        do {
            let claim = try verifier.receive(picoAuth: bytes, at: 0, suite: suite)
            #expect(claim.commitment.bytes == (try run.base.hex("authorised_pico_commitment")))
            let key = try run.key("pico_identity_private").publicKey
            let accepted = try verifier.accept(.paired(key), at: 0, suite: suite)
            #expect(accepted.status == (try run.good("status")))
            return nil
        } catch let error as PicoError {
            let status = try verifier.reject(suite: suite)
            var (prover, proverSuite) = try run.prover(before: Bytes(text: "status"))
            #expect(throws: PicoError.rejected) { try prover.receive(status: status, at: 0, suite: proverSuite) }
            return error
        }
    }
}
