import CryptoProvider
import Encodings
import HTTPTypes
import Interface
import Storage
import Testing

@testable import Server

/// Signing in with a passkey, attacked first.
@Suite("Passkeys at sign-in")
struct PasskeySignInTests {
    /// What is wrong about an attempt.
    enum Attempt: String, CaseIterable {
        case unknownPasskey, removedPasskey, otherUsersPasskey, otherUsersHandle, noHandle, otherKey, brokenSignature
        case otherOrigin, otherHost, otherType, crossOrigin, notVerified, notPresent, otherBackupEligibility
        case madeUpChallenge, usedChallenge, expiredChallenge, registrationChallenge, confirmationChallenge
        case counterBack, counterSame
        case otherDevice, revokedDevice, otherDeviceKey, otherNonce, proofWithoutDevice, deviceWithoutProof
    }

    @Test("every failed sign-in looks the same and opens nothing", arguments: Attempt.allCases)
    func failures(attempt: Attempt) async throws {
        let organisation = try await TestOrganisation()
        try await organisation.serve { client in
            _ = try await client.setUp(organisation.person("owner"))
            let alice = try organisation.person("alice")
            var phone = try SoftAuthenticator()
            phone.counter = 5
            let session = try await client.join(alice, &phone, passphrase: alice.passphrase)
            var eves = try SoftAuthenticator()
            let eve = try await client.join(organisation.person("eve"), &eves)
            var options = try await client.signInOptions()
            var device: String?
            var proof: String?
            switch attempt {
            case .unknownPasskey:
                phone = try SoftAuthenticator()
                phone.userHandle = eves.userHandle
            case .removedPasskey:
                let answer = try await client.send(
                    .delete, "/api/account/passkeys/\(phone.id.base64URL)", token: session.token)
                #expect(answer.status == 204)
            case .otherUsersPasskey:
                (phone.userHandle, phone.key) = (eves.userHandle, eves.key)
            case .otherUsersHandle: phone.userHandle = eves.userHandle
            case .noHandle: phone.userHandle = nil
            case .otherKey: phone.key = try SigningKey()
            case .otherOrigin: phone.origin = "https://localhost:8080"
            case .otherHost: phone.rpID = "elsewhere.example"
            case .otherType: phone.type = "webauthn.create"
            case .crossOrigin: phone.isCrossOrigin = true
            case .notVerified: phone.flags.remove(.userVerified)
            case .notPresent: phone.flags.remove(.userPresent)
            case .otherBackupEligibility: phone.flags.subtract([.backupEligible, .backedUp])
            case .madeUpChallenge: options.challenge = RandomBytes.make(32).base64URL
            case .registrationChallenge: options.challenge = try await client.registrationOptions("alice").challenge
            case .confirmationChallenge: options.challenge = try await client.ceremony(session.token).challenge
            case .expiredChallenge: organisation.clock.advance(.seconds(Limits.passkeyChallengeTime))
            case .counterBack: phone.counter = 2
            case .counterSame: phone.counter = 4
            case .otherDevice:
                (device, proof) = (eve.deviceID, try alice.signInProof(options.challenge))
            case .revokedDevice:
                _ = try await client.send(
                    .post, "/api/devices/\(session.deviceID)/revoke", Reason(reason: "lost"), token: session.token
                ).decode(Acknowledgement.self)
                (device, proof) = (session.deviceID, try alice.signInProof(options.challenge))
            case .otherDeviceKey:
                (device, proof) = (session.deviceID, try alice.signInProof(options.challenge, by: SigningKey()))
            case .otherNonce:
                let nonce = try await client.signInOptions().challenge
                (device, proof) = (session.deviceID, try alice.signInProof(nonce))
            case .proofWithoutDevice: proof = try alice.signInProof(options.challenge)
            case .deviceWithoutProof: device = session.deviceID
            case .usedChallenge, .brokenSignature: break
            }
            var assertion = try phone.assert(options)
            if attempt == .brokenSignature {
                let other = try await client.signInOptions()
                assertion.signature = try phone.assert(other).signature
            }
            let request = PasskeySignInRequest(assertion: assertion, device: device, proof: proof)
            if attempt == .usedChallenge {
                #expect(try await client.send(.post, "/api/sessions/passkey", request).status == 201)
            }
            let answer = try await client.send(.post, "/api/sessions/passkey", request)
            #expect(answer.problem == "sign-in-failed")
            #expect(answer.status == 401)
        }
    }

    @Test("a passkey alone gives a session without device; with the device's key, one that belongs to it")
    func success() async throws {
        let organisation = try await TestOrganisation()
        try await organisation.serve { client in
            _ = try await client.setUp(organisation.person("owner"))
            let alice = try organisation.person("alice")
            var phone = try SoftAuthenticator()
            let first = try await client.join(alice, &phone)
            for _ in 0..<3 {
                // An authenticator that does not count says 0 for ever.
                let session = try await client.signIn(&phone)
                #expect(session.device == nil && session.account.id == first.account.id)
                let current = try await client.send(.get, "/api/sessions/current", token: session.token)
                    .decode(CurrentSession.self)
                #expect(current.device == nil && current.session.device == nil && current.confirmedUntil != nil)
            }
            // A wallet whose first answer was lost names the device by its key.
            for name in [first.deviceID, alice.signing.publicKey.x963.base64URL] {
                let options = try await client.signInOptions()
                let request = PasskeySignInRequest(
                    assertion: try phone.assert(options), device: name,
                    proof: try alice.signInProof(options.challenge))
                let session = try await client.send(.post, "/api/sessions/passkey", request).decode(NewSession.self)
                #expect(session.device == first.device)
            }
            let passkeys = try await client.send(.get, "/api/account/passkeys", token: first.token)
                .decode(Listing<Passkey>.self).items
            #expect(passkeys.first?.lastUsed != nil)
        }
    }

    @Test("one session too many ends the account's oldest one, with its live updates", arguments: [true, false])
    func oldest(hasPasskey: Bool) async throws {
        let organisation = try await TestOrganisation()
        try await organisation.serve { client in
            _ = try await client.setUp(organisation.person("owner"))
            let alice = try organisation.person("alice")
            var phone = try SoftAuthenticator()
            let first = try await client.join(alice, &phone, passphrase: alice.passphrase)
            let environment = organisation.server.environment
            let principal = try #require(
                await SessionService(environment: environment).authenticate(token: first.token))
            let stream = try environment.events.subscribe(principal)
            organisation.clock.advance(.seconds(1))
            let now = organisation.clock.clock.now()
            for _ in 1..<Limits.sessions {
                let opened = try await environment.database.write { transaction in
                    try environment.openSession(account: first.account, device: nil, in: transaction, now: now)
                }
                #expect(opened.ended == [])
            }
            #expect(environment.events.count == 1)
            if hasPasskey {
                _ = try await client.signIn(&phone)
            } else {
                _ = try await client.signIn(alice, device: first.deviceID)
            }
            #expect(try await !client.isAlive(first.token))
            #expect(environment.events.count == 0)
            environment.events.end(session: principal.session)
            var frames = 0
            for await _ in stream { frames += 1 }
            #expect(frames == 0)
        }
    }

    @Test("a challenge that was answered badly cannot be answered again")
    func burnt() async throws {
        let organisation = try await TestOrganisation()
        try await organisation.serve { client in
            _ = try await client.setUp(organisation.person("owner"))
            var phone = try SoftAuthenticator()
            _ = try await client.join(organisation.person("alice"), &phone)
            let options = try await client.signInOptions()
            var bad = phone
            bad.flags.remove(.userVerified)
            for assertion in [try bad.assert(options), try phone.assert(options)] {
                let answer = try await client.send(
                    .post, "/api/sessions/passkey", PasskeySignInRequest(assertion: assertion))
                #expect(answer.problem == "sign-in-failed")
            }
        }
    }

    @Test("asking for a challenge takes an empty object and nothing else")
    func nothing() async throws {
        let organisation = try await TestOrganisation()
        try await organisation.serve { client in
            let more = try await client.send(.post, "/api/passkeys/sign-in", ["prf": "x"])
            #expect(more.problem == "unknown-member")
            let list = try await client.send(.post, "/api/passkeys/sign-in", [String]())
            #expect(list.problem == "invalid-member")
        }
    }

    @Test("signing in forgets what expired")
    func cleaning() async throws {
        let organisation = try await TestOrganisation()
        try await organisation.serve { client in
            _ = try await client.setUp(organisation.person("owner"))
            var phone = try SoftAuthenticator()
            _ = try await client.join(organisation.person("alice"), &phone)
            let old = try await client.signInOptions().challenge
            organisation.clock.advance(.seconds(Limits.passkeyChallengeTime))
            _ = try await client.signIn(&phone)
            let found = try await organisation.server.environment.database.read {
                try CeremonyStore(transaction: $0).find(challenge: old)
            }
            #expect(found == nil)
        }
    }
}
