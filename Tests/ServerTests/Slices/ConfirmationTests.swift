import CryptoProvider
import Encodings
import HTTPTypes
import Interface
import Testing

@testable import Server

/// The confirmations that a session needs, and the failures that end it.
@Suite("Confirmation")
struct ConfirmationTests {
    /// An account with passkey and passphrase, and its session.
    private static func alice(
        _ client: TestClient
    ) async throws -> (person: TestPerson, phone: SoftAuthenticator, session: NewSession) {
        let organisation = client.organisation
        _ = try await client.setUp(organisation.person("owner"))
        let person = try organisation.person("alice")
        var phone = try SoftAuthenticator()
        phone.counter = 1
        let session = try await client.join(person, &phone, passphrase: person.passphrase)
        return (person, phone, session)
    }

    private static func report(_ challenge: String, _ token: String, _ client: TestClient) async throws -> Int {
        try await client.send(
            .post, "/api/account/ceremony-failures", CeremonyFailureReport(challenge: challenge), token: token
        ).decode(CeremonyFailure.self).remaining
    }

    private static func confirm(
        _ person: TestPerson, _ token: String, _ client: TestClient, passphrase: String? = nil,
        by key: SigningKey? = nil
    ) async throws -> TestClient.Answer {
        let nonce = try await client.send(.post, "/api/sign-in", SignInNonceRequest(username: person.username))
            .decode(SignInNonce.self).nonce
        return try await client.send(
            .post, "/api/account/confirmations",
            ConfirmationRequest(
                passphrase: passphrase ?? person.passphrase, proof: try person.signInProof(nonce, by: key)),
            token: token)
    }

    @Test("a session is confirmed for five minutes after signing in, and after each confirmation")
    func lasts() async throws {
        let organisation = try await TestOrganisation()
        try await organisation.serve { client in
            var (person, phone, session) = try await Self.alice(client)
            let act = {
                try await client.send(
                    .post, "/api/account/passkeys/registration", NoMembers(), token: session.token)
            }
            #expect(try await act().status == 200)
            organisation.clock.advance(.seconds(Limits.confirmationTime))
            #expect(try await act().problem == "confirmation-required")
            // By this a page whose answer was lost tells a confirmation that was accepted from the one before it.
            let before = try await client.ceremony(session.token).confirmedUntil
            #expect(before == organisation.clock.clock.now())
            let confirmation = try await client.confirm(&phone, session.token).decode(Confirmation.self)
            #expect(confirmation.confirmedUntil == organisation.clock.clock.now() + Limits.confirmationTime)
            #expect(try await act().status == 200)
            organisation.clock.advance(.seconds(Limits.confirmationTime))
            #expect(try await act().problem == "confirmation-required")
            #expect(try await Self.confirm(person, session.token, client).status == 200)
            #expect(try await act().status == 200)
        }
    }

    /// How two failures come about.
    enum Failure: String, CaseIterable {
        case reported, expired, wrongAssertion, wrongPassphrase, wrongProof
    }

    static let pairs = Failure.allCases.flatMap { first in Failure.allCases.map { (first, $0) } }

    @Test("two failures in a row end the session and its streams, however they came about", arguments: pairs)
    func twoFailures(first: Failure, second: Failure) async throws {
        let organisation = try await TestOrganisation()
        try await organisation.serve { client in
            var (person, phone, session) = try await Self.alice(client)
            let principal = try #require(
                await SessionService(environment: organisation.server.environment).authenticate(token: session.token))
            let stream = try organisation.server.environment.events.subscribe(principal)
            func fail(_ failure: Failure) async throws {
                switch failure {
                case .reported:
                    _ = try await Self.report(client.ceremony(session.token).challenge, session.token, client)
                case .expired:
                    _ = try await client.ceremony(session.token)
                    organisation.clock.advance(.seconds(Limits.ceremonyTime))
                case .wrongAssertion:
                    var bad = phone
                    bad.flags.remove(.userVerified)
                    _ = try await client.confirm(&bad, session.token)
                case .wrongPassphrase:
                    _ = try await Self.confirm(person, session.token, client, passphrase: "not the passphrase")
                case .wrongProof: _ = try await Self.confirm(person, session.token, client, by: SigningKey())
                }
            }
            try await fail(first)
            #expect(try await client.isAlive(session.token))
            try await fail(second)
            if second == .expired {
                // Nobody has looked yet: the next one who asks for anything of the kind finds out.
                let next = try await client.send(
                    .post, "/api/account/ceremonies", NoMembers(), token: session.token)
                #expect(next.problem == "unauthenticated")
            }
            #expect(try await !client.isAlive(session.token))
            var events = 0
            for await _ in stream { events += 1 }
            #expect(events == 0)
            // The account is as it was.
            phone.counter += 10
            #expect(try await client.signIn(&phone).account.username == person.username)
        }
    }

    @Test("a success begins the count again")
    func successResets() async throws {
        let organisation = try await TestOrganisation()
        try await organisation.serve { client in
            var (_, phone, session) = try await Self.alice(client)
            for _ in 0..<3 {
                #expect(
                    try await Self.report(client.ceremony(session.token).challenge, session.token, client) == 1)
                #expect(try await client.confirm(&phone, session.token).status == 200)
            }
        }
    }

    @Test("a failure is counted once: reported twice, late, or for somebody else's challenge")
    func once() async throws {
        let organisation = try await TestOrganisation()
        try await organisation.serve { client in
            var (_, phone, session) = try await Self.alice(client)
            var eves = try SoftAuthenticator()
            let eve = try await client.join(organisation.person("eve"), &eves)
            let foreign = try await client.ceremony(eve.token).challenge
            #expect(try await Self.report(foreign, session.token, client) == 2)
            #expect(try await Self.report("made up", session.token, client) == 2)
            let challenge = try await client.ceremony(session.token).challenge
            for _ in 0..<3 { #expect(try await Self.report(challenge, session.token, client) == 1) }
            #expect(try await client.confirm(&phone, session.token).status == 200)
            // Answered too late, it counts as not answered, and not as wrong as well.
            let late = try await client.ceremony(session.token)
            organisation.clock.advance(.seconds(Limits.ceremonyTime))
            let answer = try await client.send(
                .post, "/api/account/confirmations", ConfirmationRequest(assertion: phone.assert(late)),
                token: session.token)
            #expect(answer.problem == "confirmation-failed")
            #expect(try await Self.report(late.challenge, session.token, client) == 1)
            #expect(try await client.isAlive(session.token))
            // Eve's own count was not touched.
            #expect(try await Self.report(foreign, eve.token, client) == 1)
        }
    }

    /// Assertions that do not confirm this session.
    enum Attempt: String, CaseIterable {
        case otherSession, otherAccount, signInChallenge, registrationChallenge, used, counterBack, otherOrigin
        case malformed
    }

    @Test("only this session's challenge and this account's passkey confirm", arguments: Attempt.allCases)
    func attempts(attempt: Attempt) async throws {
        let organisation = try await TestOrganisation()
        try await organisation.serve { client in
            var (_, phone, session) = try await Self.alice(client)
            var eves = try SoftAuthenticator()
            _ = try await client.join(organisation.person("eve"), &eves)
            let second = try await client.signIn(&phone)
            var options = try await client.ceremony(session.token)
            #expect(options.credentials.map(\.id) == [phone.id.base64URL])
            #expect(options.credentials.first?.transports == ["internal", "hybrid"])
            switch attempt {
            case .otherSession: options = try await client.ceremony(second.token)
            case .otherAccount: phone = eves
            case .signInChallenge: options = try await client.signInOptions()
            case .registrationChallenge: options.challenge = try await client.registrationOptions("alice").challenge
            case .counterBack: phone.counter = 1
            case .otherOrigin: phone.origin = "https://localhost.example"
            case .used, .malformed: break
            }
            var request = ConfirmationRequest(assertion: try phone.assert(options))
            if attempt == .malformed { request.assertion?.signature = "*" }
            if attempt == .used {
                let good = try await client.send(.post, "/api/account/confirmations", request, token: session.token)
                #expect(good.status == 200)
            }
            let answer = try await client.send(.post, "/api/account/confirmations", request, token: session.token)
            #expect(answer.problem == "confirmation-failed")
            #expect(try await client.isAlive(session.token))
        }
    }

    @Test("either an assertion or passphrase and proof, and results of extensions never")
    func forms() async throws {
        let organisation = try await TestOrganisation()
        try await organisation.serve { client in
            var (person, phone, session) = try await Self.alice(client)
            let options = try await client.ceremony(session.token)
            var both = ConfirmationRequest(assertion: try phone.assert(options))
            both.passphrase = person.passphrase
            for body in [both, ConfirmationRequest(passphrase: "x", proof: "y")] {
                var body = body
                if body.assertion == nil { body.proof = nil }
                let answer = try await client.send(
                    .post, "/api/account/confirmations", body, token: session.token)
                #expect(answer.problem == "invalid-member")
            }
            let leaky = ["assertion": ["id": "a", "client_extension_results": "b"]]
            let answer = try await client.send(.post, "/api/account/confirmations", leaky, token: session.token)
            #expect(["unknown-member", "invalid-member"].contains(answer.problem))
            #expect(try await client.isAlive(session.token))
        }
    }

    @Test("a session has so many open challenges; without a passkey they only count the tries at a passphrase")
    func limits() async throws {
        let organisation = try await TestOrganisation()
        try await organisation.serve { client in
            let (_, _, session) = try await Self.alice(client)
            for _ in 0..<Limits.ceremonies { _ = try await client.ceremony(session.token) }
            let more = try await client.send(.post, "/api/account/ceremonies", NoMembers(), token: session.token)
            #expect(more.problem == "conflict")
            let bob = try await client.join(organisation.person("bob"))
            let options = try await client.ceremony(bob.token)
            #expect(options.credentials.isEmpty)
            #expect(try await Self.report(options.challenge, bob.token, client) == 1)
        }
    }

    @Test("a session without device cannot confirm with a passphrase, and does not suffer for trying")
    func deviceless() async throws {
        let organisation = try await TestOrganisation()
        try await organisation.serve { client in
            var (person, phone, _) = try await Self.alice(client)
            let session = try await client.signIn(&phone)
            for _ in 0..<3 {
                let answer = try await Self.confirm(person, session.token, client)
                #expect(answer.problem == "device-required")
            }
            #expect(try await client.isAlive(session.token))
        }
    }
}
