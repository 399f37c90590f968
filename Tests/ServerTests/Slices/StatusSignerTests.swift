import Certificates
import CryptoProvider
import Encodings
import Testing

@testable import Server

@Suite("The status signer's certificate")
struct StatusSignerTests {
    @Test("is renewed by the root when its end is near, and not before")
    func renewal() async throws {
        let organisation = try await TestOrganisation()
        try await organisation.serve { client in
            _ = try await client.setUp(organisation.person("owner"))
            let environment = organisation.server.environment
            let signer = StatusSigner(
                database: environment.database, keys: environment.keys, random: environment.random)
            let now = organisation.clock.clock.now()
            #expect(try await signer.renew(now: now + 300 * 86_400) == false)
            let later = now + 310 * 86_400
            #expect(try await signer.renew(now: later))
            #expect(try await signer.renew(now: later) == false)
            let stored = try await environment.organisation()
            let leaf = try #require(Base64.decode(Bytes(text: stored.statusCertificate), .url))
            let root = try #require(Base64.decode(Bytes(text: stored.rootCertificate), .url))
            let path = try CertificatePath.validate(
                leaf: Certificate.parse(leaf), intermediates: [], root: TrustAnchor(der: root), purpose: .status,
                at: later + 300 * 86_400, suite: environment.suite)
            #expect(path.publicKey == environment.keys.status.publicKey)
        }
    }
}
