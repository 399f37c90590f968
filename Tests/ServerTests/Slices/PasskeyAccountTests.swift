import CryptoProvider
import Encodings
import HTTPTypes
import Interface
import Storage
import Testing

@testable import Server

/// Passkeys, passphrase and name of an account that exists.
@Suite("Passkeys of an account")
struct PasskeyAccountTests {
    /// Adds a passkey in a session.
    private static func add(
        _ authenticator: inout SoftAuthenticator, _ token: String, _ client: TestClient, name: String = "second"
    ) async throws -> TestClient.Answer {
        let options = try await client.send(
            .post, "/api/account/passkeys/registration", NoMembers(), token: token
        ).decode(RegistrationOptions.self)
        return try await client.send(
            .post, "/api/account/passkeys",
            NewPasskey(name: name, registration: authenticator.register(options)), token: token)
    }

    private static func path(_ authenticator: SoftAuthenticator) -> String {
        "/api/account/passkeys/\(authenticator.id.base64URL)"
    }

    @Test("a second passkey signs in, is named, and is removed")
    func second() async throws {
        let organisation = try await TestOrganisation()
        try await organisation.serve { client in
            _ = try await client.setUp(organisation.person("owner"))
            var phone = try SoftAuthenticator()
            let session = try await client.join(organisation.person("alice"), &phone)
            var key = try SoftAuthenticator()
            #expect(try await Self.add(&key, session.token, client).status == 201)
            #expect(key.userHandle == phone.userHandle, "one user for all her passkeys")
            let signedIn = try await client.signIn(&key)
            #expect(signedIn.account.id == session.account.id)
            let named = try await client.send(
                .patch, Self.path(key), PasskeyRename(name: " Blue key "), token: session.token
            ).decode(Passkey.self)
            #expect(named.name == "Blue key")
            let options = try await client.send(
                .post, "/api/account/passkeys/registration", NoMembers(), token: session.token
            ).decode(RegistrationOptions.self)
            #expect(Set(options.exclude.map(\.id)) == [phone.id.base64URL, key.id.base64URL])
            #expect(try await client.send(.delete, Self.path(key), token: session.token).status == 204)
            #expect(try await !client.isAlive(signedIn.token), "a session that began with it ended")
            #expect(try await client.isAlive(session.token))
            let last = try await client.send(.delete, Self.path(phone), token: session.token)
            #expect(last.problem == "conflict", "it is the last way to sign in")
            #expect(try await client.signIn(&phone).account.id == session.account.id)
        }
    }

    @Test("the last passkey goes only when passphrase and a device are left")
    func lastWay() async throws {
        let organisation = try await TestOrganisation()
        try await organisation.serve { client in
            _ = try await client.setUp(organisation.person("owner"))
            let alice = try organisation.person("alice")
            var phone = try SoftAuthenticator()
            let session = try await client.join(alice, &phone, passphrase: alice.passphrase)
            let lone = try await client.signIn(&phone)
            _ = try await client.send(
                .post, "/api/devices/\(session.deviceID)/revoke", Reason(reason: "lost"), token: lone.token
            ).decode(Acknowledgement.self)
            let refused = try await client.send(.delete, Self.path(phone), token: lone.token)
            #expect(refused.problem == "conflict", "a passphrase without device signs nobody in")
            let bob = try organisation.person("bob")
            var bobs = try SoftAuthenticator()
            let other = try await client.join(bob, &bobs, passphrase: bob.passphrase)
            #expect(try await client.send(.delete, Self.path(bobs), token: other.token).status == 204)
            #expect(try await client.isAlive(other.token), "the calling session goes on")
        }
    }

    @Test("one account cannot see, name, remove or take over another's passkey")
    func others() async throws {
        let organisation = try await TestOrganisation()
        try await organisation.serve { client in
            _ = try await client.setUp(organisation.person("owner"))
            var phone = try SoftAuthenticator()
            let alice = try await client.join(organisation.person("alice"), &phone)
            var eves = try SoftAuthenticator()
            let eve = try await client.join(organisation.person("eve"), &eves)
            let renamed = try await client.send(.patch, Self.path(phone), PasskeyRename(name: "mine"), token: eve.token)
            #expect(renamed.problem == "not-found")
            #expect(try await client.send(.delete, Self.path(phone), token: eve.token).problem == "not-found")
            var copy = phone
            #expect(try await Self.add(&copy, eve.token, client).problem == "conflict")
            let list = try await client.send(.get, "/api/account/passkeys", token: eve.token)
                .decode(Listing<Passkey>.self).items
            #expect(list.map(\.id) == [eves.id.base64URL])
            #expect(try await client.signIn(&phone).account.id == alice.account.id)
        }
    }

    /// Challenges that are not for adding a passkey in this session.
    enum Challenge: String, CaseIterable { case signUp, otherSession, confirmation, used, expired }

    @Test("a passkey is added over this session's own challenge only", arguments: Challenge.allCases)
    func challenges(challenge: Challenge) async throws {
        let organisation = try await TestOrganisation()
        try await organisation.serve { client in
            _ = try await client.setUp(organisation.person("owner"))
            var phone = try SoftAuthenticator()
            let session = try await client.join(organisation.person("alice"), &phone)
            let other = try await client.signIn(&phone)
            let path = "/api/account/passkeys/registration"
            var options = try await client.send(.post, path, NoMembers(), token: session.token)
                .decode(RegistrationOptions.self)
            switch challenge {
            case .signUp: options = try await client.registrationOptions("alice")
            case .otherSession:
                options = try await client.send(.post, path, NoMembers(), token: other.token)
                    .decode(RegistrationOptions.self)
            case .confirmation: options.challenge = try await client.ceremony(session.token).challenge
            case .expired:
                organisation.clock.advance(.seconds(Limits.passkeyChallengeTime))
                #expect(try await client.confirm(&phone, session.token).status == 200)
            case .used:
                var first = try SoftAuthenticator()
                let body = NewPasskey(name: "first", registration: first.register(options))
                #expect(
                    try await client.send(.post, "/api/account/passkeys", body, token: session.token).status == 201)
            }
            var key = try SoftAuthenticator()
            let answer = try await client.send(
                .post, "/api/account/passkeys", NewPasskey(name: "x", registration: key.register(options)),
                token: session.token)
            #expect(answer.problem == "invalid-member")
        }
    }

    @Test("an account has so many passkeys")
    func limit() async throws {
        let organisation = try await TestOrganisation()
        try await organisation.serve { client in
            _ = try await client.setUp(organisation.person("owner"))
            var phone = try SoftAuthenticator()
            let session = try await client.join(organisation.person("alice"), &phone)
            for number in 1...Limits.passkeys {
                var next = try SoftAuthenticator()
                let answer = try await Self.add(&next, session.token, client)
                #expect(answer.status == (number < Limits.passkeys ? 201 : 409))
            }
        }
    }

    @Test("an account that began with a passphrase gets a passkey")
    func fromPassphrase() async throws {
        let organisation = try await TestOrganisation()
        try await organisation.serve { client in
            _ = try await client.setUp(organisation.person("owner"))
            let session = try await client.join(organisation.person("alice"))
            var phone = try SoftAuthenticator()
            #expect(try await Self.add(&phone, session.token, client).status == 201)
            #expect(try await client.signIn(&phone).account.id == session.account.id)
        }
    }

    @Test("another passphrase ends the other sessions; an empty one is none")
    func passphrase() async throws {
        let organisation = try await TestOrganisation()
        try await organisation.serve { client in
            _ = try await client.setUp(organisation.person("owner"))
            let alice = try organisation.person("alice")
            var phone = try SoftAuthenticator()
            let session = try await client.join(alice, &phone)
            let other = try await client.signIn(&phone)
            for bad in ["", "short"] {
                let answer = try await client.send(
                    .post, "/api/account/passphrase", PassphraseChange(passphrase: bad), token: session.token)
                #expect(answer.problem == "invalid-member")
            }
            let change = PassphraseChange(passphrase: "seven little words in a row")
            #expect(
                try await client.send(.post, "/api/account/passphrase", change, token: session.token).status == 204)
            #expect(try await !client.isAlive(other.token))
            #expect(try await client.isAlive(session.token))
            let nonce = try await client.send(.post, "/api/sign-in", SignInNonceRequest(username: "alice"))
                .decode(Interface.SignInNonce.self).nonce
            let request = SignInRequest(
                username: "alice", passphrase: change.passphrase, device: session.deviceID,
                proof: try alice.signInProof(nonce))
            #expect(try await client.send(.post, "/api/sessions", request).status == 201)
        }
    }

    @Test("a name can be changed until somebody has checked it")
    func name() async throws {
        let organisation = try await TestOrganisation()
        try await organisation.serve { client in
            _ = try await client.setUp(organisation.person("owner"))
            let session = try await client.join(organisation.person("alice"))
            let renamed = try await client.send(
                .patch, "/api/account", AccountRename(name: "Alice L."), token: session.token
            ).decode(Account.self)
            #expect(renamed.name == "Alice L.")
            try await organisation.server.environment.database.write {
                try AccountStore(transaction: $0).markVerified(id: session.account.id)
            }
            let late = try await client.send(
                .patch, "/api/account", AccountRename(name: "Somebody"), token: session.token)
            #expect(late.problem == "conflict")
        }
    }
}
