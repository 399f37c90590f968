import CryptoProvider
import Encodings
import HTTPTypes
import Interface
import Testing

@testable import Server

/// An organisation with certified administrators, and a member whose check is open.
struct TypedCodeStage: Sendable {
    let organisation: TestOrganisation
    let client: TestClient
    let owner: NewSession
    let administrators: [(person: TestPerson, session: NewSession)]
    let alice: TestPerson
    let session: NewSession

    /// Runs a body with all of it.
    static func run(
        administrators count: Int = 1, _ body: @escaping @Sendable (TypedCodeStage) async throws -> Void
    ) async throws {
        let organisation = try await TestOrganisation()
        try await organisation.serve { client in
            let owner = try organisation.person("owner")
            let ownerSession = try await client.setUp(owner)
            var administrators: [(TestPerson, NewSession)] = []
            for number in 0..<count {
                let checker = try organisation.person("checker\(number)")
                let session = try await client.join(
                    checker, invitation: client.invite(.administrator, token: ownerSession.token))
                try await organisation.certify(checker, session, by: owner.authority, ownerSession, client)
                administrators.append((checker, session))
            }
            let alice = try organisation.person("alice")
            try await body(
                TypedCodeStage(
                    organisation: organisation, client: client, owner: ownerSession, administrators: administrators,
                    alice: alice, session: try await client.join(alice)))
        }
    }

    static let commitment = [UInt8](repeating: 1, count: 32).base64URL

    /// Alice opens a check, or another person does.
    func open(_ session: NewSession? = nil) async throws -> Enrolment {
        try await client.send(
            .post, "/api/enrolments", EnrolmentRequest(commitment: Self.commitment),
            token: (session ?? self.session).token
        ).decode(Enrolment.self)
    }

    /// The answer to a person who asks for the characters of a check.
    func ask(_ check: Enrolment, _ session: NewSession? = nil) async throws -> TestClient.Answer {
        try await client.send(
            .post, "/api/enrolments/\(check.id)/typed-code", token: (session ?? self.session).token)
    }

    /// Characters of a check of Alice's.
    func characters(_ check: Enrolment) async throws -> String { try await ask(check).decode(TypedCode.self).code }

    /// The answer to an administrator, the first unless another is named, who types something.
    func type(_ characters: String, _ session: NewSession? = nil) async throws -> TestClient.Answer {
        try await client.send(
            .post, "/api/typed-codes", TypedCodeEntry(code: characters),
            token: (session ?? administrators[0].session).token)
    }

    /// The answer to an administrator who begins a check.
    func claim(_ check: Enrolment, _ session: NewSession) async throws -> TestClient.Answer {
        try await client.send(
            .post, "/api/enrolments/\(check.id)/claim",
            EnrolmentClaim(nonce: [UInt8](repeating: 2, count: 32).base64URL), token: session.token)
    }
}
