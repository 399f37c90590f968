import HTTPTypes
import Interface
import Testing

@testable import Server

/// Requests that one administrator hands to another.
@Suite("Assigning a request")
struct AssignmentTests {
    private static func join(
        _ name: String, _ owner: (person: TestPerson, session: NewSession), isCertified: Bool, _ client: TestClient
    ) async throws -> NewSession {
        let person = try client.organisation.person(name)
        let session = try await client.join(
            person, invitation: try await client.invite(.administrator, token: owner.session.token))
        if isCertified {
            try await client.organisation.certify(person, session, by: owner.person.authority, owner.session, client)
        }
        return session
    }

    @Test("a certified administrator hands it to another administrator, who alone prepares the answer")
    func assigned() async throws {
        let organisation = try await TestOrganisation()
        try await organisation.serve { client in
            let person = try organisation.person("owner")
            let owner = (person: person, session: try await client.setUp(person))
            let first = try await Self.join("first", owner, isCertified: true, client)
            let second = try await Self.join("second", owner, isCertified: true, client)
            let newcomer = try await Self.join("newcomer", owner, isCertified: false, client)
            let bob = try await client.join(organisation.person("bob"))
            try await ErasureTests.markVerified(bob.account, organisation)
            let request = try await client.send(
                .post, "/api/requests", NewDocumentRequest(type: "generic", note: ""), token: bob.token
            ).decode(DocumentRequest.self)
            let path = "/api/requests/\(request.id)"
            func assign(to username: String, by session: NewSession) async throws -> TestClient.Answer {
                try await client.send(.post, "\(path)/assign", Assignment(username: username), token: session.token)
            }
            for (username, session, problem) in [
                ("second", bob, "forbidden"), ("second", owner.session, "forbidden"), ("bob", first, "not-found"),
                ("nobody", first, "not-found"), ("owner", first, "not-found"),
            ] {
                #expect(try await assign(to: username, by: session).problem == problem, "\(username)")
            }
            #expect(try await assign(to: "second", by: newcomer).problem != nil)
            let before = try await client.send(.get, path, token: bob.token).decode(DocumentRequest.self)
            #expect(before.state == .pending && before.administrator == nil)

            // The one who asked sees whose it is, and it can be handed on.
            for username in ["first", "second"] {
                let answer = try await assign(to: username, by: first).decode(DocumentRequest.self)
                #expect(answer.state == .accepted && answer.administrator?.username == username)
                let seen = try await client.send(.get, path, token: bob.token).decode(DocumentRequest.self)
                #expect(seen.administrator?.username == username)
            }
            #expect(try await client.send(.post, "\(path)/prepare", token: first.token).problem != nil)
            let plan = try await client.send(.post, "\(path)/prepare", token: second.token)
            #expect(try plan.decode(IssuancePlan.self).holder.username == "bob")
        }
    }
}
