import HTTPTypes
import Interface
import Storage
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
                // Also with the right passphrase and device: without the device's key they prove nothing.
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

    /// One more server of the organisation: it remembers for itself only what it has seen, as after a restart.
    private struct Guesser: Sendable {
        let organisation: TestOrganisation
        let rates: RateLimiter

        init(_ organisation: TestOrganisation) {
            self.organisation = organisation
            rates = RateLimiter(clock: organisation.clock.clock)
        }

        /// The answer to an attempt.
        func answer(_ request: SignInRequest) async throws -> String {
            do {
                _ = try await SessionService(environment: organisation.server.environment)
                    .signIn(request, limit: SignInLimit(rates: rates, address: "192.0.2.1"))
                return "signed in"
            } catch let problem as Problem {
                return problem.kind.rawValue
            } catch AccountError.signInFailed {
                return "failed"
            }
        }
    }

    @Test("failures count on all servers of a database together, across their restarts, and come back with time")
    func processes() async throws {
        try await inOrganisation { organisation, client, alice, session in
            @Sendable func guess(
                _ guesser: Guesser, _ passphrase: String? = "wrong wrong wrong"
            ) async throws -> String {
                try await guesser.answer(try await attempt(alice, session, client, passphrase: passphrase))
            }
            let servers = (0..<3).map { _ in Guesser(organisation) }
            for _ in 0..<5 {
                #expect(try await guess(servers[0]) == "failed")
                #expect(try await guess(servers[1], nil) == "signed in")
                #expect(try await guess(servers[1]) == "failed")
            }
            #expect(try await guess(servers[2]) == "too-many-requests")
            #expect(try await guess(servers[2], nil) == "too-many-requests")
            // Twelve seconds bring one back. Successful attempts do not use it up.
            organisation.clock.advance(.seconds(12))
            #expect(try await guess(servers[2], nil) == "signed in")
            #expect(try await guess(servers[2]) == "failed")
            #expect(try await guess(servers[2], nil) == "too-many-requests")
            // Once full again, nothing is kept.
            organisation.clock.advance(.seconds(130))
            #expect(try await guess(servers[2], nil) == "signed in")
            try await RetentionService(environment: organisation.server.environment, days: .init()).sweep()
            let kept = try await organisation.rows()["tries"] ?? []
            #expect(kept.isEmpty)
        }
    }

    @Test("as many attempts at once as there are servers are no more than one after the other")
    func atOnce() async throws {
        try await inOrganisation { organisation, client, alice, session in
            var requests: [SignInRequest] = []
            for _ in 0..<24 {
                requests.append(try await attempt(alice, session, client, passphrase: "wrong wrong wrong"))
            }
            let answers = try await withThrowingTaskGroup(of: String.self) { group in
                for request in requests { group.addTask { try await Guesser(organisation).answer(request) } }
                return try await group.reduce(into: [String]()) { $0.append($1) }
            }
            #expect(answers.filter { $0 == "failed" }.count == 10)
            #expect(answers.filter { $0 == "too-many-requests" }.count == 14)
        }
    }

    @Test("the right passphrase is refused if the limit was used up while it was being compared")
    func overtaken() async throws {
        try await inOrganisation { organisation, client, alice, session in
            let nonce = try await AccountTests.challenge(alice.username, client)
            let environment = organisation.server.environment
            let limit = SignInLimit(rates: RateLimiter(clock: organisation.clock.clock), address: "192.0.2.1")
            let buckets = limit.buckets(username: alice.username, device: session.deviceID, environment)
            let now = environment.now()
            for number in 0...10 {
                let isLast = number == 10
                let isOpen = try await environment.database.write { transaction in
                    let store = SessionStore(transaction: transaction)
                    guard isLast else {
                        try TryStore(transaction: transaction).count(buckets, now: now)
                        return try store.hasNonce(nonce: nonce, username: alice.username, now: now)
                    }
                    return try store.consumeNonce(
                        nonce: nonce, username: alice.username, now: now, while: buckets.first)
                }
                #expect(isOpen == !isLast)
            }
        }
    }

    @Test("the table of failures names nobody")
    func names() async throws {
        try await inOrganisation { organisation, client, alice, session in
            _ = try await client.send(
                .post, "/api/sessions", attempt(alice, session, client, passphrase: "wrong wrong wrong"))
            let rows = try await organisation.rows()["tries"] ?? []
            #expect(rows.count == 1)
            let text = "\(rows)"
            #expect(!text.contains("alice") && !text.contains(session.deviceID))
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
