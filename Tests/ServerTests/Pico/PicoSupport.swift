import CryptoProvider
import EllipticCurves
import Encodings
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Interface
import NIOCore
import Pico
import Testing

@testable import Server

/// A wallet that speaks the protocol over a server's channels.
struct TestPico: Sendable {
    let client: TestClient
    var key: ECPrivateKey
    let suite = SwiftCryptoSuite()

    init(_ client: TestClient) throws {
        self.client = client
        key = try ECPrivateKey.generate(on: .p256, randomBytes: SwiftCryptoSuite().randomBytes)
    }

    /// What the service said in the end.
    enum Outcome: Equatable { case accepted, rejected, nobody }

    /// Pairs with what a code shows.
    func pair(_ code: String) async throws -> Outcome {
        guard case .pairing(let read) = try PicoCode.read(Bytes(text: code), suite: suite) else {
            Issue.record("\(code)")
            return .nobody
        }
        let (prover, start) = try PicoProver.pair(with: read, at: 0, suite: suite)
        return try await run(prover, start, read.address).outcome
    }

    /// Signs in where a code is shown.
    func signIn(_ code: String) async throws -> Outcome { try await authenticate(code).outcome }

    /// The same, with the session that the service wants to be answered for.
    func authenticate(_ code: String) async throws -> (outcome: Outcome, session: PicoSession?) {
        guard case .authentication(let read) = try PicoCode.read(Bytes(text: code), suite: suite) else {
            Issue.record("\(code)")
            return (.nobody, nil)
        }
        let pairing = PicoPairing(service: read.service, name: Bytes(text: "Test"), identity: key.publicKey)
        let (prover, start) = try PicoProver.authenticate(with: read, pairing: pairing, at: 0, suite: suite)
        return try await run(prover, start, read.address)
    }

    private func run(
        _ prover: PicoProver, _ start: Bytes, _ address: PicoAddress
    ) async throws -> (outcome: Outcome, session: PicoSession?) {
        var prover = prover
        let channel = Self.channel(of: address)
        guard try await write(start, to: channel), let serviceAuth = try await read(channel) else {
            return (.nobody, nil)
        }
        _ = try prover.receive(serviceAuth: serviceAuth, at: 0, suite: suite)
        let picoAuth = try prover.answer(with: key, extraData: [], at: 0, suite: suite)
        guard try await write(picoAuth, to: channel), let status = try await read(channel) else {
            return (.nobody, nil)
        }
        do {
            return (.accepted, try prover.receive(status: status, at: 0, suite: suite).session)
        } catch .rejected {
            return (.rejected, nil)
        }
    }

    static func channel(of address: PicoAddress) -> String { String(decoding: address.channel, as: UTF8.self) }

    /// - Returns: whether somebody read it.
    func write(_ message: Bytes, to channel: String) async throws -> Bool {
        let answer = try await ask(.post, channel, PicoFrame.encode(message))
        return String(decoding: answer.body, as: UTF8.self).contains(#""code":0"#)
    }

    /// - Returns: the next message; `nil` if none came.
    func read(_ channel: String) async throws -> Bytes? {
        let answer = try await ask(.get, channel, [])
        guard answer.mediaType == "application/octet-stream" else { return nil }
        return try PicoFrame.decode(Bytes(answer.body))
    }

    private func ask(_ method: HTTPRequest.Method, _ channel: String, _ body: Bytes) async throws -> TestClient.Answer {
        try await client.client.execute(
            uri: "/channel/\(channel)", method: method, headers: [.contentType: "application/octet-stream"],
            body: ByteBuffer(bytes: body)
        ) { response in
            TestClient.Answer(
                status: response.status.code, body: Array(response.body.readableBytesView),
                mediaType: response.headers[.contentType] ?? "", retryAfter: nil)
        }
    }
}

/// A member, and what the pages of a sign-in ask.
struct PicoScene: Sendable {
    let organisation: TestOrganisation
    let client: TestClient
    let person: TestPerson
    let session: NewSession

    static func serve(_ body: @escaping @Sendable (PicoScene) async throws -> Void) async throws {
        let organisation = try await TestOrganisation()
        try await organisation.serve { client in
            _ = try await client.setUp(organisation.person("owner"))
            let person = try organisation.person("alice")
            let session = try await client.join(person)
            try await body(PicoScene(organisation: organisation, client: client, person: person, session: session))
        }
    }

    /// A code to pair with.
    func offer(_ name: String = "phone", as session: NewSession? = nil) async throws -> PicoPairingOffer {
        try await client.send(
            .post, "/api/pico/pairings", PicoWalletName(name: name), token: (session ?? self.session).token
        ).decode(PicoPairingOffer.self)
    }

    func wait(_ offer: PicoPairingOffer, as session: NewSession? = nil) async throws -> TestClient.Answer {
        try await client.send(
            .post, "/api/pico/pairings/\(offer.id)/wait", [String: String](), token: (session ?? self.session).token)
    }

    /// A paired wallet.
    func paired(_ name: String = "phone", as session: NewSession? = nil) async throws -> (TestPico, PicoWallet) {
        let pico = try TestPico(client)
        let offer = try await offer(name, as: session)
        async let waiting = wait(offer, as: session)
        #expect(try await pico.pair(offer.code) == .accepted)
        let progress = try await waiting.decode(PicoPairingProgress.self)
        #expect(progress.state == .paired)
        return (pico, try #require(progress.wallet))
    }

    func list(_ session: NewSession? = nil) async throws -> [PicoWallet] {
        try await client.send(.get, "/api/pico/pairings", token: (session ?? self.session).token)
            .decode(Listing<PicoWallet>.self).items
    }

    /// A browser without a session asks for a code.
    func begin(_ request: NewPicoSignIn = NewPicoSignIn(), token: String? = nil) async throws -> PicoSignInOffer {
        try await client.send(.post, "/api/pico/sign-ins", request, token: token).decode(PicoSignInOffer.self)
    }

    func wait(_ offer: PicoSignInOffer, secret: String? = nil) async throws -> TestClient.Answer {
        try await client.send(
            .post, "/api/pico/sign-ins/\(offer.id)", PicoSignInSecret(secret: secret ?? offer.secret))
    }

    func progress(_ offer: PicoSignInOffer) async throws -> PicoSignInProgress {
        try await wait(offer).decode(PicoSignInProgress.self)
    }

    /// A browser that a wallet signs in.
    func signedIn(_ pico: TestPico) async throws -> NewSession {
        let offer = try await begin()
        async let waiting = progress(offer)
        #expect(try await pico.signIn(offer.code) == .accepted)
        return try #require(try await waiting.session)
    }

    func channel(_ offer: PicoSignInOffer) throws -> String {
        let suite = SwiftCryptoSuite()
        guard case .authentication(let code) = try PicoCode.read(Bytes(text: offer.code), suite: suite) else {
            throw PicoError.malformed
        }
        return TestPico.channel(of: code.address)
    }
}
