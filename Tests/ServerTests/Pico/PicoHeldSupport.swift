import CryptoProvider
import Encodings
import HTTPTypes
import Interface
import Pico
import Synchronization
import Testing

@testable import Server

/// A session that a wallet holds.
final class HeldSession: Sendable {
    let scene: PicoScene
    let pico: TestPico
    let offer: PicoSignInOffer
    let session: NewSession
    let channel: String
    private let prover: Mutex<PicoContinuousProver>

    init(_ scene: PicoScene, replaces: String? = nil, with given: TestPico? = nil) async throws {
        let pico = if let given { given } else { try await scene.paired().0 }
        let offer = try await scene.begin(
            NewPicoSignIn(continuous: true, replaces: replaces != nil), token: replaces)
        async let waiting = scene.progress(offer)
        let (outcome, held) = try await pico.authenticate(offer.code)
        #expect(outcome == .accepted)
        let prover = try PicoContinuousProver(try #require(held), at: 0, suite: SwiftCryptoSuite())
        self.prover = Mutex(prover)
        session = try #require(try await waiting.session)
        channel = try scene.channel(offer)
        (self.scene, self.pico, self.offer) = (scene, pico, offer)
    }

    /// The wallet's next message.
    func message(_ state: PicoContinuousState) throws -> Bytes {
        try prover.withLock { try $0.send(state, at: 0, suite: SwiftCryptoSuite()) }
    }

    /// What the page asks.
    func wait(secret: String? = nil) async throws -> TestClient.Answer {
        try await scene.client.send(
            .post, "/api/pico/sign-ins/\(offer.id)/presence", PicoSignInSecret(secret: secret ?? offer.secret))
    }

    func presence() async throws -> PicoHeldSession { try await wait().decode(PicoHeldSession.self) }

    /// The wallet says where it is; what the service answers.
    func say(_ state: PicoContinuousState) async throws -> PicoContinuousState? {
        guard try await pico.write(try message(state), to: channel), let answer = try await pico.read(channel)
        else { return nil }
        return try prover.withLock { try $0.receive(answer, at: 0, suite: SwiftCryptoSuite()).state }
    }

    /// Whether the session is open, as any request is told.
    func problem() async throws -> String? {
        try await scene.client.send(.get, "/api/account", token: session.token).problem
    }
}
