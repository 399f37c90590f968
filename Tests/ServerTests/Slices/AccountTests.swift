import Certificates
import CryptoProvider
import Encodings
import HTTPTypes
import Interface
import Testing

@testable import Server

/// Set-up, sign-up, sign-in and invitations, attacked first.
@Suite("Accounts")
struct AccountTests {
    @Test("the main administrator is called by given and family name, in the account and in the certificate")
    func ownersName() async throws {
        let organisation = try await TestOrganisation()
        try await organisation.serve { client in
            var request = try client.setUpRequest(
                organisation.person("owner"), code: organisation.server.environment.setUpCode)
            let parts = PersonName(givenName: "Olga", familyName: "Owner")
            (request.name, request.parts) = (nil, parts)
            let made = try await client.send(.post, "/api/setup", request).decode(SetUpResult.self)
            #expect(made.session.account.name == "Olga Owner" && made.session.account.parts == parts)
            let certificate = try Certificate.parse(try #require(Base64.decode(Bytes(text: made.certificate), .url)))
            #expect(certificate.commonName.map { String(decoding: $0, as: UTF8.self) } == "Olga Owner")
        }
    }

    @Test("set-up needs the printed code and happens once")
    func setUpOnce() async throws {
        let organisation = try await TestOrganisation()
        try await organisation.serve { client in
            let owner = try organisation.person("owner")
            let wrong = try await client.send(
                .post, "/api/setup", client.setUpRequest(owner, code: "0000-0000-0000-0000-0000"))
            #expect(wrong.problem == "wrong-code")
            _ = try await client.setUp(owner)
            let again = try await client.send(
                .post, "/api/setup",
                client.setUpRequest(organisation.person("second"), code: organisation.server.environment.setUpCode))
            #expect(again.problem == "conflict")
        }
    }

    /// What an attacker changes about a device registration.
    enum Forgery: String, CaseIterable {
        case otherKey, otherServer, otherName, otherPurpose, stale, future, sameKeyTwice
    }

    @Test(
        "a device whose key is not proved for this server, name, purpose and time is refused",
        arguments: Forgery.allCases)
    func unproved(forgery: Forgery) async throws {
        let organisation = try await TestOrganisation()
        try await organisation.serve { client in
            _ = try await client.setUp(organisation.person("owner"))
            let eve = try organisation.person("eve")
            var request = try eve.signUp()
            switch forgery {
            case .otherKey: request.device = try eve.registration(provedBy: SigningKey())
            case .otherServer: request.device = try eve.registration(audience: "https://elsewhere.example")
            case .otherName: request.device = try eve.registration(as: "alice")
            case .otherPurpose: request.device = try eve.registration(type: "\(Statement.signInType)")
            case .stale: request.device = try eve.registration(age: 301)
            case .future: request.device = try eve.registration(age: -301)
            case .sameKeyTwice: request.device.encryptionKey = request.device.signingKey
            }
            #expect(try await client.send(.post, "/api/accounts", request).problem == "invalid-member")
            #expect(try await client.send(.post, "/api/accounts", eve.signUp()).status == 201)
        }
    }

    @Test("a username is taken once, in whatever case it is written")
    func usernames() async throws {
        let organisation = try await TestOrganisation()
        try await organisation.serve { client in
            _ = try await client.setUp(organisation.person("owner"))
            _ = try await client.join(organisation.person("alice"))
            let again = try await client.send(.post, "/api/accounts", organisation.person("alice").signUp())
            #expect(again.problem == "conflict")
            for name in ["al", "álice", "a b c", "<b>x", String(repeating: "x", count: 300)] {
                var request = try organisation.person("alice2").signUp()
                request.username = name
                #expect(try await client.send(.post, "/api/accounts", request).problem == "invalid-member", "\(name)")
            }
        }
    }

    /// What is wrong about an attempt to sign in.
    enum Attempt: String, CaseIterable {
        case unknownName, wrongPassphrase, otherDevice, otherKey, madeUpNonce, usedNonce, otherPersonsNonce,
            expiredNonce
        case revokedDevice
    }

    @Test("every failed sign-in looks the same", arguments: Attempt.allCases)
    func failures(attempt: Attempt) async throws {
        let organisation = try await TestOrganisation()
        try await organisation.serve { client in
            _ = try await client.setUp(organisation.person("owner"))
            let alice = try organisation.person("alice")
            let session = try await client.join(alice)
            let eve = try organisation.person("eve")
            let eveSession = try await client.join(eve)
            var username = "alice"
            var passphrase = alice.passphrase
            var device = session.deviceID
            var key = alice.signing
            var nonce = try await Self.challenge("alice", client)
            switch attempt {
            case .unknownName:
                username = "nobody"
                nonce = try await Self.challenge("nobody", client)
            case .wrongPassphrase: passphrase += "x"
            case .otherDevice: device = eveSession.deviceID
            case .otherKey: key = eve.signing
            case .madeUpNonce: nonce = [UInt8](repeating: 3, count: 32).base64URL
            case .usedNonce:
                let proof = try Self.proof(alice, nonce)
                let good = SignInRequest(
                    username: "alice", passphrase: passphrase, device: device, proof: proof)
                #expect(try await client.send(.post, "/api/sessions", good).status == 201)
            case .otherPersonsNonce: nonce = try await Self.challenge("eve", client)
            case .expiredNonce: organisation.clock.advance(.seconds(301))
            case .revokedDevice:
                _ = try await client.send(
                    .post, "/api/devices/\(device)/revoke", Reason(reason: "lost it"), token: session.token
                ).decode(Acknowledgement.self)
            }
            let payload = Statement.signIn(
                audience: TestOrganisation.url, username: username, nonce: nonce,
                time: organisation.clock.clock.now())
            let proof = try key.signJWS(type: "\(Statement.signInType)", payload: payload)
            let request = SignInRequest(username: username, passphrase: passphrase, device: device, proof: proof)
            let answer = try await client.send(.post, "/api/sessions", request)
            #expect(answer.problem == "sign-in-failed")
        }
    }

    @Test("a session ends when its device is revoked, when it is ended, and after its time")
    func sessionsEnd() async throws {
        let organisation = try await TestOrganisation()
        try await organisation.serve { client in
            _ = try await client.setUp(organisation.person("owner"))
            let alice = try await client.join(organisation.person("alice"))
            #expect(try await client.send(.get, "/api/account", token: alice.token).status == 200)
            organisation.clock.advance(.seconds(Limits.sessionTime))
            #expect(try await client.send(.get, "/api/account", token: alice.token).problem == "unauthenticated")
            let carol = try await client.join(organisation.person("carol"))
            _ = try await client.send(
                .post, "/api/devices/\(carol.deviceID)/revoke", Reason(reason: "lost it"), token: carol.token
            ).decode(Acknowledgement.self)
            #expect(try await client.send(.get, "/api/account", token: carol.token).problem == "unauthenticated")
            let bob = try await client.join(organisation.person("bob"))
            #expect(try await client.send(.delete, "/api/sessions/current", token: bob.token).status == 204)
            #expect(try await client.send(.get, "/api/account", token: bob.token).problem == "unauthenticated")
        }
    }

    @Test("an invitation works once, in its time, and makes nobody the main administrator")
    func invitations() async throws {
        let organisation = try await TestOrganisation()
        try await organisation.serve { client in
            let owner = try await client.setUp(organisation.person("owner"))
            for role in [Role.owner, .member] {
                let answer = try await client.send(
                    .post, "/api/invitations", InvitationRequest(role: role, lifetime: 3_600), token: owner.token)
                #expect(answer.problem == "invalid-member")
            }
            let code = try await client.invite(.administrator, token: owner.token)
            #expect(try await client.join(organisation.person("ada"), invitation: code).account.role == .administrator)
            for used in [code, "AAAA-AAAA-AAAA-AAAA-AAAA", ""] {
                let request = try organisation.person("eve").signUp(invitation: used)
                #expect(try await client.send(.post, "/api/accounts", request).problem == "wrong-code")
            }
            let late = try await client.invite(.operator, token: owner.token)
            organisation.clock.advance(.seconds(3_600))
            let request = try organisation.person("late").signUp(invitation: late)
            #expect(try await client.send(.post, "/api/accounts", request).problem == "wrong-code")
        }
    }

    @Test("an invitation says whom it is for, in at most 200 characters")
    func recipients() async throws {
        let organisation = try await TestOrganisation()
        try await organisation.serve { client in
            let owner = try await client.setUp(organisation.person("owner"))
            let long = String(repeating: "ä", count: 200)
            for (said, stored) in [("  Grace Hopper ", "Grace Hopper"), (long, long), ("", nil), (nil, nil)]
                as [(String?, String?)]
            {
                let made = try await client.send(
                    .post, "/api/invitations",
                    InvitationRequest(role: .administrator, lifetime: 3_600, recipient: said), token: owner.token
                ).decode(Invitation.self)
                #expect(made.recipient == stored)
                let listed = try await client.send(.get, "/api/invitations", token: owner.token)
                    .decode(Listing<Invitation>.self).items
                #expect(listed.first { $0.id == made.id }?.recipient == stored)
            }
            for said in [long + "x", "two\nlines", "\u{202E}turned"] {
                let refused = try await client.send(
                    .post, "/api/invitations",
                    InvitationRequest(role: .administrator, lifetime: 3_600, recipient: said), token: owner.token)
                #expect(refused.problem == "invalid-member")
            }
        }
    }

    static func challenge(_ username: String, _ client: TestClient) async throws -> String {
        try await client.send(.post, "/api/sign-in", SignInNonceRequest(username: username)).decode(SignInNonce.self)
            .nonce
    }

    static func proof(_ person: TestPerson, _ nonce: String) throws -> String {
        try person.signing.signJWS(
            type: "\(Statement.signInType)",
            payload: Statement.signIn(
                audience: TestOrganisation.url, username: person.username, nonce: nonce,
                time: person.clock.clock.now()))
    }
}
