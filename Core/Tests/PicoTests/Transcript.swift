import EllipticCurves
import Encodings
import Testing

@testable import Pico

/// A whole run that was recorded with another program on at least one side.
struct Transcript: Sendable {
    static let names = [
        "p192-auth-service-libpico", "p192-pair-pico-libpico", "p256-auth-pico-jpico-session-7",
        "p256-auth-pico-libpico", "p256-pair-leading-zero-z", "p256-pair-service-libpico",
    ]

    let json: JSON

    init(_ name: String) throws { json = try Fixture.json(name) }

    var curve: EllipticCurve { json["curve"]?.isString("P-192") == true ? .p192 : .p256 }
    var curves: PicoCurves { curve == .p256 ? .current : .old }
    var isPairing: Bool { json["purpose"]?.isString("pairing") == true }
    func sessionID() throws -> Int32 { Int32(try json.number("session_id")) }

    func key(_ name: StaticString) throws -> ECPrivateKey {
        try ECPrivateKey(curve, scalar: json.member("keys").member(name).hex("private"))
    }

    func message(_ name: StaticString) throws -> JSON {
        try #require(try json.list("messages").first { $0["name"]?.isString(name) == true })
    }

    func wire(_ name: StaticString) throws -> Bytes { try message(name).text("wire") }

    func isReproducible(_ name: StaticString) -> Bool {
        json["reproducible"]?["messages"]?.array?.contains { $0.isString(name) } ?? false
    }

    /// Begins the Pico's side with the keys and nonces of the run.
    func prover() throws -> (prover: PicoProver, start: Bytes, suite: TestSuite) {
        let suite = TestSuite([
            try json.member("keys").member("pico_ephemeral").hex("private"), try json.member("nonces").hex("pico"),
            try message("pico_auth").hex("iv"),
        ])
        guard isPairing else {
            let pairing = PicoPairing(
                service: try #require(PicoCommitment(bytes: json.hex("service_commitment"))), name: [],
                identity: try key("pico_identity").publicKey, curves: curves)
            let begun = try PicoProver.authenticate(
                with: authenticationCode(suite), pairing: pairing, at: 0, suite: suite)
            return (begun.prover, begun.start, suite)
        }
        guard case .pairing(let code) = try PicoCode.read(json.text("code_text"), curves: curves, suite: suite) else {
            throw Missing()
        }
        let begun = try PicoProver.pair(with: code, curves: curves, at: 0, suite: suite)
        return (begun.prover, begun.start, suite)
    }

    private func authenticationCode(_ suite: TestSuite) throws -> PicoAuthenticationCode {
        if let text = json["code_text"]?.string, case .authentication(let code) = try PicoCode.read(text, suite: suite)
        {
            return code
        }
        return PicoAuthenticationCode(
            service: try #require(PicoCommitment(bytes: json.hex("service_commitment"))), address: .example)
    }

    /// The service's side with the keys and nonces of the run.
    func verifier() throws -> (verifier: PicoVerifier, suite: TestSuite) {
        let suite = TestSuite([
            try json.member("keys").member("service_ephemeral").hex("private"),
            try json.member("nonces").hex("service"), try message("service_auth").hex("iv"),
            try message("status").hex("iv"),
        ])
        let verifier = PicoVerifier(
            identity: try key("service_identity"), purpose: isPairing ? .pairing : .authentication, curves: curves,
            sessionID: try sessionID(), at: 0)
        return (verifier, suite)
    }
}

extension PicoAddress {
    static let example = address("https://rendezvous.example/channel/0123456789abcdef0123456789abcdef")

    /// An address that a test knows to be good.
    static func address(_ text: String) -> PicoAddress {
        guard let address = try? parse(Bytes(text: text), accepting: Scheme.allCases) else {
            preconditionFailure("no address: \(text)")
        }
        return address
    }
}
