import EllipticCurves
import Encodings
import Pico
import Testing

@testable import PicoBrowser

/// A service that pages meet.
struct Service {
    let suite = ServiceSuite("service")
    let identity: ECPrivateKey
    let pico: ECPrivateKey
    let address: PicoAddress
    let code: PicoPairingCode

    init(on curve: EllipticCurve = .p256) throws {
        identity = try ECPrivateKey.generate(on: curve, randomBytes: ServiceSuite("identity").randomBytes)
        pico = try ECPrivateKey.generate(on: curve, randomBytes: ServiceSuite("pico").randomBytes)
        address = try PicoAddress.parse(Bytes(text: "https://Example.org:8443/channel/abc"), accepting: .rendezvous)
        code = try PicoPairingCode(
            name: Bytes(text: "Example Café"), address: address, identity: identity, suite: suite)
    }

    var commitment: PicoCommitment { PicoCommitment(of: identity.publicKey, suite: suite) }

    var authenticationCode: PicoAuthenticationCode { PicoAuthenticationCode(service: commitment, address: address) }

    func verifier(_ purpose: PicoVerifier.Purpose) -> PicoVerifier {
        PicoVerifier(
            identity: identity, purpose: purpose, curves: identity.curve.allowed, sessionID: 7, at: 0)
    }

    /// A page that wants to sign in.
    func page(seed: String = "page") -> Page {
        var page = Page(authenticationCode.encoded(), on: identity.curve, seed: seed)
        page.key = pico.publicKey.x963
        page.name = "My café"
        return page
    }

    /// A run up to the bytes to sign.
    func met() throws -> Met {
        var page = page()
        var verifier = verifier(.authentication)
        let start = try page.step().bytes("message")
        let serviceAuth = try verifier.receive(start: start, at: 0, suite: suite)
        return Met(verified: try page.receive(serviceAuth), serviceAuth: serviceAuth, page: page, verifier: verifier)
    }

    struct Met {
        let verified: JSON
        let serviceAuth: Bytes
        var page: Page
        var verifier: PicoVerifier

        mutating func signed(by key: ECPrivateKey) throws -> Bytes {
            try page.sign(verified.bytes("bytes"), with: key).bytes("message")
        }
    }

    /// A session that both sides keep.
    func session() throws -> (page: JSON, service: PicoSession) {
        var run = try met()
        _ = try run.verifier.receive(picoAuth: run.signed(by: pico), at: 0, suite: suite)
        let (status, session) = try run.verifier.accept(.paired(pico.publicKey), continuous: true, at: 0, suite: suite)
        let done = try run.page.receive(status)
        return (try #require(done["session"]), try #require(session))
    }
}
