import Certificates
import CryptoProvider
import Encodings
import Foundation
import Interface
import Logging
import Storage
import Testing

@testable import Server

@Suite("Certificates renewed by the root")
struct RenewalTests {
    private static let day: Int64 = 86_400

    private func inOrganisation(_ body: @escaping @Sendable (TestOrganisation) async throws -> Void) async throws {
        let organisation = try await TestOrganisation()
        try await organisation.serve { client in
            _ = try await client.setUp(organisation.person("owner"))
            try await body(organisation)
        }
    }

    @Test("the status signer's is renewed while a year of it is left, so that the root may be away for one")
    func statusSigner() async throws {
        try await inOrganisation { organisation in
            let certificates = organisation.certificates
            organisation.clock.advance(.seconds(364 * Self.day))
            #expect(try await certificates.renewServerKeys().isEmpty)
            organisation.clock.advance(.seconds(2 * Self.day))
            let before = try await organisation.stored()
            #expect(try await certificates.renewServerKeys() == [.statusSigner, .deskSigner])
            #expect(try await certificates.renewServerKeys().isEmpty)
            let after = try await organisation.stored()
            let now = organisation.clock.clock.now()
            #expect(try after.certificate(.statusSigner)?.notAfter == now + CertificateIssuer.statusSignerDuration)
            // The independent judge, of both: a token that was stapled before stays checkable.
            for (stored, time) in [(before, now), (after, now), (after, now + 729 * Self.day)] {
                let verdict = try await opensslVerify(
                    [try #require(try stored.certificate(.statusSigner)).der], root: stored.root.certificate.der,
                    at: time)
                #expect(verdict == "leaf: OK\n")
                let desk = try #require(try stored.certificate(.deskSigner))
                let second = try await opensslVerify([desk.der], root: stored.root.certificate.der, at: time)
                #expect(second == "leaf: OK\n")
            }
            #expect(try await organisation.types().last == "certificate.renewed")
        }
    }

    @Test("both are renewed for the same keys by an answer that came from elsewhere, once")
    func answer() async throws {
        try await inOrganisation { organisation in
            let certificates = organisation.certificates
            let root = try await certificates.authority()
            try FileManager.default.removeItem(atPath: organisation.keyFile("root"))
            organisation.clock.advance(.seconds(100 * Self.day))
            let before = try await organisation.stored()
            let request = try await certificates.request(RootCertificateKind.allCases)
            #expect(try RootRequest(request.formatted()) == request)
            let answer = try request.certify(by: root, random: .system)
            #expect(try RootAnswer(answer.formatted()) == answer)
            let renewed = try await certificates.accept(answer)
            #expect(renewed.map(\.kind) == [.statusSigner, .mainAdministrator, .deskSigner])
            let after = try await organisation.stored()
            let now = organisation.clock.clock.now()
            #expect(try after.owner.publicKey == before.owner.publicKey)
            #expect(try after.owner.notAfter == now + CertificateIssuer.mainAdministratorDuration)
            #expect(try after.owner.fingerprint != before.owner.fingerprint)
            #expect(
                try await opensslVerify([after.owner.der], root: after.root.certificate.der, at: now + 700 * Self.day)
                    == "leaf: OK\n")
            #expect(try await organisation.types().suffix(2) == ["certificate.renewed", "certificate.renewed"])
            // Replayed, it changes nothing.
            await #expect(throws: RootCertificates.AnswerError.notNewer) { try await certificates.accept(answer) }
            #expect(try await organisation.stored().ownerCertificate == after.ownerCertificate)
        }
    }

    @Test("an answer by another root, for another key or another name is refused whole")
    func forged() async throws {
        try await inOrganisation { organisation in
            let certificates = organisation.certificates
            organisation.clock.advance(.seconds(Self.day))
            let root = try await certificates.authority()
            let request = try await certificates.request([.statusSigner, .mainAdministrator])
            let before = try await organisation.stored()
            var random = RandomSource.system
            let key = try SigningKey()
            let falseRoot = try CertificateIssuer.root(
                organisation: before.name, publicURL: before.publicURL, key: key, notBefore: request.time,
                random: &random)
            let impostor = try IssuingAuthority(key: key, certificate: falseRoot)
            #expect(throws: RootTravel.TravelError.otherRoot) { try request.certify(by: impostor, random: .system) }
            let good = try request.certify(by: root, random: .system).certificates
            func certified(
                _ item: RootRequest.Item, as kind: RootCertificateKind? = nil, name: String? = nil,
                key: P256PublicKey? = nil, by authority: IssuingAuthority
            ) throws -> Bytes {
                switch kind ?? item.kind {
                case .statusSigner:
                    try CertificateIssuer.statusSigner(
                        name: name ?? item.name, key: key ?? item.key, issuer: authority, notBefore: request.time,
                        random: &random)
                case .deskSigner:
                    try CertificateIssuer.deskSigner(
                        name: name ?? item.name, key: key ?? item.key, issuer: authority, notBefore: request.time,
                        random: &random)
                case .mainAdministrator:
                    try CertificateIssuer.mainAdministrator(
                        name: name ?? item.name, key: key ?? item.key, issuer: authority, notBefore: request.time,
                        random: &random)
                }
            }
            let (status, owner) = (request.items[0], request.items[1])
            let stranger = try SigningKey().publicKey
            let forgeries = [
                try certified(owner, by: impostor), try certified(status, by: impostor), [0x30, 0x00],
                try certified(owner, key: stranger, by: root), try certified(status, key: stranger, by: root),
                try certified(owner, name: "Mallory", by: root),
                // A key of one purpose for the other.
                try certified(status, as: .deskSigner, by: root),
                try certified(owner, key: status.key, by: root),
                try certified(status, as: .mainAdministrator, by: root),
                try before.root.certificate.der,
            ]
            for forgery in forgeries {
                // The good one before it is not taken either.
                await #expect(throws: RootCertificates.AnswerError.unfit) {
                    try await certificates.accept(RootAnswer(certificates: [good[0], forgery]))
                }
            }
            let after = try await organisation.stored()
            #expect(after.certificates == before.certificates)
            #expect(after.ownerCertificate == before.ownerCertificate)
            #expect(try await organisation.types().contains("certificate.renewed") == false)
        }
    }

    @Test("whoever holds the server's data cannot have the root certify a key of his own")
    func smuggled() async throws {
        try await inOrganisation { organisation in
            organisation.clock.advance(.seconds(Self.day))
            let root = try await organisation.certificates.authority()
            let stored = try await organisation.stored()
            var random = RandomSource.system
            let thief = try SigningKey()
            let falseRoot = try IssuingAuthority(
                key: thief,
                certificate: CertificateIssuer.root(
                    organisation: stored.name, publicURL: stored.publicURL, key: thief,
                    notBefore: stored.created, random: &random))
            let planted = try CertificateIssuer.mainAdministrator(
                name: "Owner", key: thief.publicKey, issuer: falseRoot, notBefore: stored.created, random: &random
            ).base64URL
            try await organisation.server.environment.database.write { transaction in
                try OrganisationStore(transaction: transaction).set(.mainAdministrator, certificate: planted)
            }
            let request = try await organisation.certificates.request(RootCertificateKind.allCases)
            #expect(throws: RootRequest.FormError.unknownKey) { try request.certify(by: root, random: .system) }
        }
    }

    @Test("what is no request and no answer is refused")
    func malformed() async throws {
        try await inOrganisation { organisation in
            let request = String(
                decoding: try await organisation.certificates.request([.statusSigner]).formatted(), as: UTF8.self)
            for spoilt in [
                "", "[]", request.replacing("request-v1", with: "request-v2"),
                request.replacing("\"items\":[\"M", with: "\"items\":[\"N"),
                request.replacing("\"root\"", with: "\"rot\""),
                request.replacing("\"time\":", with: "\"time\":1e"),
            ] {
                #expect(throws: RootRequest.FormError.self) { try RootRequest(Bytes(text: spoilt)) }
            }
            for spoilt in ["", "{}", #"{"certificates":[],"format":"countersign-root-answer-v1"}"#] {
                #expect(throws: RootRequest.FormError.self) { try RootAnswer(Bytes(text: spoilt)) }
            }
        }
    }

    @Test("the end of a certificate is in the metrics, and warned of sixty days before")
    func warned() async throws {
        try await inOrganisation { organisation in
            let metrics = MetricsRegistry()
            let watch = CertificateWatch(
                environment: organisation.server.environment, metrics: metrics, logger: Logger(label: "test"))
            try FileManager.default.removeItem(atPath: organisation.keyFile("root"))
            #expect(try await watch.warnings().isEmpty)
            let ends = try #require(try await organisation.stored().certificate(.statusSigner)).notAfter
            let text = PrometheusText.write(metrics)
            #expect(text.contains("certificate_end_timestamp_seconds{holder=\"status_signer\"} \(ends)"), "\(text)")
            organisation.clock.advance(.seconds(671 * Self.day))
            await watch.look()
            let soon = try await watch.warnings()
            #expect(soon.count == 3 && soon[0].contains("status signer ends in 59 days"), "\(soon)")
            organisation.clock.advance(.seconds(60 * Self.day))
            #expect(try await watch.warnings().allSatisfy { $0.contains("has ended") })
        }
    }
}
