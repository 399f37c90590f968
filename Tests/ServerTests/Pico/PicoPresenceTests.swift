import CryptoProvider
import Encodings
import HTTPTypes
import Interface
import Pico
import Synchronization
import Testing

@testable import Server

/// Sessions that are open only while their wallet answers.
@Suite("A session while the wallet is there", .timeLimit(.minutes(2)))
struct PicoPresenceTests {
    /// A session that a wallet holds.
    private final class Held: Sendable {
        let scene: PicoScene
        let pico: TestPico
        let offer: PicoSignInOffer
        let session: NewSession
        let channel: String
        private let prover: Mutex<PicoContinuousProver>

        init(_ scene: PicoScene, replaces: String? = nil, with given: TestPico? = nil) async throws {
            let pico = if let given { given } else { try await scene.paired().0 }
            let offer = try await scene.begin(NewPicoSignIn(continuous: true, replaces: replaces))
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

    @Test("it stays open while the wallet answers, locks when that pauses, and opens when it goes on")
    func whole() async throws {
        try await PicoScene.serve { scene in
            let held = try await Held(scene)
            let clock = scene.organisation.clock
            #expect(try await held.problem() == nil)
            async let first = held.presence()
            #expect(try await held.say(.active) == .active)
            clock.advance(.seconds(19))
            #expect(try await held.problem() == nil)
            #expect(try await held.say(.paused) == .paused)
            #expect(try await first.state == .paused)
            #expect(try await held.problem() == "session-locked")
            async let second = held.presence()
            #expect(try await held.say(.active) == .active)
            let presence = try await second
            #expect(presence.state == .active && presence.until == clock.clock.now() + 20)
            #expect(try await held.problem() == nil)
        }
    }

    @Test("it locks by itself when the wallet says nothing, or no page waits")
    func silence() async throws {
        try await PicoScene.serve { scene in
            let held = try await Held(scene)
            let clock = scene.organisation.clock
            clock.advance(.seconds(PicoHold.firstTime))
            #expect(try await held.problem() == nil)
            clock.advance(.seconds(1))
            #expect(try await held.problem() == "session-locked")
            #expect(try await held.presence().state == .lost)
            #expect(try await held.wait().problem == "not-found")
            // The wallet finds nobody who answers.
            let message = try held.message(.active)
            async let written = held.pico.write(message, to: held.channel)
            await clock.waitForSleepers(2)
            clock.advance(Limits.channelTime)
            #expect(try await !written)
            #expect(try await held.problem() == "session-locked")
        }
    }

    @Test("the wallet's owner ends it, and a new scan of the same account replaces the session")
    func replaced() async throws {
        try await PicoScene.serve { scene in
            let held = try await Held(scene)
            async let presence = held.presence()
            #expect(try await held.say(.stopped) == .stopped)
            #expect(try await presence.state == .lost)
            #expect(try await held.problem() == "session-locked")
            let next = try await Held(scene, replaces: held.session.token, with: held.pico)
            #expect(try await held.problem() == "unauthenticated")
            #expect(try await next.problem() == nil)
            // Another account's scan leaves it alone.
            let eve = try await scene.client.join(scene.organisation.person("eve"))
            let other = try await Held(scene, replaces: next.session.token, with: scene.paired("eve", as: eve).0)
            #expect(other.session.account.username == "eve")
            #expect(try await next.problem() == nil)
        }
    }

    @Test("a message that is not the wallet's next one ends it")
    func forged() async throws {
        try await PicoScene.serve { scene in
            let held = try await Held(scene)
            async let first = held.presence()
            let message = try held.message(.active)
            #expect(try await held.pico.write(message, to: held.channel))
            #expect(try await held.pico.read(held.channel) != nil)
            // The same again.
            #expect(try await held.pico.write(message, to: held.channel))
            #expect(try await first.state == .lost)
            #expect(try await held.problem() == "session-locked")
        }
    }

    @Test("only the browser that asked learns of it, and one page at a time")
    func secret() async throws {
        try await PicoScene.serve { scene in
            let held = try await Held(scene)
            let other = try await scene.begin()
            #expect(try await held.wait(secret: other.secret).problem == "not-found")
            async let first = held.presence()
            await scene.organisation.clock.waitForSleepers(2)
            #expect(try await held.wait().problem == "conflict")
            scene.organisation.clock.advance(.seconds(Limits.picoWait))
            #expect(try await first.state == .active)
        }
    }

    @Test("sessions that no wallet holds are never locked, whatever the time")
    func others() async throws {
        try await PicoScene.serve { scene in
            let (pico, _) = try await scene.paired()
            let session = try await scene.signedIn(pico)
            scene.organisation.clock.advance(.seconds(3_600))
            for token in [session.token, scene.session.token] {
                #expect(try await scene.client.send(.get, "/api/account", token: token).status == 200)
            }
        }
    }
}
