import Certificates
import CryptoProvider
import Encodings
import Foundation
import HTTPTypes
import Interface
import Storage
import Testing

@testable import Server

@Suite("The main administrator's certificate")
struct AuthorityTests {
    private func renewal(
        _ owner: TestPerson, _ organisation: TestOrganisation, to key: SigningKey? = nil, by: SigningKey? = nil,
        previous: String? = nil, isPossessed: Bool = true
    ) async throws -> AuthorityRenewal {
        let certified = by ?? owner.authority
        let next = key ?? owner.authority
        let inUse = try await organisation.stored().owner.fingerprint.base64URL
        let statement = Statement.renewal(
            audience: TestOrganisation.url, username: owner.username,
            previous: previous ?? inUse,
            authorityKey: next.publicKey.x963.base64URL, time: organisation.clock.clock.now())
        let type = "\(Statement.renewalType)"
        return AuthorityRenewal(
            authorityKey: next.publicKey.x963.base64URL, proof: try certified.signJWS(type: type, payload: statement),
            possession: key != nil && isPossessed ? try next.signJWS(type: type, payload: statement) : nil)
    }

    @Test("is renewed for the same key or another, once for each statement, by its holder only")
    func renewed() async throws {
        let organisation = try await TestOrganisation()
        try await organisation.serve { client in
            let owner = try organisation.person("owner")
            let session = try await client.setUp(owner)
            func send(_ renewal: AuthorityRenewal, token: String? = nil) async throws -> TestClient.Answer {
                try await client.send(.post, "/api/authority/renewal", renewal, token: token ?? session.token)
            }
            organisation.clock.advance(.seconds(60))
            let before = try await organisation.stored()
            let request = try await renewal(owner, organisation)
            // Somebody else's session.
            let member = try await client.join(organisation.person("eve"))
            #expect(try await send(request, token: member.token).problem == "forbidden")
            // Her session, another's key: a page that was taken over gains nothing.
            let thief = try SigningKey()
            for forged in [
                try await renewal(owner, organisation, to: thief, by: thief),
                try await renewal(owner, organisation, to: thief, isPossessed: false),
                try await renewal(owner, organisation, by: thief),
                try await renewal(owner, organisation, previous: before.root.certificate.fingerprint.base64URL),
            ] { #expect(try await send(forged).problem == "invalid-member") }
            #expect(try await organisation.stored().ownerCertificate == before.ownerCertificate)
            let renewed = try await send(request).decode(RenewedAuthority.self)
            let after = try await organisation.stored()
            #expect(after.ownerCertificate == renewed.certificate)
            #expect(try after.owner.publicKey == owner.authority.publicKey)
            #expect(try after.owner.statusReference == before.owner.statusReference)
            // Replayed.
            #expect(try await send(request).problem == "invalid-member")
            // Another key: the old one no longer counts.
            let next = try SigningKey()
            _ = try await send(renewal(owner, organisation, to: next)).decode(RenewedAuthority.self)
            let last = try await organisation.stored()
            #expect(try last.owner.publicKey == next.publicKey)
            #expect(try last.owner.statusReference != before.owner.statusReference)
            #expect(try await send(renewal(owner, organisation)).problem == "invalid-member")
            for stored in [before, after, last] {
                let verdict = try opensslVerify(
                    [stored.owner.der], root: stored.root.certificate.der, at: organisation.clock.clock.now())
                #expect(verdict == "leaf: OK\n")
            }
            // Without the root it says so.
            try FileManager.default.removeItem(atPath: organisation.keyFile("root"))
            let offline = try await send(renewal(owner, organisation, by: next))
            #expect(offline.problem == "conflict")
            #expect(String(decoding: offline.body, as: UTF8.self).contains("The root is offline"))
        }
    }

    @Test("an administrator's certificate stays with the one that it was issued under")
    func administrators() async throws {
        let organisation = try await TestOrganisation()
        try await organisation.serve { client in
            let owner = try organisation.person("owner")
            let session = try await client.setUp(owner)
            let registrar = try organisation.person("registrar")
            let joined = try await client.join(
                registrar, invitation: try await client.invite(.administrator, token: session.token))
            try await certify(registrar, joined, by: owner.authority, session, organisation, client)
            let before = try await organisation.stored()
            organisation.clock.advance(.seconds(60))
            let request = try await renewal(owner, organisation, to: SigningKey())
            _ = try await client.send(.post, "/api/authority/renewal", request, token: session.token)
                .decode(RenewedAuthority.self)
            let own = try await client.send(.get, "/api/delegations", token: joined.token)
                .decode(Listing<Delegation>.self).items
            let chain = own[0].chain.compactMap { Base64.decode(Bytes(text: $0), .url) }
            #expect(own[0].chain[1] == before.ownerCertificate)
            let root = try await organisation.stored().root
            let now = organisation.clock.clock.now()
            _ = try CertificatePath.validate(
                chain: chain, root: root, purpose: .documents, at: now, suite: SwiftCryptoSuite())
            let verdict = try opensslVerify(chain, root: root.certificate.der, at: now)
            #expect(verdict == "leaf: OK\n")
        }
    }

    /// An administrator asks, and the main administrator's key certifies hers.
    private func certify(
        _ person: TestPerson, _ joined: NewSession, by authority: SigningKey, _ owner: NewSession,
        _ organisation: TestOrganisation, _ client: TestClient
    ) async throws {
        let now = organisation.clock.clock.now()
        let asked = try await client.send(
            .post, "/api/delegations",
            DelegationRequest(
                authorityKey: person.authority.publicKey.x963.base64URL,
                proof: try person.authority.signJWS(
                    type: "\(Statement.authorityType)",
                    payload: Statement.authority(
                        audience: TestOrganisation.url, username: person.username, time: now))), token: joined.token
        ).decode(Delegation.self)
        let place = try #require(asked.status)
        var random = RandomSource.system
        let certificate = try CertificateIssuer.administrator(
            name: "Registrar", key: person.authority.publicKey, capabilities: [.identifyMembers, .signDocuments],
            status: Certificates.StatusReference(uri: Bytes(text: place.uri), index: place.index),
            issuer: IssuingAuthority(key: authority, certificate: try await organisation.stored().owner.der),
            notBefore: now, random: &random)
        _ = try await client.send(
            .post, "/api/delegations/\(asked.id)/certificate",
            Certification(certificate: certificate.base64URL, capabilities: Capability.allCases), token: owner.token
        ).decode(Acknowledgement.self)
    }

    private func recovery(_ person: TestPerson, code: String, passphrase: String? = nil) throws -> OwnerRecovery {
        OwnerRecovery(
            code: code, username: person.username, passphrase: passphrase ?? "a new passphrase for her",
            device: try person.registration(), authorityKey: person.authority.publicKey.x963.base64URL,
            authorityProof: try person.authority.signJWS(
                type: "\(Statement.authorityType)",
                payload: Statement.authority(
                    audience: TestOrganisation.url, username: person.username, time: person.clock.clock.now())))
    }

    @Test("a recovery code gives new keys once, in time, with the root; all that was before ends")
    func recovered() async throws {
        let organisation = try await TestOrganisation()
        try await organisation.serve { client in
            let owner = try organisation.person("owner")
            let session = try await client.setUp(owner)
            let registrar = try organisation.person("registrar")
            let joined = try await client.join(
                registrar, invitation: try await client.invite(.administrator, token: session.token))
            try await certify(registrar, joined, by: owner.authority, session, organisation, client)
            let before = try await organisation.stored()
            let environment = organisation.server.environment
            let service = RecoveryService(environment: environment)
            func send(_ request: OwnerRecovery) async throws -> TestClient.Answer {
                try await client.send(.post, "/api/authority/recovery", request)
            }
            let again = try organisation.person("owner")
            // No code was made; an old one; one that ended.
            #expect(try await send(recovery(again, code: "0000-0000-0000-0000-0000")).problem == "wrong-code")
            let first = try await service.makeCode()
            let second = try await service.makeCode()
            #expect(try await send(recovery(again, code: first.code)).problem == "wrong-code")
            #expect(
                try await send(recovery(organisation.person("registrar"), code: second.code)).problem == "wrong-code")
            organisation.clock.advance(.seconds(Limits.recoveryTime))
            #expect(try await send(recovery(again, code: second.code)).problem == "wrong-code")
            let third = try await service.makeCode()
            // The key that was lost does not come back.
            #expect(try await send(recovery(owner, code: third.code)).status >= 400)
            // The root is away.
            try FileManager.default.moveItem(
                atPath: organisation.keyFile("root"), toPath: organisation.keyFile("away"))
            #expect(try await send(recovery(again, code: third.code)).problem == "conflict")
            await #expect(throws: AuthorityError.rootOffline) { try await service.makeCode() }
            try FileManager.default.moveItem(
                atPath: organisation.keyFile("away"), toPath: organisation.keyFile("root"))
            let back = try await send(recovery(again, code: third.code)).decode(SetUpResult.self)
            #expect(back.session.account == session.account)
            // Reused.
            #expect(try await send(recovery(organisation.person("owner"), code: third.code)).problem == "wrong-code")
            for token in [session.token, joined.token] {
                #expect(try await client.send(.get, "/api/account", token: token).problem == "unauthenticated")
            }
            let devices = try await client.send(.get, "/api/devices", token: back.session.token)
                .decode(Listing<Device>.self).items
            #expect(devices.count == 2 && devices.filter { $0.revoked == nil }.map(\.id) == [back.session.device?.id])
            let after = try await organisation.stored()
            #expect(try after.owner.publicKey == again.authority.publicKey)
            // Both the old certificate and the administrator's under it are revoked, and the log says so.
            let places = try await environment.database.read { transaction in
                try StatusStore(transaction: transaction).revocations(list: 1).map(\.position)
            }
            let lost = try #require(environment.statusLists.place(of: before.owner))
            #expect(places.contains(lost.position) && places.count == 2)
            let verdict = try opensslVerify(
                [after.owner.der], root: after.root.certificate.der, at: organisation.clock.clock.now())
            #expect(verdict == "leaf: OK\n")
            #expect(
                try await organisation.types().suffix(4)
                    == ["device.revoked", "certificate.revoked", "certificate.renewed", "device.enrolled"])
        }
    }

    @Test("guessing at recovery codes is slowed down")
    func guessed() async throws {
        let organisation = try await TestOrganisation()
        try await organisation.serve { client in
            _ = try await client.setUp(organisation.person("owner"))
            let request = try recovery(organisation.person("owner"), code: "1111-1111-1111-1111-1111")
            var refusals: [String] = []
            for _ in 0...Int(Limits.Rate.signIn.burst) {
                refusals.append(try await client.send(.post, "/api/authority/recovery", request).problem ?? "")
            }
            #expect(Set(refusals.dropLast()) == ["wrong-code"] && refusals.last == "too-many-requests")
        }
    }
}
