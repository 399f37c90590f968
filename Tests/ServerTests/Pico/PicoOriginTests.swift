import HTTPTypes
import Interface
import Pico
import Storage
import Testing

@testable import Server

/// What ends a wallet that no device has paired, and what a locked session may still do.
@Suite("Wallets and sessions that outlive nothing", .timeLimit(.minutes(5)))
struct PicoOriginTests {
    /// A member with a device and a passkey, and a session of the passkey alone.
    private static func serve(
        _ body: @escaping @Sendable (PicoScene, NewSession, SoftAuthenticator) async throws -> Void
    ) async throws {
        let organisation = try await TestOrganisation()
        try await organisation.serve { client in
            _ = try await client.setUp(organisation.person("owner"))
            let person = try organisation.person("alice")
            var phone = try SoftAuthenticator()
            let session = try await client.join(person, &phone, passphrase: person.passphrase)
            let elsewhere = try await client.signIn(&phone)
            #expect(elsewhere.device == nil)
            let scene = PicoScene(organisation: organisation, client: client, person: person, session: session)
            try await body(scene, elsewhere, phone)
        }
    }

    private static func confirm(_ session: NewSession, in scene: PicoScene) async throws {
        let environment = scene.organisation.server.environment
        let principal = try #require(
            try await SessionService(environment: environment).authenticate(token: session.token))
        try await environment.database.write { transaction in
            try SessionStore(transaction: transaction).confirm(id: principal.session, until: environment.now() + 300)
        }
    }

    private static func isOver(_ session: NewSession, in scene: PicoScene) async throws -> Bool {
        try await scene.client.send(.get, "/api/account", token: session.token).problem == "unauthenticated"
    }

    private static func isRefused(_ pico: TestPico, in scene: PicoScene) async throws -> Bool {
        let offer = try await scene.begin()
        async let waiting = scene.wait(offer)
        let outcome = try await pico.signIn(offer.code)
        _ = try await scene.client.send(
            .post, "/api/pico/sign-ins/\(offer.id)/end", PicoSignInSecret(secret: offer.secret))
        _ = try await waiting
        return outcome == .rejected
    }

    @Test("a wallet that a session of a passkey paired goes with the passkey, its sessions and its own wallets too")
    func passkey() async throws {
        try await Self.serve { scene, elsewhere, phone in
            let (kept, _) = try await scene.paired("of the device")
            let (thief, _) = try await scene.paired("of the passkey", as: elsewhere)
            let session = try await scene.signedIn(thief)
            try await Self.confirm(session, in: scene)
            let (second, _) = try await scene.paired("of the wallet", as: session)
            let further = try await scene.signedIn(second)
            #expect(try await scene.list().count == 3)
            let answer = try await scene.client.send(
                .delete, "/api/account/passkeys/\(phone.id.base64URL)", token: scene.session.token)
            #expect(answer.status == 204)
            #expect(try await scene.list().map(\.name) == ["of the device"])
            for session in [session, further, elsewhere] { #expect(try await Self.isOver(session, in: scene)) }
            for pico in [thief, second] { #expect(try await Self.isRefused(pico, in: scene)) }
            _ = try await scene.signedIn(kept)
            let rows = try await scene.organisation.rows()["pico_sessions"] ?? []
            #expect(rows.count == 1, "nothing is known of the sessions that ended")
        }
    }

    @Test("a wallet that another wallet's session paired goes with that wallet, whoever removes it")
    func parent() async throws {
        try await Self.serve { scene, _, _ in
            let (first, wallet) = try await scene.paired("first")
            let session = try await scene.signedIn(first)
            try await Self.confirm(session, in: scene)
            let (second, _) = try await scene.paired("second", as: session)
            let further = try await scene.signedIn(second)
            try await Self.confirm(further, in: scene)
            let (third, _) = try await scene.paired("third", as: further)
            let (other, _) = try await scene.paired("other")
            let answer = try await scene.client.send(
                .delete, "/api/pico/pairings/\(wallet.id)", token: scene.session.token)
            #expect(answer.status == 204)
            #expect(try await scene.list().map(\.name) == ["other"])
            for session in [session, further] { #expect(try await Self.isOver(session, in: scene)) }
            for pico in [first, second, third] { #expect(try await Self.isRefused(pico, in: scene)) }
            _ = try await scene.signedIn(other)
        }
    }

    @Test("a wallet that a wallet of a device paired goes when the device is revoked")
    func device() async throws {
        try await Self.serve { scene, elsewhere, _ in
            let laptop = try await scene.client.addDevice(of: scene.person, scene.session)
            try await Self.confirm(laptop, in: scene)
            let (first, _) = try await scene.paired("of the laptop", as: laptop)
            let session = try await scene.signedIn(first)
            try await Self.confirm(session, in: scene)
            let (second, _) = try await scene.paired("of its wallet", as: session)
            let further = try await scene.signedIn(second)
            let answer = try await scene.client.send(
                .post, "/api/devices/\(laptop.deviceID)/revoke", Reason(reason: "lost"), token: scene.session.token)
            #expect(answer.status == 200)
            #expect(try await scene.list() == [])
            for session in [session, further, laptop] { #expect(try await Self.isOver(session, in: scene)) }
            for pico in [first, second] { #expect(try await Self.isRefused(pico, in: scene)) }
            #expect(try await !Self.isOver(elsewhere, in: scene))
        }
    }

    @Test("a session whose passkey was removed, and that goes on, pairs nothing, not even what it had begun")
    func orphan() async throws {
        try await Self.serve { scene, elsewhere, phone in
            let offer = try await scene.offer("left over", as: elsewhere)
            async let waiting = scene.wait(offer, as: elsewhere)
            // The calling session is the one that stays.
            let answer = try await scene.client.send(
                .delete, "/api/account/passkeys/\(phone.id.base64URL)", token: elsewhere.token)
            #expect(answer.status == 204)
            #expect(try await !Self.isOver(elsewhere, in: scene))
            #expect(try await TestPico(scene.client).pair(offer.code) == .rejected)
            #expect(try await waiting.problem == "conflict")
            let again = try await scene.client.send(
                .post, "/api/pico/pairings", PicoWalletName(name: "again"), token: elsewhere.token)
            #expect(again.problem == "conflict")
            #expect(try await scene.list(elsewhere) == [])
        }
    }

    @Test("another account's passkey, wallet or device takes nothing of this one's along")
    func stranger() async throws {
        try await Self.serve { scene, elsewhere, phone in
            _ = try await scene.paired("of the passkey", as: elsewhere)
            let eve = try await scene.client.join(scene.organisation.person("eve"))
            let environment = scene.organisation.server.environment
            let ended = try await environment.database.write { transaction in
                try Slice.pico.passkeyRemoved(phone.id.base64URL, eve.account.id, transaction)
            }
            #expect(ended.isEmpty)
            #expect(try await scene.list().count == 1)
        }
    }

    @Test("a locked session can end itself, and do nothing else")
    func locked() async throws {
        try await PicoScene.serve { scene in
            let held = try await HeldSession(scene)
            async let presence = held.presence()
            #expect(try await held.say(.paused) == .paused)
            #expect(try await presence.state == .paused)
            let token = held.session.token
            let sessions = try await scene.client.send(.get, "/api/sessions", token: scene.session.token)
                .decode(Listing<SessionInfo>.self).items
            let environment = scene.organisation.server.environment
            let principal = try #require(
                try await SessionService(environment: environment).authenticate(token: token, evenLocked: true))
            #expect(sessions.map(\.id).contains(principal.session))
            for path in ["/api/account", "/api/sessions", "/api/sessions/current", "/api/pico/pairings"] {
                #expect(try await scene.client.send(.get, path, token: token).problem == "session-locked", "\(path)")
            }
            for session in sessions {
                let answer = try await scene.client.send(.delete, "/api/sessions/\(session.id)", token: token)
                #expect(answer.problem == "session-locked")
            }
            let open = scene.organisation.server.routes.endpoints.filter(\.isForLocked)
            #expect(open.map { "\($0.method) \($0.path)" } == ["DELETE /api/sessions/current"])
            #expect(try await scene.client.send(.delete, "/api/sessions/current", token: token).status == 204)
            #expect(try await held.problem() == "unauthenticated")
            #expect(try await scene.client.send(.delete, "/api/sessions/current", token: token).status == 401)
            // The wallet hears of it, and the page that waits too.
            async let next = held.presence()
            #expect(try await held.say(.active) == .stopped)
            #expect(try await next.state == .lost)
        }
    }
}
