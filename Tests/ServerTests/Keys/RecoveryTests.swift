import Certificates
import CryptoProvider
import Encodings
import Foundation
import HTTPTypes
import Interface
import Storage
import Testing

@testable import Server

@Suite("The main administrator's way back")
struct RecoveryTests {
    @Test("a recovery code gives new keys once, in time, with the root; all that was before ends")
    func recovered() async throws {
        let organisation = try await TestOrganisation()
        try await organisation.serve { client in
            let owner = try organisation.person("owner")
            let session = try await client.setUp(owner)
            let registrar = try organisation.person("registrar")
            let joined = try await client.join(
                registrar, invitation: try await client.invite(.administrator, token: session.token))
            try await organisation.certify(registrar, joined, by: owner.authority, session, client)
            let before = try await organisation.stored()
            let environment = organisation.server.environment
            let service = RecoveryService(environment: environment)
            func send(_ request: OwnerRecovery) async throws -> TestClient.Answer {
                try await client.send(.post, "/api/authority/recovery", request)
            }
            let again = try organisation.person("owner")
            // Browsers of the lost device, and of somebody who had signed in without any.
            try await client.subscribe(session, "own")
            try await environment.database.write { transaction in
                let ways = NotificationWayStore(transaction: transaction)
                var way = try #require(try ways.list(of: session.account.id).first)
                (way.id, way.device) = ("thief", nil)
                try ways.insert(way)
            }
            // No code was made; an old one; one that ended.
            #expect(try await send(again.recovery(code: "0000-0000-0000-0000-0000")).problem == "wrong-code")
            let first = try await service.makeCode()
            let second = try await service.makeCode()
            #expect(try await send(again.recovery(code: first.code)).problem == "wrong-code")
            #expect(
                try await send(organisation.person("registrar").recovery(code: second.code)).problem == "wrong-code")
            organisation.clock.advance(.seconds(Limits.recoveryTime))
            #expect(try await send(again.recovery(code: second.code)).problem == "wrong-code")
            let third = try await service.makeCode()
            // The key that was lost does not come back.
            #expect(try await send(owner.recovery(code: third.code)).status >= 400)
            // The root is away.
            try FileManager.default.moveItem(
                atPath: organisation.keyFile("root"), toPath: organisation.keyFile("away"))
            #expect(try await send(again.recovery(code: third.code)).problem == "conflict")
            await #expect(throws: AuthorityError.rootOffline) { try await service.makeCode() }
            try FileManager.default.moveItem(
                atPath: organisation.keyFile("away"), toPath: organisation.keyFile("root"))
            let back = try await send(again.recovery(code: third.code)).decode(SetUpResult.self)
            #expect(back.session.account == session.account)
            #expect(try await client.notifications(back.session).ways == [])
            // Reused.
            #expect(try await send(organisation.person("owner").recovery(code: third.code)).problem == "wrong-code")
            for token in [session.token, joined.token] {
                #expect(try await client.send(.get, "/api/account", token: token).problem == "unauthenticated")
            }
            let devices = try await client.send(.get, "/api/devices", token: back.session.token)
                .decode(Listing<Device>.self).items
            #expect(devices.count == 2 && devices.filter { $0.revoked == nil }.map(\.id) == [back.session.device?.id])
            let after = try await organisation.stored()
            #expect(try after.owner.publicKey == again.authority.publicKey)
            // Both the old certificate and the administrator's under it are revoked, and the log says so.
            let places = try await organisation.revokedCertificates()
            #expect(try places.contains(organisation.position(before.owner)) && places.count == 2)
            let verdict = try await opensslVerify(
                [after.owner.der], root: after.root.certificate.der, at: organisation.clock.clock.now())
            #expect(verdict == "leaf: OK\n")
            #expect(
                try await organisation.types().suffix(4)
                    == ["device.revoked", "certificate.revoked", "certificate.renewed", "device.enrolled"])
        }
    }

    @Test("a thief who renewed with keys of his own, certified and invited, has nothing left", arguments: [1, 2])
    func stolen(renewals: Int) async throws {
        let organisation = try await TestOrganisation()
        try await organisation.serve { client in
            let owner = try organisation.person("owner")
            let session = try await client.setUp(owner)
            var certificates = [try await organisation.stored().owner]
            var keys = [owner.authority]
            func certified(_ name: String) async throws {
                let person = try organisation.person(name)
                let joined = try await client.join(
                    person, invitation: try await client.invite(.administrator, token: session.token))
                try await organisation.certify(person, joined, by: keys[keys.count - 1], session, client)
            }
            try await certified("registrar")
            // The operator renews the main administrator's certificate in between: the same key, the same place.
            organisation.clock.advance(.seconds(60))
            let root = try await organisation.certificates.authority()
            _ = try await organisation.certificates.renew([.mainAdministrator], by: root)
            for number in 0..<renewals {
                organisation.clock.advance(.seconds(60))
                let next = try SigningKey()
                let request = try await organisation.renewal(owner, to: next, by: keys.last)
                _ = try await client.send(.post, "/api/authority/renewal", request, token: session.token)
                    .decode(RenewedAuthority.self)
                keys.append(next)
                certificates.append(try await organisation.stored().owner)
                try await certified("accomplice\(number)")
            }
            let invitations = [
                try await client.invite(.administrator, token: session.token),
                try await client.invite(.operator, token: session.token),
            ]
            let code = try await RecoveryService(environment: organisation.server.environment).makeCode().code
            // None of the keys comes back as the main administrator's.
            for key in keys {
                let known = try organisation.person("owner", authority: key)
                let answer = try await client.send(.post, "/api/authority/recovery", known.recovery(code: code))
                #expect(answer.problem == "invalid-member")
            }
            let again = try organisation.person("owner")
            let back = try await client.send(.post, "/api/authority/recovery", again.recovery(code: code))
                .decode(SetUpResult.self)
            let revoked = try await organisation.revokedCertificates()
            for certificate in certificates { #expect(try revoked.contains(organisation.position(certificate))) }
            let delegations = try await client.send(.get, "/api/delegations", token: back.session.token)
                .decode(Listing<Delegation>.self).items
            #expect(delegations.count == renewals + 1 && delegations.allSatisfy { $0.state == .revoked })
            for delegation in delegations {
                let status = try #require(delegation.status)
                #expect(revoked.contains(Int64(status.index)))
            }
            let inForce = try await organisation.stored().owner
            #expect(inForce.publicKey == again.authority.publicKey)
            #expect(try !revoked.contains(organisation.position(inForce)))
            #expect(try await organisation.types().filter { $0 == "certificate.revoked" }.count == renewals + 1)
            for invitation in invitations {
                let request = try organisation.person("eve").signUp(invitation: invitation)
                #expect(try await client.send(.post, "/api/accounts", request).problem == "wrong-code")
            }
            // The second time it is the last key only that is revoked.
            let second = try await RecoveryService(environment: organisation.server.environment).makeCode().code
            _ = try await client.send(
                .post, "/api/authority/recovery", organisation.person("owner").recovery(code: second)
            ).decode(SetUpResult.self)
            #expect(try await organisation.types().filter { $0 == "certificate.revoked" }.count == renewals + 2)
        }
    }

    @Test("while a code is open nobody has a key certified, and her sessions have ended")
    func window() async throws {
        let organisation = try await TestOrganisation()
        try await organisation.serve { client in
            let owner = try organisation.person("owner")
            let session = try await client.setUp(owner)
            _ = try await RecoveryService(environment: organisation.server.environment).makeCode()
            #expect(try await client.send(.get, "/api/account", token: session.token).problem == "unauthenticated")
            func renew() async throws -> TestClient.Answer {
                let signedIn = try await client.signIn(owner, device: session.deviceID)
                return try await client.send(
                    .post, "/api/authority/renewal", organisation.renewal(owner, to: SigningKey()),
                    token: signedIn.token)
            }
            let refused = try await renew()
            #expect(refused.problem == "conflict")
            #expect(String(decoding: refused.body, as: UTF8.self).contains("recovery code"))
            organisation.clock.advance(.seconds(Limits.recoveryTime))
            #expect(try await renew().problem == nil)
        }
    }

    @Test("guessing at recovery codes is slowed down")
    func guessed() async throws {
        let organisation = try await TestOrganisation()
        try await organisation.serve { client in
            _ = try await client.setUp(organisation.person("owner"))
            let request = try organisation.person("owner").recovery(code: "1111-1111-1111-1111-1111")
            var refusals: [String] = []
            for _ in 0...Int(Limits.Rate.signIn.burst) {
                refusals.append(try await client.send(.post, "/api/authority/recovery", request).problem ?? "")
            }
            #expect(Set(refusals.dropLast()) == ["wrong-code"] && refusals.last == "too-many-requests")
        }
    }
}
