import CryptoProvider
import Encodings
import HTTPTypes
import Interface
import Storage
import Testing

@testable import Server

/// Passkeys made at sign-up and set-up, forged in every way a browser or thief could.
@Suite("Passkeys at sign-up")
struct PasskeySignUpTests {
    @Test("a passkey alone makes an account, whose name is the username")
    func signUp() async throws {
        let organisation = try await TestOrganisation()
        try await organisation.serve { client in
            _ = try await client.setUp(organisation.person("owner"))
            var authenticator = try SoftAuthenticator()
            let session = try await client.join(organisation.person("alice"), &authenticator)
            #expect(session.account.name == "alice")
            #expect(session.receipt != nil)
            let passkeys = try await client.send(.get, "/api/account/passkeys", token: session.token)
                .decode(Listing<Passkey>.self).items
            #expect(passkeys.map(\.id) == [authenticator.id.base64URL])
            #expect(passkeys.first?.name == "test")
            #expect(passkeys.first?.isBackedUp == true && passkeys.first?.isHardwareBound == false)
            let current = try await client.send(.get, "/api/sessions/current", token: session.token)
                .decode(CurrentSession.self)
            #expect(!current.hasPassphrase && current.passkeys == 1)
            #expect(current.device == session.device && current.confirmedUntil != nil)
            let other = try await client.send(
                .post, "/api/sessions",
                SignInRequest(username: "alice", passphrase: "", device: session.deviceID, proof: ""))
            #expect(other.problem == "sign-in-failed")
        }
    }

    @Test("the main administrator may set up with a passkey")
    func setUp() async throws {
        let organisation = try await TestOrganisation()
        try await organisation.serve { client in
            let owner = try organisation.person("owner")
            var authenticator = try SoftAuthenticator()
            let options = try await client.registrationOptions("owner")
            #expect(options.rpID == "localhost" && options.rpName == "Countersign")
            var request = try client.setUpRequest(owner, code: organisation.server.environment.setUpCode)
            request.passphrase = nil
            #expect(try await client.send(.post, "/api/setup", request).problem == "invalid-member")
            request.passkey = authenticator.register(options)
            let session = try await client.send(.post, "/api/setup", request).decode(SetUpResult.self).session
            #expect(try await client.signIn(&authenticator).account.id == session.account.id)
            #expect(try await client.registrationOptions("alice").rpName == "Test University")
        }
    }

    @Test("without passphrase and passkey there is no account")
    func neither() async throws {
        let organisation = try await TestOrganisation()
        try await organisation.serve { client in
            _ = try await client.setUp(organisation.person("owner"))
            var request = try organisation.person("alice").signUp()
            request.passphrase = nil
            #expect(try await client.send(.post, "/api/accounts", request).problem == "invalid-member")
        }
    }

    @Test("options do not tell who has an account")
    func options() async throws {
        let organisation = try await TestOrganisation()
        try await organisation.serve { client in
            _ = try await client.setUp(organisation.person("owner"))
            var authenticator = try SoftAuthenticator()
            _ = try await client.join(organisation.person("alice"), &authenticator)
            let known = try await client.registrationOptions("alice")
            let again = try await client.registrationOptions("alice")
            #expect(known.exclude.isEmpty && known.userID != again.userID && known.userID != authenticator.userHandle)
            #expect(try await client.signInOptions().credentials.isEmpty)
        }
    }

    /// What is wrong with a registration.
    enum Forgery: String, CaseIterable {
        case otherOrigin, otherHost, otherType, otherChallenge, otherName, signInChallenge, notVerified, notPresent
        case crossOrigin, expired, used, otherID, brokenObject, tooManyTransports, backedUpOnly
    }

    @Test(
        "a registration that is not for this server, name, purpose and moment is refused", arguments: Forgery.allCases)
    func forged(forgery: Forgery) async throws {
        let organisation = try await TestOrganisation()
        try await organisation.serve { client in
            _ = try await client.setUp(organisation.person("owner"))
            let alice = try organisation.person("alice")
            var authenticator = try SoftAuthenticator()
            var options = try await client.registrationOptions(forgery == .otherName ? "eve" : "alice")
            switch forgery {
            case .otherOrigin: authenticator.origin = "http://localhost:8081"
            case .otherHost: authenticator.rpID = "localhost.example"
            case .otherType: authenticator.type = "webauthn.get"
            case .otherChallenge: authenticator.challenge = RandomBytes.make(32).base64URL
            case .signInChallenge: options.challenge = try await client.signInOptions().challenge
            case .notVerified: authenticator.flags.remove(.userVerified)
            case .notPresent: authenticator.flags.remove(.userPresent)
            case .crossOrigin: authenticator.isCrossOrigin = true
            case .backedUpOnly: authenticator.flags.remove(.backupEligible)
            case .otherName, .expired, .used, .otherID, .brokenObject, .tooManyTransports: break
            }
            var registration = authenticator.register(options)
            switch forgery {
            case .expired: organisation.clock.advance(.seconds(Limits.passkeyChallengeTime))
            case .used:
                let first = SignUpRequest(
                    username: "alice", passkey: registration, device: try alice.registration())
                #expect(try await client.send(.post, "/api/accounts", first).status == 201)
            case .otherID: registration.id = RandomBytes.make(32).base64URL
            case .brokenObject: registration.attestationObject.removeLast(4)
            case .tooManyTransports: registration.transports = Array(repeating: "usb", count: 9)
            default: break
            }
            let name = forgery == .used ? "mallory" : "alice"
            let person = forgery == .used ? try organisation.person(name) : alice
            let request = SignUpRequest(username: name, passkey: registration, device: try person.registration())
            #expect(try await client.send(.post, "/api/accounts", request).problem == "invalid-member")
            let rows = try await organisation.server.environment.database.read { transaction in
                try AccountStore(transaction: transaction).find(username: name)
            }
            #expect(rows == nil, "nothing is half done")
        }
    }

    @Test("a challenge that was answered badly cannot be answered again")
    func burnt() async throws {
        let organisation = try await TestOrganisation()
        try await organisation.serve { client in
            _ = try await client.setUp(organisation.person("owner"))
            let alice = try organisation.person("alice")
            var authenticator = try SoftAuthenticator()
            let options = try await client.registrationOptions("alice")
            authenticator.flags.remove(.userVerified)
            for _ in 0..<2 {
                let request = SignUpRequest(
                    username: "alice", passkey: authenticator.register(options), device: try alice.registration())
                #expect(try await client.send(.post, "/api/accounts", request).problem == "invalid-member")
                authenticator.flags.insert(.userVerified)
            }
        }
    }

    @Test("when a sign-up fails for another reason, its challenge is still good and nothing is stored")
    func wholeOrNothing() async throws {
        let organisation = try await TestOrganisation()
        try await organisation.serve { client in
            _ = try await client.setUp(organisation.person("owner"))
            _ = try await client.join(organisation.person("alice"))
            var authenticator = try SoftAuthenticator()
            let options = try await client.registrationOptions("alice")
            let request = SignUpRequest(
                username: "alice", passkey: authenticator.register(options),
                device: try organisation.person("alice").registration())
            #expect(try await client.send(.post, "/api/accounts", request).problem == "conflict")
            let id = authenticator.id.base64URL
            let (passkey, ceremony) = try await organisation.server.environment.database.read { transaction in
                (
                    try PasskeyStore(transaction: transaction).find(id: id),
                    try CeremonyStore(transaction: transaction).find(challenge: options.challenge)
                )
            }
            #expect(passkey == nil && ceremony != nil)
        }
    }

    /// A registration as a careless page would send it.
    private struct Leaky: Encodable {
        struct Registration: Encodable {
            let id: String
            let clientData: String
            let attestationObject: String
            let transports: [String]
            let clientExtensionResults: [String: [String: String]]
        }
        let username: String
        let passkey: Registration
        let device: DeviceRegistration
    }

    @Test("a body with results of extensions is refused, whatever they are")
    func extensions() async throws {
        let organisation = try await TestOrganisation()
        try await organisation.serve { client in
            _ = try await client.setUp(organisation.person("owner"))
            let alice = try organisation.person("alice")
            var authenticator = try SoftAuthenticator()
            let good = authenticator.register(try await client.registrationOptions("alice"))
            let body = Leaky(
                username: "alice",
                passkey: Leaky.Registration(
                    id: good.id, clientData: good.clientData, attestationObject: good.attestationObject,
                    transports: good.transports, clientExtensionResults: ["prf": ["first": "c2VjcmV0"]]),
                device: try alice.registration())
            #expect(try await client.send(.post, "/api/accounts", body).problem == "unknown-member")
        }
    }
}
