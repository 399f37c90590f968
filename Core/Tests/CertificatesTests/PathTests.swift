import Certificates
import Encodings
import Testing

/// Paths of certificates that are each well made, and together prove nothing.
@Suite struct PathTests {
    static let refusals: [Refusal] = [
        // Someone who was certified as a person or an administrator certifies others.
        Refusal("attack-student-issues", .issuerNotAuthority),
        Refusal("attack-administrator-issues", .issuerNotAuthority),
        Refusal("attack-status-signer-issues", .issuerNotAuthority),
        Refusal("wrong-order", .issuerNameMismatch),
        // Another root, another issuer, another organisation
        Refusal("foreign-root-same-name", .issuerKeyMismatch),
        Refusal("foreign-root-same-key-identifier", .badSignature),
        Refusal("signed-by-eve", .badSignature),
        Refusal("signature-zero", .badSignature),
        Refusal("issuer-is-another", .issuerNameMismatch),
        Refusal("issuer-names-swapped", .issuerNameMismatch),
        Refusal("intermediate-missing", .issuerNameMismatch),
        Refusal("key-identifier-of-another", .issuerKeyMismatch),
        Refusal("authority-key-identifier-missing", .missingExtension(.authorityKeyIdentifier)),
        Refusal("root-in-path", .selfIssued),
        Refusal("self-signed-leaf", .issuerNameMismatch),
        Refusal("foreign-organisation", .foreignOrganisation),
        Refusal("foreign-url", .foreignOrganisation),
        // Authority
        Refusal("path-length-exceeded", .pathLengthExceeded),
        Refusal("path-length-of-root-exceeded", .pathLengthExceeded),
        Refusal("too-long", .pathTooLong),
        Refusal("ca-flag-missing", .issuerNotAuthority),
        Refusal("ca-may-not-sign", .issuerMayNotSign),
        Refusal("ca-limited-to-status", .wrongPurpose),
        // The leaf's own permissions
        Refusal("leaf-is-authority", .leafIsAuthority),
        Refusal("leaf-may-sign-certificates", .wrongKeyUsage),
        Refusal("leaf-encrypts", .wrongKeyUsage),
        Refusal("purpose-missing", .wrongPurpose),
        Refusal("purpose-of-status", .wrongPurpose),
        Refusal("purpose-any", .wrongPurpose),
        Refusal("good-identify-only", .wrongPurpose),
        Refusal("good-status", .wrongPurpose),
        // Times
        Refusal("expired", .expired),
        Refusal("issuer-expired", .expired),
        Refusal("not-yet-valid", .notYetValid),
    ]

    @Test("A path that does not hold is refused for the right reason", arguments: refusals)
    func refused(_ refusal: Refusal) {
        #expect(throws: refusal.error) { try Fixtures.validate(refusal.name) }
    }

    @Test("Every fixture is in a table or good")
    func complete() throws {
        let listed = Set((Self.refusals + ReadingTests.refusals).map(\.name))
        let others = ["status-by-administrator", "status-with-document-purpose"]
        for name in try Fixtures.names() where !name.hasPrefix("good") && !others.contains(name) {
            #expect(listed.contains(name), "\(name)")
        }
    }

    @Test("A good path shows what it proved", arguments: [CertificatePurpose.documents, .identity])
    func good(_ purpose: CertificatePurpose) throws {
        let path = try Fixtures.validate("good", purpose: purpose)
        #expect(path.commonName == Bytes(text: "Adam Administrator"))
        #expect(path.organisation == Bytes(text: "Example University"))
        #expect(path.publicURL == Bytes(text: "https://countersign.example.edu"))
        #expect(path.statusReference?.index == 7)
        #expect(path.publicKey == path.leaf.publicKey)
        #expect(path.purpose == purpose)
    }

    @Test(
        "Good paths of every shape are accepted",
        arguments: ["good-sign-only", "good-unknown-extension", "good-serial-one", "good-far-future", "good-namesake"])
    func shapes(_ name: String) throws {
        _ = try Fixtures.validate(name)
    }

    @Test("A status signer is issued by the root itself and signs nothing else")
    func status() throws {
        #expect(throws: CertificateError.statusSignerNotByRoot) {
            try Fixtures.validate("status-by-administrator", purpose: .status)
        }
        #expect(throws: CertificateError.wrongPurpose) {
            try Fixtures.validate("status-with-document-purpose", purpose: .status)
        }
        _ = try Fixtures.validate("good-status", purpose: .status)
    }

    @Test("An administrator who only identifies members does not sign documents, nor the other way round")
    func capabilities() throws {
        #expect(throws: CertificateError.wrongPurpose) { try Fixtures.validate("good-identify-only") }
        #expect(throws: CertificateError.wrongPurpose) { try Fixtures.validate("good-sign-only", purpose: .identity) }
        #expect(try Fixtures.validate("good-identify-only", purpose: .identity).capabilities == .identifyMembers)
    }

    @Test("Validity includes its first and its last second, and nothing beyond")
    func validity() throws {
        _ = try Fixtures.validate("good", at: 1_767_225_600)
        _ = try Fixtures.validate("good", at: 1_830_297_600)
        #expect(throws: CertificateError.notYetValid) { try Fixtures.validate("good", at: 1_767_225_599) }
        #expect(throws: CertificateError.expired) { try Fixtures.validate("good", at: 1_830_297_601) }
    }

    @Test("Another organisation's root of the same name does not vouch for the path, and is not vouched for by it")
    func foreignRoot() throws {
        #expect(throws: CertificateError.issuerKeyMismatch) { try Fixtures.validate("good", root: "root-foreign") }
        _ = try Fixtures.root("root-foreign")
    }

    @Test("A root that could not be one is refused")
    func badRoots() throws {
        #expect(throws: CertificateError.issuerNotAuthority) { try Fixtures.root("root-not-authority") }
        #expect(throws: CertificateError.issuerMayNotSign) { try Fixtures.root("root-may-not-sign") }
        #expect(throws: CertificateError.rootNotSelfSigned) {
            try TrustAnchor(der: try Fixtures.path("good")[1])
        }
        #expect(throws: CertificateError.rootNotSelfSigned) {
            try Fixtures.validate("good", root: "root-signed-by-eve")
        }
    }

    @Test("A path made by OpenSSL is accepted")
    func openSSL() throws {
        let path = try ["leaf", "main"].flatMap { try PEM.decode(try Fixtures.text("openssl/\($0).pem")) }
        let root = try Fixtures.root("openssl/root")
        let time = root.certificate.notBefore + 86400
        let validated = try Fixtures.validate(path, root: root, at: time)
        #expect(validated.capabilities == .signDocuments)
        #expect(validated.statusReference?.index == 130_000)
        #expect(throws: CertificateError.self) {
            try Fixtures.validate(path, root: try Fixtures.root(), at: time)
        }
    }

    @Test("No changed bit of the leaf goes unnoticed")
    func mutated() throws {
        let path = try Fixtures.path("good")
        let root = try Fixtures.root()
        var generator = SplitMix(state: 42)
        for index in stride(from: 0, to: path[0].count, by: 17) {
            var changed = path
            changed[0][index] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
            #expect(throws: CertificateError.self, "byte \(index)") { try Fixtures.validate(changed, root: root) }
        }
    }
}
