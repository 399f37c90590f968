import Encodings
import Foundation
import HTTPTypes
import Interface
import Storage
import Testing

@testable import Server

/// Every route that asks for more than a session, asked without it.
@Suite("What a session must have")
struct DemandTests {
    private static func path(_ endpoint: Endpoint) -> String { endpoint.path.replacing("{id}", with: "x") }

    /// Everybody's sessions, with passkeys.
    private static func everybody(_ client: TestClient) async throws -> [(NewSession, SoftAuthenticator)] {
        let organisation = client.organisation
        let owner = try await client.setUp(organisation.person("owner"))
        var all: [(NewSession, SoftAuthenticator)] = []
        for (name, role) in [("admin", Role.administrator), ("desk", .operator), ("member", .member)] {
            var authenticator = try SoftAuthenticator()
            let person = try organisation.person(name)
            let invitation = role == .member ? nil : try await client.invite(role, token: owner.token)
            let request = SignUpRequest(
                username: name, passkey: authenticator.register(try await client.registrationOptions(name)),
                device: try person.registration(), invitation: invitation)
            all.append((try await client.send(.post, "/api/accounts", request).decode(NewSession.self), authenticator))
        }
        var authenticator = try SoftAuthenticator()
        let options = try await client.send(
            .post, "/api/account/passkeys/registration", NoMembers(), token: owner.token
        ).decode(RegistrationOptions.self)
        let answer = try await client.send(
            .post, "/api/account/passkeys",
            NewPasskey(name: "key", registration: authenticator.register(options)), token: owner.token)
        #expect(answer.status == 201)
        return all + [(owner, authenticator)]
    }

    @Test("a confirmed route refuses every session that was not confirmed lately, and lets it through afterwards")
    func confirmed() async throws {
        let organisation = try await TestOrganisation()
        try await organisation.serve { client in
            let everybody = try await Self.everybody(client)
            organisation.clock.advance(.seconds(Limits.confirmationTime))
            var refused = 0
            for (session, authenticator) in everybody {
                var authenticator = authenticator
                let mine = organisation.server.routes.endpoints.filter {
                    guard case .permission(let permission) = $0.access else { return false }
                    return $0.demands.contains(.confirmation) && permission.isGranted(to: session.account.role)
                }
                for endpoint in mine {
                    let answer = try await client.send(endpoint.method, Self.path(endpoint), token: session.token)
                    #expect(answer.problem == "confirmation-required", "\(endpoint.method) \(endpoint.path)")
                    refused += 1
                }
                #expect(try await client.confirm(&authenticator, session.token).status == 200)
                for endpoint in mine {
                    let answer = try await client.send(endpoint.method, Self.path(endpoint), token: session.token)
                    #expect(answer.problem != "confirmation-required", "\(endpoint.method) \(endpoint.path)")
                }
            }
            #expect(refused > 30)
        }
    }

    @Test("a device route refuses every session without device")
    func device() async throws {
        let organisation = try await TestOrganisation()
        try await organisation.serve { client in
            var refused = 0
            for (session, authenticator) in try await Self.everybody(client) {
                var authenticator = authenticator
                let lone = try await client.signIn(&authenticator)
                for endpoint in organisation.server.routes.endpoints {
                    guard case .permission(let permission) = endpoint.access, endpoint.demands.contains(.device),
                        permission.isGranted(to: session.account.role)
                    else { continue }
                    let answer = try await client.send(endpoint.method, Self.path(endpoint), token: lone.token)
                    #expect(answer.problem == "device-required", "\(endpoint.method) \(endpoint.path)")
                    refused += 1
                }
                // It can look, name and revoke things.
                for path in ["/api/account", "/api/devices", "/api/sessions", "/api/log/mine", "/api/account/passkeys"]
                {
                    #expect(try await client.send(.get, path, token: lone.token).status == 200, "\(path)")
                }
                let renamed = try await client.send(
                    .patch, "/api/devices/\(session.deviceID)", DeviceRename(name: "old"), token: lone.token)
                #expect(renamed.status == 200)
                let revoked = try await client.send(
                    .post, "/api/devices/\(session.deviceID)/revoke", Reason(reason: "lost"), token: lone.token)
                #expect(revoked.status == 200)
                #expect(try await !client.isAlive(session.token))
            }
            #expect(refused > 10)
        }
    }

    @Test("exactly the routes of the contract are confirmed")
    func list() async throws {
        let organisation = try await TestOrganisation()
        let confirmed = organisation.server.routes.endpoints.filter { $0.demands.contains(.confirmation) }
        #expect(
            Set(confirmed.map { "\($0.method) \($0.path)" }) == [
                "POST /api/account/passkeys/registration", "POST /api/account/passkeys",
                "POST /api/approvals/recovery", "POST /api/approvals/recovery/codes",
                "DELETE /api/account/passkeys/{id}", "POST /api/account/passphrase", "POST /api/devices/{id}/revoke",
                "POST /api/pairings/{id}/endorse", "POST /api/invitations", "POST /api/delegations",
                "POST /api/delegations/{id}/certificate", "POST /api/delegations/{id}/revoke",
                "POST /api/documents/{id}/revoke", "DELETE /api/sessions/{id}", "POST /api/log/policy",
                "POST /api/members/{id}/erase", "POST /api/authority/renewal", "POST /api/clients/{id}/erasure",
                "POST /api/signings/{id}/movement", "PUT /api/desk/fields", "PUT /api/desk/settings",
                "PUT /api/desk/forensic-key",
                "POST /api/accounts/{id}/block", "POST /api/accounts/{id}/unblock",
                "POST /api/clients/{id}/enrolment", "POST /api/signings/{id}/confirm", "PUT /api/organisation/face",
                "POST /api/services", "POST /api/services/{id}/key", "DELETE /api/services/{id}",
                "PUT /api/services/{id}/version-1", "PUT /api/services/{id}/webhook",
                "DELETE /api/services/{id}/webhook",
                "PUT /api/services/{id}/quorum", "DELETE /api/services/{id}/quorum",
                "DELETE /api/approvals/devices/{id}", "DELETE /api/approvals/freeze",
                "POST /api/notifications/email", "POST /api/notifications/phone",
                "DELETE /api/notifications/ways/{id}", "POST /api/pico/pairings",
                "POST /api/vault", "DELETE /api/vault", "PUT /api/vault/slots/{id}", "DELETE /api/vault/slots/{id}",
                "PUT /api/vault/pins", "POST /api/vault/guard/enrolments", "DELETE /api/vault/compartments/{id}",
                "PUT /api/vault/compartments/{id}/members/{account}", "POST /api/vault/contacts/{owner}/{id}/ask",
            ])
        #expect(confirmed.allSatisfy { $0.allProblems.contains(.confirmationRequired) })
    }

    @Test("docs/http.md marks what each request of the interface needs")
    func document() async throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        let text = try String(contentsOf: root.appending(path: "docs/http.md"), encoding: .utf8)
        var marks: [String: String] = [:]
        for line in text.split(separator: "\n") {
            let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
            guard cells.count >= 3, cells[0].hasPrefix("`"), cells[0].hasSuffix("`") else { continue }
            marks[String(cells[0].dropFirst().dropLast())] = cells[1]
        }
        let organisation = try await TestOrganisation()
        for endpoint in organisation.server.routes.endpoints where endpoint.path.hasPrefix("/api/") {
            var needs: [String] = []
            switch endpoint.access {
            case .open, .signed: break
            case .program: needs.append("K")
            case .session, .permission: needs.append("S")
            }
            if endpoint.demands.contains(.device) { needs.append("D") }
            if endpoint.demands.contains(.confirmation) { needs.append("C") }
            #expect(marks["\(endpoint.method) \(endpoint.path)"] == needs.joined(separator: " "), "\(endpoint.path)")
        }
    }

    @Test("ending another session is confirmed, ending one's own is not")
    func sessions() async throws {
        let organisation = try await TestOrganisation()
        try await organisation.serve { client in
            _ = try await client.setUp(organisation.person("owner"))
            var phone = try SoftAuthenticator()
            let one = try await client.join(organisation.person("alice"), &phone)
            let two = try await client.signIn(&phone)
            let other = try #require(
                await SessionService(environment: organisation.server.environment).authenticate(token: two.token)
            ).session
            organisation.clock.advance(.seconds(Limits.confirmationTime))
            let refused = try await client.send(.delete, "/api/sessions/\(other)", token: one.token)
            #expect(refused.problem == "confirmation-required")
            #expect(try await client.confirm(&phone, one.token).status == 200)
            #expect(try await client.send(.delete, "/api/sessions/\(other)", token: one.token).status == 204)
            #expect(try await !client.isAlive(two.token))
            organisation.clock.advance(.seconds(Limits.confirmationTime))
            #expect(try await client.send(.delete, "/api/sessions/current", token: one.token).status == 204)
            #expect(try await !client.isAlive(one.token))
        }
    }

    @Test("a request belongs to the device that asked, and to the newest when none did")
    func requests() async throws {
        let organisation = try await TestOrganisation()
        try await organisation.serve { client in
            _ = try await client.setUp(organisation.person("owner"))
            var phone = try SoftAuthenticator()
            let session = try await client.join(organisation.person("alice"), &phone)
            try await organisation.server.environment.database.write {
                try AccountStore(transaction: $0).markVerified(id: session.account.id)
            }
            let lone = try await client.signIn(&phone)
            let ask = NewDocumentRequest(type: "degree", note: "")
            let mine = try await client.send(.post, "/api/requests", ask, token: session.token)
                .decode(DocumentRequest.self)
            #expect(mine.device == session.deviceID)
            let other = try await client.send(.post, "/api/requests", ask, token: lone.token)
                .decode(DocumentRequest.self)
            #expect(other.device == nil)
        }
    }
}
