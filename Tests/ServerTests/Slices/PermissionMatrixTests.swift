import HTTPTypes
import Interface
import Testing

@testable import Server

/// Every route, asked by everybody: what the table of permissions says is what the server does.
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

    @Test("a member sees neither another's device, request, document nor check")
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
            for (method, path, body) in [
                (HTTPRequest.Method.get, "/api/enrolments/\(enrolment.id)", nil as (any Encodable)?),
                (.patch, "/api/devices/\(alice.deviceID)", DeviceRename(name: "mine")),
                (.post, "/api/devices/\(alice.deviceID)/revoke", Reason(reason: "because")),
            ] {
                let answer = try await client.send(method, path, body, token: eve.token)
                #expect(answer.problem == "not-found", "\(method) \(path)")
            }
            let answer = try await client.send(
                .post, "/api/enrolments/\(enrolment.id)/abandon", token: eve.token)
            #expect(answer.status == 403)
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
