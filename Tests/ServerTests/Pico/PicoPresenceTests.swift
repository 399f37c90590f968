import HTTPTypes
import Interface
import Pico
import Testing

@testable import Server

/// Sessions that are open only while their wallet answers.
@Suite("A session while the wallet is there", .timeLimit(.minutes(5)))
struct PicoPresenceTests {
    @Test("it stays open while the wallet answers, locks when that pauses, and opens when it goes on")
    func whole() async throws {
        try await PicoScene.serve { scene in
            let held = try await HeldSession(scene)
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
            let held = try await HeldSession(scene)
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
            await clock.waitForSleeper(ofExactly: Limits.channelTime)
            clock.advance(Limits.channelTime)
            #expect(try await !written)
            #expect(try await held.problem() == "session-locked")
        }
    }

    @Test("the wallet's owner ends it, and a new scan of the same account replaces the session")
    func replaced() async throws {
        try await PicoScene.serve { scene in
            let held = try await HeldSession(scene)
            async let presence = held.presence()
            #expect(try await held.say(.stopped) == .stopped)
            #expect(try await presence.state == .lost)
            #expect(try await held.problem() == "session-locked")
            let next = try await HeldSession(scene, replaces: held.session.token, with: held.pico)
            #expect(try await held.problem() == "unauthenticated")
            #expect(try await next.problem() == nil)
            // Another account's scan leaves it alone.
            let eve = try await scene.client.join(scene.organisation.person("eve"))
            let other = try await HeldSession(scene, replaces: next.session.token, with: scene.paired("eve", as: eve).0)
            #expect(other.session.account.username == "eve")
            #expect(try await next.problem() == nil)
        }
    }

    @Test("a message that is not the wallet's next one ends it")
    func forged() async throws {
        try await PicoScene.serve { scene in
            let held = try await HeldSession(scene)
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
            let held = try await HeldSession(scene)
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
