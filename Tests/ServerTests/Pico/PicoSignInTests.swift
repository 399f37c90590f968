import EllipticCurves
import Encodings
import HTTPTypes
import Interface
import Pico
import Testing

@testable import Server

/// Wallets that sign in by scanning what another browser shows.
@Suite("Signing in with a scan", .timeLimit(.minutes(5)))
struct PicoSignInTests {
    @Test("a wallet is paired, and signs another browser in: not confirmed, and without a device")
    func whole() async throws {
        try await PicoScene.serve { scene in
            let (pico, wallet) = try await scene.paired()
            #expect(wallet.name == "phone" && wallet.own && wallet.used == nil)
            #expect(wallet.device == scene.session.device?.id)
            let session = try await scene.signedIn(pico)
            #expect(session.account.username == "alice" && session.device == nil)
            let current = try await scene.client.send(.get, "/api/sessions/current", token: session.token)
                .decode(CurrentSession.self)
            #expect(current.account.username == "alice" && current.confirmedUntil == nil)
            #expect(try await scene.list().map(\.used) == [scene.organisation.clock.clock.now()])
            // What needs a confirmation is not to be had with a scan alone.
            #expect(
                try await scene.client.send(
                    .post, "/api/pico/pairings", PicoWalletName(name: "more"), token: session.token
                ).problem == "confirmation-required")
        }
    }

    @Test("the wallet sees who asks before it proves anything, and can say no")
    func asking() async throws {
        try await PicoScene.serve { scene in
            let (pico, _) = try await scene.paired()
            let offer = try await scene.begin()
            let path = "/api/pico/asking/\(try scene.channel(offer))"
            async let first = scene.progress(offer)
            await scene.organisation.clock.waitForSleeper(ofExactly: .seconds(Limits.picoWait))
            let asking = try await scene.client.send(.get, path, token: scene.session.token).decode(PicoAsking.self)
            #expect(asking.created == scene.organisation.clock.clock.now() && asking.expires == offer.expires)
            #expect(try await first.state == .seen)
            #expect(try await scene.client.send(.get, path).problem == "unauthenticated")
            async let second = scene.progress(offer)
            #expect(
                try await scene.client.send(.post, path + "/deny", [String: String](), token: scene.session.token)
                    .status
                    == 204)
            #expect(try await second.state == .denied)
            #expect(try await scene.client.send(.get, path, token: scene.session.token).problem == "not-found")
            #expect(try await scene.wait(offer).problem == "not-found")
            _ = pico
        }
    }

    @Test("a page that asks again in the moment in which a wallet looks, or says no, is told at once")
    func between() async throws {
        try await PicoScene.serve { scene in
            let offer = try await scene.begin()
            let path = "/api/pico/asking/\(try scene.channel(offer))"
            #expect(try await scene.client.send(.get, path, token: scene.session.token).status == 200)
            // The clock stands still: a wait would not end.
            #expect(try await scene.progress(offer).state == .seen)
            // It is told once, and then waits for what comes next.
            async let next = scene.progress(offer)
            await scene.organisation.clock.waitForSleeper(ofExactly: .seconds(Limits.picoWait))
            scene.organisation.clock.advance(.seconds(Limits.picoWait))
            #expect(try await next.state == .seen)
        }
    }

    @Test("a place at a channel is taken only while it is wanted: closing counts also for those on the way")
    func late() async throws {
        let rendezvous = Rendezvous(clock: ManualClock().clock)
        #expect(try await rendezvous.wait(at: "a", writing: nil, from: "x") { false } == .closed)
        #expect(rendezvous.count == 0)
    }

    @Test("a wallet that is not paired, was removed, or whose device was revoked, is refused like any other")
    func refused() async throws {
        try await PicoScene.serve { scene in
            let stranger = try TestPico(scene.client)
            let (removed, wallet) = try await scene.paired("removed")
            let (lost, _) = try await scene.paired("lost")
            let session = try await scene.signedIn(lost)
            let eve = try await scene.client.join(scene.organisation.person("eve"))
            let (kept, _) = try await scene.paired("kept", as: eve)
            #expect(
                try await scene.client.send(
                    .delete, "/api/pico/pairings/\(wallet.id)", token: scene.session.token
                ).status == 204)
            let device = try #require(scene.session.device).id
            #expect(
                try await scene.client.send(
                    .post, "/api/devices/\(device)/revoke", Reason(reason: "lost"), token: scene.session.token
                ).status == 200)
            // What the lost phone opened ends with it.
            #expect(
                try await scene.client.send(.get, "/api/sessions/current", token: session.token).problem
                    == "unauthenticated")
            let offer = try await scene.begin()
            async let waiting = scene.progress(offer)
            for pico in [stranger, removed, lost] { #expect(try await pico.signIn(offer.code) == .rejected) }
            // The code still counts for the one whom it is for.
            #expect(try await kept.signIn(offer.code) == .accepted)
            #expect(try await waiting.session?.account.username == "eve")
        }
    }

    @Test("a code refuses five times and then no longer counts")
    func attempts() async throws {
        try await PicoScene.serve { scene in
            let (pico, _) = try await scene.paired()
            let stranger = try TestPico(scene.client)
            let offer = try await scene.begin()
            async let waiting = scene.progress(offer)
            for _ in 0..<Limits.picoAttempts { #expect(try await stranger.signIn(offer.code) == .rejected) }
            #expect(try await waiting.state == .expired)
            async let late = pico.signIn(offer.code)
            await scene.organisation.clock.waitForSleeper(ofExactly: Limits.channelTime)
            scene.organisation.clock.advance(Limits.channelTime)
            #expect(try await late == .nobody)
        }
    }

    @Test("only the browser that asked gets the session, once, and one request at a time")
    func secret() async throws {
        try await PicoScene.serve { scene in
            let (pico, _) = try await scene.paired()
            let (offer, other) = (try await scene.begin(), try await scene.begin())
            #expect(try await scene.wait(offer, secret: other.secret).problem == "not-found")
            #expect(try await scene.wait(offer, secret: "").problem == "not-found")
            async let waiting = scene.progress(offer)
            await scene.organisation.clock.waitForSleeper(ofExactly: .seconds(Limits.picoWait))
            #expect(try await scene.wait(offer).problem == "conflict")
            #expect(try await pico.signIn(offer.code) == .accepted)
            #expect(try await waiting.session != nil)
            #expect(try await scene.wait(offer).problem == "not-found")
        }
    }

    @Test("a code counts for five minutes, and not while nobody looks at it")
    func times() async throws {
        try await PicoScene.serve { scene in
            let (pico, _) = try await scene.paired()
            let clock = scene.organisation.clock
            let offer = try await scene.begin()
            async let waiting = scene.progress(offer)
            await clock.waitForSleeper(ofExactly: .seconds(Limits.picoWait))
            clock.advance(.seconds(Limits.picoWait))
            #expect(try await waiting.state == .waiting)
            // The page is closed: nobody takes what the wallet writes.
            async let alone = pico.signIn(offer.code)
            await clock.waitForSleeper(ofExactly: Limits.channelTime)
            clock.advance(Limits.channelTime)
            #expect(try await alone == .nobody)
            clock.advance(.seconds(Limits.picoCodeTime))
            #expect(try await scene.progress(offer).state == .expired)
        }
    }

    @Test("an address shows fifty codes at once, and those whose pages were closed make room")
    func room() async throws {
        try await PicoScene.serve { scene in
            let kept = try await scene.begin()
            async let waiting = scene.progress(kept)
            await scene.organisation.clock.waitForSleeper(ofExactly: .seconds(Limits.picoWait))
            for _ in 1..<Limits.picoRunsOfAddress { _ = try await scene.begin() }
            let refused = try await scene.client.send(.post, "/api/pico/sign-ins", [String: String]())
            #expect(refused.problem == "too-many-requests")
            // The one that is waited for is asked for again and again, the others are not.
            scene.organisation.clock.advance(.seconds(Limits.picoWait))
            #expect(try await waiting.state == .waiting)
            scene.organisation.clock.advance(.seconds(Limits.picoAbsence + 1 - Limits.picoWait))
            _ = try await scene.begin()
            #expect(
                try await scene.client.send(
                    .post, "/api/pico/sign-ins/\(kept.id)/end", PicoSignInSecret(secret: kept.secret)
                ).status == 204)
        }
    }

    @Test("junk in the channel does no harm, and a wallet may begin again")
    func junk() async throws {
        try await PicoScene.serve { scene in
            let (pico, _) = try await scene.paired()
            let offer = try await scene.begin()
            let channel = try scene.channel(offer)
            async let waiting = scene.progress(offer)
            #expect(try await pico.write(Bytes(text: "{}"), to: channel))
            // Begins, and never fetches the answer.
            guard case .authentication(let code) = try PicoCode.read(Bytes(text: offer.code), suite: pico.suite) else {
                throw PicoError.malformed
            }
            let pairing = PicoPairing(service: code.service, name: [0x61], identity: pico.key.publicKey)
            let start = try PicoProver.authenticate(with: code, pairing: pairing, at: 0, suite: pico.suite).start
            #expect(try await pico.write(start, to: channel))
            #expect(try await pico.read(channel) != nil)
            #expect(try await pico.signIn(offer.code) == .accepted)
            #expect(try await waiting.state == .signedIn)
        }
    }
}
