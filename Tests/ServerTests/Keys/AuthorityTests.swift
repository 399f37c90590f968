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
            let request = try await organisation.renewal(owner)
            // Another person's session.
            let member = try await client.join(organisation.person("eve"))
            #expect(try await send(request, token: member.token).problem == "forbidden")
            // The main administrator's session with another key: a page that was taken over gains nothing.
            let thief = try SigningKey()
            for forged in [
                try await organisation.renewal(owner, to: thief, by: thief),
                try await organisation.renewal(owner, to: thief, isPossessed: false),
                try await organisation.renewal(owner, by: thief),
                try await organisation.renewal(owner, previous: before.root.certificate.fingerprint.base64URL),
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
            _ = try await send(organisation.renewal(owner, to: next)).decode(RenewedAuthority.self)
            let last = try await organisation.stored()
            #expect(try last.owner.publicKey == next.publicKey)
            #expect(try last.owner.statusReference != before.owner.statusReference)
            #expect(try await send(organisation.renewal(owner)).problem == "invalid-member")
            for stored in [before, after, last] {
                let verdict = try await opensslVerify(
                    [stored.owner.der], root: stored.root.certificate.der, at: organisation.clock.clock.now())
                #expect(verdict == "leaf: OK\n")
            }
            // Without the root it says so.
            try FileManager.default.removeItem(atPath: organisation.keyFile("root"))
            let offline = try await send(organisation.renewal(owner, by: next))
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
            try await organisation.certify(registrar, joined, by: owner.authority, session, client)
            let before = try await organisation.stored()
            organisation.clock.advance(.seconds(60))
            let request = try await organisation.renewal(owner, to: SigningKey())
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
            let verdict = try await opensslVerify(chain, root: root.certificate.der, at: now)
            #expect(verdict == "leaf: OK\n")
        }
    }
}
