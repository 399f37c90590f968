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
}
