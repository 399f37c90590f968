import CryptoProvider
import Encodings
import HTTPTypes
import Interface
import Storage
import Testing

@testable import Server

/// The first device lets another one in, and nobody else does.
@Suite("Pairing")
struct PairingTests {
    /// A person's new device: its own keys and passkey.
    struct NewDevice: Sendable {
        let person: TestPerson
        var passkey: SoftAuthenticator
        var pairing: Pairing?

        init(of username: String, _ organisation: TestOrganisation) throws {
            person = try organisation.person(username)
            passkey = try SoftAuthenticator()
        }

        mutating func ask(_ client: TestClient, passphrase: String? = nil) async throws -> Pairing {
            let options = try await client.registrationOptions(person.username)
            let request = PairingRequest(
                username: person.username, passkey: passkey.register(options), passphrase: passphrase,
                device: try person.registration())
            let pairing = try await client.send(.post, "/api/pairings", request).decode(Pairing.self)
            self.pairing = pairing
            return pairing
        }

        func session(_ client: TestClient, token: String? = nil) async throws -> TestClient.Answer {
            try await client.send(
                .post, "/api/pairings/\(pairing?.id ?? "")/session",
                PairingSessionRequest(token: token ?? pairing?.token ?? ""))
        }

        /// The statement that adds it; the parameters are what attacks change.
        func statement(
            by key: SigningKey, type: String = "\(Statement.pairingType)", audience: String = TestOrganisation.url,
            username: String? = nil, pairing: String? = nil, signing: SigningKey? = nil,
            encryption: EncryptionKey? = nil, age: Int64 = 0
        ) throws -> String {
            try key.signJWS(
                type: type,
                payload: Statement.pairing(
                    audience: audience, username: username ?? person.username,
                    pairing: pairing ?? self.pairing?.id ?? "",
                    signingKey: (signing ?? person.signing).publicKey.thumbprint.base64URL,
                    encryptionKey: (encryption ?? person.encryption).publicKey.thumbprint.base64URL,
                    time: person.clock.clock.now() - age))
        }
    }

    private static func endorse(
        _ id: String, _ statement: String, _ token: String, _ client: TestClient
    ) async throws -> TestClient.Answer {
        try await client.send(
            .post, "/api/pairings/\(id)/endorse", PairingEndorsement(statement: statement), token: token)
    }

    @Test("an added device gets its session once, and signs in from then on")
    func walk() async throws {
        let organisation = try await TestOrganisation()
        try await organisation.serve { client in
            _ = try await client.setUp(organisation.person("owner"))
            let alice = try organisation.person("alice")
            var phone = try SoftAuthenticator()
            let first = try await client.join(alice, &phone)
            var laptop = try NewDevice(of: "alice", organisation)
            let pairing = try await laptop.ask(client)
            #expect(pairing.state == .open)
            #expect(try await laptop.session(client).problem == "conflict", "nobody has decided")
            let details = try await client.send(.get, "/api/pairings/\(pairing.id)", token: first.token)
                .decode(PairingDetails.self)
            #expect(details.signingKey == laptop.person.signing.publicKey.x963.base64URL)
            #expect(details.passkey == laptop.passkey.id.base64URL && details.state == .open)
            let stream = try organisation.server.environment.events.subscribe(
                try #require(
                    await SessionService(environment: organisation.server.environment)
                        .authenticate(token: first.token)))
            let answer = try await Self.endorse(
                pairing.id, laptop.statement(by: alice.signing), first.token, client
            ).decode(Acknowledgement.self)
            #expect(answer.receipt.proof.contains("tlog-proof"))
            let again = try await Self.endorse(
                pairing.id, laptop.statement(by: alice.signing), first.token, client)
            #expect(again.problem == "conflict")
            #expect(try await laptop.session(client, token: "other").problem == "not-found")
            let session = try await laptop.session(client).decode(NewSession.self)
            #expect(session.account.id == first.account.id && session.device?.endorsedBy == first.deviceID)
            #expect(session.receipt == answer.receipt)
            #expect(try await laptop.session(client).problem == "gone", "the token works once")
            let current = try await client.send(.get, "/api/sessions/current", token: session.token)
                .decode(CurrentSession.self)
            #expect(current.confirmedUntil == nil && current.passkeys == 2, "nobody was seen at the new device yet")
            #expect(try await client.confirm(&laptop.passkey, session.token).status == 200)
            organisation.server.environment.events.end(account: first.account.id)
            var kinds: [String] = []
            for await case .event(let event) in stream { kinds.append(event.kind) }
            #expect(kinds == ["device"])
            let options = try await client.signInOptions()
            let later = PasskeySignInRequest(
                assertion: try laptop.passkey.assert(options), device: session.deviceID,
                proof: try laptop.person.signInProof(options.challenge))
            #expect(try await client.send(.post, "/api/sessions/passkey", later).status == 201)
            let entries = try await organisation.server.environment.log.entries(account: first.account.id)
            #expect(entries.items.map(\.type) == ["device.enrolled", "device.enrolled"])
        }
    }

    @Test("a device that was refused, or waited too long, gets nothing")
    func over() async throws {
        let organisation = try await TestOrganisation()
        try await organisation.serve { client in
            _ = try await client.setUp(organisation.person("owner"))
            let alice = try organisation.person("alice")
            var phone = try SoftAuthenticator()
            let first = try await client.join(alice, &phone)
            var refused = try NewDevice(of: "alice", organisation)
            let pairing = try await refused.ask(client)
            let details = try await client.send(.post, "/api/pairings/\(pairing.id)/refuse", token: first.token)
                .decode(PairingDetails.self)
            #expect(details.state == .refused)
            #expect(try await refused.session(client).problem == "gone")
            let changed = try await Self.endorse(
                pairing.id, refused.statement(by: alice.signing), first.token, client)
            #expect(changed.problem == "conflict")

            var late = try NewDevice(of: "alice", organisation)
            let second = try await late.ask(client)
            organisation.clock.advance(.seconds(Limits.pairingTime))
            #expect(try await client.confirm(&phone, first.token).status == 200)
            let shown = try await client.send(.get, "/api/pairings/\(second.id)", token: first.token)
                .decode(PairingDetails.self)
            #expect(shown.state == .expired)
            let answer = try await Self.endorse(second.id, late.statement(by: alice.signing), first.token, client)
            #expect(answer.problem == "gone")
            #expect(try await late.session(client).problem == "gone")
            let devices = try await client.send(.get, "/api/devices", token: first.token)
                .decode(Listing<Device>.self).items
            #expect(devices.count == 1)
            let options = try await client.signInOptions()
            let opened = try await client.send(
                .post, "/api/sessions/passkey", PasskeySignInRequest(assertion: late.passkey.assert(options)))
            #expect(opened.problem == "sign-in-failed", "nor does its passkey")
        }
    }

    @Test("a session that was endorsed in time must be fetched in time")
    func fetchedLate() async throws {
        let organisation = try await TestOrganisation()
        try await organisation.serve { client in
            _ = try await client.setUp(organisation.person("owner"))
            let alice = try organisation.person("alice")
            let first = try await client.join(alice)
            var laptop = try NewDevice(of: "alice", organisation)
            let pairing = try await laptop.ask(client)
            let statement = try laptop.statement(by: alice.signing)
            #expect(try await Self.endorse(pairing.id, statement, first.token, client).status == 200)
            organisation.clock.advance(.seconds(Limits.pairingTime))
            #expect(try await laptop.session(client).problem == "gone")
            // Its passkey is in all the same.
            #expect(try await client.signIn(&laptop.passkey).account.id == first.account.id)
        }
    }

    @Test("another account neither sees nor decides it, and unknown names are taken like known ones")
    func foreign() async throws {
        let organisation = try await TestOrganisation()
        try await organisation.serve { client in
            let owner = try await client.setUp(organisation.person("owner"))
            _ = try await client.join(organisation.person("alice"))
            let eves = try organisation.person("eve")
            let eve = try await client.join(eves)
            var laptop = try NewDevice(of: "alice", organisation)
            let pairing = try await laptop.ask(client)
            for token in [eve.token, owner.token] {
                let path = "/api/pairings/\(pairing.id)"
                #expect(try await client.send(.get, path, token: token).problem == "not-found")
                #expect(try await client.send(.post, path + "/refuse", token: token).problem == "not-found")
                let statement = try laptop.statement(by: eves.signing)
                let answer = try await Self.endorse(pairing.id, statement, token, client)
                #expect(answer.problem == "not-found")
            }
            var nobody = try NewDevice(of: "nobody", organisation)
            #expect(try await nobody.ask(client).state == .open)
            #expect(try await nobody.session(client).problem == "conflict")
        }
    }

    /// What is wrong with an endorsement.
    enum Forgery: String, CaseIterable {
        case otherSigner, otherType, otherServer, otherName, otherPairing, otherSigningKey, otherEncryptionKey
        case stale, future, replayed
    }

    @Test(
        "an endorsement is for exactly this pairing and its keys, by this device, just now", arguments: Forgery.allCases
    )
    func forged(forgery: Forgery) async throws {
        let organisation = try await TestOrganisation()
        try await organisation.serve { client in
            _ = try await client.setUp(organisation.person("owner"))
            let alice = try organisation.person("alice")
            let first = try await client.join(alice)
            var other = try NewDevice(of: "alice", organisation)
            _ = try await other.ask(client)
            var laptop = try NewDevice(of: "alice", organisation)
            let pairing = try await laptop.ask(client)
            let statement =
                switch forgery {
                case .otherSigner: try laptop.statement(by: laptop.person.signing)
                case .otherType: try laptop.statement(by: alice.signing, type: "\(Statement.enrolmentType)")
                case .otherServer: try laptop.statement(by: alice.signing, audience: "https://elsewhere.example")
                case .otherName: try laptop.statement(by: alice.signing, username: "eve")
                case .otherPairing: try laptop.statement(by: alice.signing, pairing: other.pairing?.id)
                case .otherSigningKey: try laptop.statement(by: alice.signing, signing: SigningKey())
                case .otherEncryptionKey: try laptop.statement(by: alice.signing, encryption: EncryptionKey())
                case .stale: try laptop.statement(by: alice.signing, age: 301)
                case .future: try laptop.statement(by: alice.signing, age: -301)
                case .replayed: try other.statement(by: alice.signing)
                }
            let answer = try await Self.endorse(pairing.id, statement, first.token, client)
            #expect(answer.problem == "invalid-member")
            #expect(try await laptop.session(client).problem == "conflict", "it still waits")
            let good = try laptop.statement(by: alice.signing)
            #expect(try await Self.endorse(pairing.id, good, first.token, client).status == 200)
        }
    }

    @Test("a new device proves its keys and its passkey like any other")
    func unproved() async throws {
        let organisation = try await TestOrganisation()
        try await organisation.serve { client in
            _ = try await client.setUp(organisation.person("owner"))
            _ = try await client.join(organisation.person("alice"))
            let laptop = try organisation.person("alice")
            var passkey = try SoftAuthenticator()
            let registration = passkey.register(try await client.registrationOptions("eve"))
            for request in [
                PairingRequest(username: "alice", passkey: registration, device: try laptop.registration()),
                PairingRequest(
                    username: "alice", passphrase: laptop.passphrase, device: try laptop.registration(age: 301)),
            ] {
                #expect(try await client.send(.post, "/api/pairings", request).problem == "invalid-member")
            }
        }
    }

    @Test("keys and passkeys that are registered already are not let in twice")
    func taken() async throws {
        let organisation = try await TestOrganisation()
        try await organisation.serve { client in
            _ = try await client.setUp(organisation.person("owner"))
            let alice = try organisation.person("alice")
            var phone = try SoftAuthenticator()
            let first = try await client.join(alice, &phone)
            for isPasskey in [false, true] {
                var laptop = try NewDevice(of: "alice", organisation)
                guard isPasskey else {
                    let request = PairingRequest(
                        username: "alice",
                        passkey: laptop.passkey.register(try await client.registrationOptions("alice")),
                        device: try alice.registration())
                    let pairing = try await client.send(.post, "/api/pairings", request).decode(Pairing.self)
                    let statement = try alice.signing.signJWS(
                        type: "\(Statement.pairingType)",
                        payload: Statement.pairing(
                            audience: TestOrganisation.url, username: "alice", pairing: pairing.id,
                            signingKey: alice.signing.publicKey.thumbprint.base64URL,
                            encryptionKey: alice.encryption.publicKey.thumbprint.base64URL,
                            time: organisation.clock.clock.now()))
                    let answer = try await Self.endorse(pairing.id, statement, first.token, client)
                    #expect(answer.problem == "conflict")
                    continue
                }
                laptop.passkey = phone
                let pairing = try await laptop.ask(client)
                let statement = try laptop.statement(by: alice.signing)
                let answer = try await Self.endorse(pairing.id, statement, first.token, client)
                #expect(answer.problem == "conflict")
            }
        }
    }

    @Test("a passphrase must be the account's; an account without one gets it")
    func passphrases() async throws {
        let organisation = try await TestOrganisation()
        try await organisation.serve { client in
            _ = try await client.setUp(organisation.person("owner"))
            let alice = try organisation.person("alice")
            var phone = try SoftAuthenticator()
            let first = try await client.join(alice, &phone)
            for (passphrase, status) in [
                ("first passphrase", 200), ("other passphrase", 409), ("first passphrase", 200),
            ] {
                var laptop = try NewDevice(of: "alice", organisation)
                let pairing = try await laptop.ask(client, passphrase: passphrase)
                let statement = try laptop.statement(by: alice.signing)
                let answer = try await Self.endorse(pairing.id, statement, first.token, client)
                #expect(answer.status == status)
            }
            let current = try await client.send(.get, "/api/sessions/current", token: first.token)
                .decode(CurrentSession.self)
            #expect(current.hasPassphrase && current.passkeys == 3)
        }
    }

    @Test("of many that wait for one name the newest few count")
    func many() async throws {
        let organisation = try await TestOrganisation()
        try await organisation.serve { client in
            _ = try await client.setUp(organisation.person("owner"))
            let alice = try organisation.person("alice")
            let first = try await client.join(alice)
            var waiting: [Pairing] = []
            for _ in 0...Limits.pairings {
                var device = try NewDevice(of: "alice", organisation)
                waiting.append(try await device.ask(client))
                organisation.clock.advance(.seconds(1))
            }
            var states: [PairingState] = []
            for pairing in waiting {
                states.append(
                    try await client.send(.get, "/api/pairings/\(pairing.id)", token: first.token)
                        .decode(PairingDetails.self).state)
            }
            #expect(states == [.expired] + Array(repeating: .open, count: Int(Limits.pairings)))
        }
    }

    @Test("an added device adds another, and a revoked one does not")
    func chain() async throws {
        let organisation = try await TestOrganisation()
        try await organisation.serve { client in
            _ = try await client.setUp(organisation.person("owner"))
            let alice = try organisation.person("alice")
            let first = try await client.join(alice)
            var laptop = try NewDevice(of: "alice", organisation)
            let pairing = try await laptop.ask(client)
            let one = try laptop.statement(by: alice.signing)
            #expect(try await Self.endorse(pairing.id, one, first.token, client).status == 200)
            let second = try await laptop.session(client).decode(NewSession.self)
            #expect(try await client.confirm(&laptop.passkey, second.token).status == 200)
            var tablet = try NewDevice(of: "alice", organisation)
            let next = try await tablet.ask(client)
            // The first device's session, the second one's key.
            let two = try tablet.statement(by: laptop.person.signing)
            let mixed = try await Self.endorse(next.id, two, first.token, client)
            #expect(mixed.problem == "invalid-member")
            #expect(try await Self.endorse(next.id, two, second.token, client).status == 200)
            let third = try await tablet.session(client).decode(NewSession.self)
            let endorsements = try await organisation.server.environment.database.read { transaction in
                try organisation.server.environment.endorsements(of: #require(third.device), in: transaction)
            }
            #expect(endorsements.map(\.statement) == [two, one])
            #expect(endorsements.map(\.signingKey) == [second, first].map { $0.device?.signingKey })
            _ = try await client.send(
                .post, "/api/devices/\(second.deviceID)/revoke", Reason(reason: "lost"), token: first.token
            ).decode(Acknowledgement.self)
            #expect(try await !client.isAlive(second.token))
            #expect(try await client.isAlive(third.token), "what it let in before stays")
        }
    }
}
