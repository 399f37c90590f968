import HTTPTypes
import Interface
import Testing

@testable import Server

/// Every route, asked by everybody whom the table of permissions refuses.
///
/// What the others may do, the tests of each slice show.
@Suite("Who may call what")
struct PermissionMatrixTests {
    @Test("without a session every secured route answers 401, and with a role that lacks the permission 403")
    func everyRoute() async throws {
        let organisation = try await TestOrganisation()
        try await organisation.serve { client in
            let owner = try await client.setUp(organisation.person("owner"))
            let administrator = try await client.join(
                organisation.person("admin"), invitation: client.invite(.administrator, token: owner.token))
            let desk = try await client.join(
                organisation.person("desk"), invitation: client.invite(.operator, token: owner.token))
            let member = try await client.join(organisation.person("member"))
            let sessions = [owner, administrator, desk, member]
            #expect(sessions.map(\.account.role) == Role.allCases)
            var refused = 0
            for endpoint in organisation.server.routes.endpoints {
                let path = endpoint.path.replacing("{path+}", with: "0/000").replacing("{id}", with: "x")
                    .replacing("{list}", with: "1").replacing("{slug}", with: "x")
                guard case .permission(let permission) = endpoint.access else { continue }
                let anonymous = try await client.send(endpoint.method, path)
                #expect(anonymous.problem == "unauthenticated", "\(endpoint.method) \(path)")
                for session in sessions where !permission.isGranted(to: session.account.role) {
                    let answer = try await client.send(endpoint.method, path, token: session.token)
                    #expect(answer.problem == "forbidden", "\(session.account.role) \(endpoint.method) \(path)")
                    refused += 1
                }
            }
            #expect(refused > 40)
        }
    }

    @Test("a member can neither read, end nor find another's device, request, document, its content nor check")
    func others() async throws {
        let organisation = try await TestOrganisation()
        try await organisation.serve { client in
            _ = try await client.setUp(organisation.person("owner"))
            let alice = try await client.join(organisation.person("alice"))
            let eve = try await client.join(organisation.person("eve"))
            let enrolment = try await client.send(
                .post, "/api/enrolments", EnrolmentRequest(commitment: [UInt8](repeating: 1, count: 32).base64URL),
                token: alice.token
            ).decode(Enrolment.self)
            try await organisation.addDocument("theirs", holder: alice, sealed: [1, 2, 3])
            try await ErasureTests.markVerified(alice.account, organisation)
            let request = try await client.send(
                .post, "/api/requests", NewDocumentRequest(type: "generic", note: ""), token: alice.token
            ).decode(DocumentRequest.self)
            for (method, path, body) in [
                (HTTPRequest.Method.get, "/api/enrolments/\(enrolment.id)", nil as (any Encodable)?),
                (.get, "/api/documents/theirs/content", nil), (.delete, "/api/documents/theirs", nil),
                (.get, "/api/requests/\(request.id)", nil),
                (.post, "/api/requests/\(request.id)/cancel", Reason(reason: "because")),
                (.patch, "/api/devices/\(alice.deviceID)", DeviceRename(name: "mine")),
                (.post, "/api/devices/\(alice.deviceID)/revoke", Reason(reason: "because")),
            ] {
                let answer = try await client.send(method, path, body, token: eve.token)
                #expect(answer.problem == "not-found", "\(method) \(path)")
            }
            let answer = try await client.send(
                .post, "/api/enrolments/\(enrolment.id)/abandon", token: eve.token)
            #expect(answer.status == 403)
            // Nothing was changed, and the owner of it all finds what the other did not.
            let found = try await client.send(.get, "/api/requests/\(request.id)", token: alice.token)
            #expect(try found.decode(DocumentRequest.self).state == .pending)
            #expect(try await client.send(.get, "/api/documents/theirs/content", token: alice.token).body == [1, 2, 3])
            for (session, count) in [(alice, 1), (eve, 0)] {
                let requests = try await client.send(.get, "/api/requests", token: session.token)
                #expect(try requests.decode(Listing<DocumentRequest>.self).items.count == count)
                let documents = try await client.send(.get, "/api/documents?issued=true", token: session.token)
                #expect(try documents.decode(Listing<DocumentInfo>.self).items.count == count)
            }
        }
    }

    @Test("an administrator cannot revoke the main administrator's device")
    func upwards() async throws {
        let organisation = try await TestOrganisation()
        try await organisation.serve { client in
            let owner = try await client.setUp(organisation.person("owner"))
            let administrator = try await client.join(
                organisation.person("admin"), invitation: client.invite(.administrator, token: owner.token))
            let answer = try await client.send(
                .post, "/api/devices/\(owner.deviceID)/revoke", Reason(reason: "coup"), token: administrator.token)
            #expect(answer.problem == "not-found")
        }
    }
}
