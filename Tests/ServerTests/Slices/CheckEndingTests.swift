import Encodings
import HTTPTypes
import Interface
import Testing

@testable import Server

@Suite("A face-to-face check that was not completed")
struct CheckEndingTests {
    private static let commitment = [UInt8](repeating: 1, count: 32).base64URL

    private func open(_ token: String, _ client: TestClient) async throws -> Enrolment {
        try await client.send(
            .post, "/api/enrolments", EnrolmentRequest(commitment: Self.commitment), token: token
        ).decode(Enrolment.self)
    }

    @Test("says who ended it")
    func endings() async throws {
        let organisation = try await TestOrganisation()
        try await organisation.serve { client in
            let owner = try organisation.person("owner")
            let ownerSession = try await client.setUp(owner)
            let checker = try organisation.person("checker")
            let checkerSession = try await client.join(
                checker, invitation: client.invite(.administrator, token: ownerSession.token))
            try await organisation.certify(checker, checkerSession, by: owner.authority, ownerSession, client)
            let alice = try await client.join(organisation.person("alice"))

            let first = try await open(alice.token, client)
            #expect(first.endedBy == nil)
            let second = try await open(alice.token, client)
            let older = try await client.send(.get, "/api/enrolments/\(first.id)", token: alice.token)
            #expect(try older.decode(Enrolment.self).endedBy == .newerCode)

            let own = try await client.send(.post, "/api/enrolments/\(second.id)/abandon", token: alice.token)
            #expect(try own.decode(Enrolment.self).endedBy == .holder)

            let third = try await open(alice.token, client)
            let claimed = try await client.send(
                .post, "/api/enrolments/\(third.id)/claim",
                EnrolmentClaim(nonce: [UInt8](repeating: 2, count: 32).base64URL), token: checkerSession.token)
            #expect(try claimed.decode(Enrolment.self).endedBy == nil)
            _ = try await client.send(.post, "/api/enrolments/\(third.id)/abandon", token: checkerSession.token)
            let seen = try await client.send(.get, "/api/enrolments/\(third.id)", token: alice.token)
            #expect(try seen.decode(Enrolment.self).endedBy == .administrator)
        }
    }

    private func abandon(_ check: Enrolment, _ session: NewSession, _ client: TestClient) async throws -> String? {
        try await client.send(.post, "/api/enrolments/\(check.id)/abandon", token: session.token).problem
    }

    @Test("keeps who ended it first, whoever gives up afterwards")
    func first() async throws {
        try await TypedCodeStage.run { stage in
            let checker = stage.administrators[0].session
            for (first, second, ending) in [
                (stage.session, checker, Enrolment.Ending.holder), (checker, stage.session, .administrator),
            ] {
                let check = try await stage.open()
                _ = try await stage.claim(check, checker).decode(Enrolment.self)
                #expect(try await abandon(check, first, stage.client) == nil)
                #expect(try await abandon(check, second, stage.client) == "conflict")
                for session in [stage.session, checker] {
                    let seen = try await stage.client.send(.get, "/api/enrolments/\(check.id)", token: session.token)
                    #expect(try seen.decode(Enrolment.self).endedBy == ending)
                }
            }
        }
    }

    @Test("tells the administrator at once when the member has shown a newer code")
    func newer() async throws {
        try await TypedCodeStage.run { stage in
            let checker = stage.administrators[0].session
            let check = try await stage.open()
            _ = try await stage.claim(check, checker).decode(Enrolment.self)
            let environment = stage.organisation.server.environment
            let principal = try #require(
                await SessionService(environment: environment).authenticate(token: checker.token))
            let stream = try environment.events.subscribe(principal)
            _ = try await stage.open()
            environment.events.end(session: principal.session)
            var told: [LiveEvent] = []
            for await case .event(let event) in stream { told.append(event) }
            #expect(told.map(\.id) == [check.id] && told.map(\.state) == ["abandoned"])
        }
    }
}
