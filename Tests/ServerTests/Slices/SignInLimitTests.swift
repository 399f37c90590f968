import HTTPTypes
import Interface
import Testing

@testable import Server

@Suite("How often somebody may try to sign in")
struct SignInLimitTests {
    private func attempt(
        _ person: TestPerson, _ session: NewSession, _ client: TestClient, passphrase: String? = nil
    ) async throws -> SignInRequest {
        let nonce = try await AccountTests.challenge(person.username, client)
        return SignInRequest(
            username: person.username, passphrase: passphrase ?? person.passphrase, device: session.deviceID,
            proof: try AccountTests.proof(person, nonce))
    }

    private func inOrganisation(
        _ body: @escaping @Sendable (TestOrganisation, TestClient, TestPerson, NewSession) async throws -> Void
    ) async throws {
        let organisation = try await TestOrganisation()
        try await organisation.serve { client in
            _ = try await client.setUp(organisation.person("owner"))
            let alice = try organisation.person("alice")
            try await body(organisation, client, alice, try await client.join(alice))
        }
    }

    @Test("a stranger's attempts end after ten, and lock nobody out, whatever he sends")
    func stranger() async throws {
        try await inOrganisation { organisation, client, alice, session in
            let eve = try organisation.person("eve")
            let old = try await attempt(alice, session, client)
            #expect(try await client.send(.post, "/api/sessions", old).status == 201)
            for number in 0..<12 {
                // The right passphrase and device too: without the device's key they are nobody's.
                let nonce = try await AccountTests.challenge("alice", client)
                var guess = SignInRequest(
                    username: "alice", passphrase: number == 0 ? alice.passphrase : "wrong wrong wrong",
                    device: session.deviceID, proof: try AccountTests.proof(eve, nonce))
                // A proof that was used before proves nothing either.
                if number == 1 { guess.proof = old.proof }
                let answer = try await client.send(.post, "/api/sessions", guess)
                #expect(answer.problem == (number < 10 ? "sign-in-failed" : "too-many-requests"), "\(number)")
            }
            #expect(try await client.send(.post, "/api/sessions", attempt(alice, session, client)).status == 201)
        }
    }

    @Test("whoever has a device's key guesses ten passphrases, and then five a minute")
    func device() async throws {
        try await inOrganisation { organisation, client, alice, session in
            var answers: [String?] = []
            for _ in 0..<11 {
                let guess = try await attempt(alice, session, client, passphrase: "wrong wrong wrong")
                answers.append(try await client.send(.post, "/api/sessions", guess).problem)
            }
            #expect(answers == Array(repeating: "sign-in-failed", count: 10) + ["too-many-requests"])
            organisation.clock.advance(.seconds(60))
            for number in 0..<6 {
                let guess = try await attempt(alice, session, client, passphrase: "wrong wrong wrong")
                let problem = try await client.send(.post, "/api/sessions", guess).problem
                #expect(problem == (number < 5 ? "sign-in-failed" : "too-many-requests"), "\(number)")
            }
        }
    }

    @Test("strangers in many networks have a hundred attempts on one name together; its devices are not among them")
    func networks() throws {
        let clock = ManualClock()
        let rates = RateLimiter(clock: clock.clock)
        func spend(_ address: String, device: String? = nil) throws(Problem) {
            try SignInLimit(rates: rates, address: address).spend(username: "alice", device: device)
        }
        for number in 0..<100 { try spend("192.0.2.\(number / 10)") }
        #expect(throws: Problem.self) { try spend("192.0.2.200") }
        #expect(throws: Problem.self) { try spend("2001:db8::1") }
        try spend("192.0.2.200", device: "phone")
        // One host has a whole /64: its addresses count together.
        clock.advance(.seconds(600))
        for number in 0..<10 { try spend("2001:db8::\(number)") }
        #expect(throws: Problem.self) { try spend("2001:db8::ffff") }
        try spend("2001:db8:0:1::1")
    }
}
