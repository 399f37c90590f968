import CryptoProvider
import Encodings
import Passkeys
import Testing

/// Statements that are signed as they should be and say something wrong, format by format.
@Suite("Passkeys: forged attestation statements")
struct AttestationForgeryTests {
    private let maker: TestMaker
    private let authenticator: SoftwareAuthenticator

    init() throws {
        maker = try TestMaker()
        authenticator = try SoftwareAuthenticator()
    }

    private func verify(_ statement: SoftwareAuthenticator.Statement) throws -> VerifiedRegistration {
        let registration = try authenticator.register(TestRelyingParty.challenge, statement: statement)
        return try TestRelyingParty.verify(registration, roots: try maker.roots())
    }

    private func refused(_ fault: AttestationFault, _ statement: SoftwareAuthenticator.Statement) {
        #expect(throws: PasskeyError.attestation(fault)) { try verify(statement) }
    }

    // MARK: packed

    private func packed(
        algorithm: Int64 = -7, certificate spoil: @Sendable @escaping (inout TestCertificate) -> Void = { _ in }
    ) -> SoftwareAuthenticator.Statement {
        { [maker] data, hash in
            var certificate = maker.certificate()
            spoil(&certificate)
            let signature = DERWriter.signature(try maker.attestationKey.sign(data + hash))
            let der = try certificate.signed(by: maker.rootKey)
            return (
                "packed",
                .named([("alg", .number(algorithm)), ("sig", .bytes(signature)), ("x5c", .array([.bytes(der)]))])
            )
        }
    }

    private func aaguid(_ value: Bytes, isCritical: Bool = false) -> TestCertificate.Extension {
        .init(identifier: TestCertificate.Identifier.aaguid, isCritical: isCritical, value: value)
    }

    @Test("packed: the genuine statement, with the model and without")
    func packedGenuine() throws {
        let root = SHA256.hash(maker.root)
        #expect(try verify(packed()).attestation == .certified(.packed, root: root))
        let model = aaguid(DERWriter.octets(authenticator.aaguid))
        let named = packed { $0.extensions.append(model) }
        #expect(try verify(named).attestation == .certified(.packed, root: root))
    }

    @Test("packed: certificates that section 8.2.1 forbids")
    func packedCertificates() throws {
        refused(.wrongVersion, packed { $0.version = 1 })
        refused(.wrongSubject, packed { $0.subject = TestCertificate.name("Test", unit: "Authenticator attestation") })
        refused(.wrongSubject, packed { $0.subject = TestCertificate.name("Test", country: "NOR") })
        refused(.wrongSubject, packed { $0.subject = TestCertificate.name("") })
        refused(.wrongSubject, packed { $0.subject = DERWriter.sequence() })
        refused(
            .wrongSubject,
            packed {
                $0.subject = DERWriter.name([
                    (TestCertificate.Identifier.country, "NO"), (TestCertificate.Identifier.organisation, "A"),
                    (TestCertificate.Identifier.unit, "Authenticator Attestation"),
                    (TestCertificate.Identifier.unit, "Other"), (TestCertificate.Identifier.commonName, "B"),
                ])
            })
        refused(.authorityCertificate, packed { $0.extensions = [TestCertificate.constraints(isAuthority: true)] })
        refused(.authorityCertificate, packed { $0.extensions = [] })
        let other = Bytes(repeating: 1, count: 16)
        refused(.wrongAAGUID, packed { [self] in $0.extensions.append(aaguid(DERWriter.octets(other))) })
        let own = authenticator.aaguid
        for value in [own, DERWriter.octets(own + [0]), DERWriter.octets(own) + [0], []] {
            refused(.malformedAAGUIDExtension, packed { [self] in $0.extensions.append(aaguid(value)) })
        }
        refused(
            .malformedAAGUIDExtension,
            packed { [self] in $0.extensions.append(aaguid(DERWriter.octets(own), isCritical: true)) })
        refused(.malformedCertificate, packed { $0.extensions += $0.extensions })
        refused(.malformedCertificate, packed { $0.publicKey.removeLast() })
    }

    @Test("packed: an algorithm that does not fit the key, or the key of another")
    func packedAlgorithms() throws {
        for algorithm: Int64 in [-8, -35, -36, -257, -65535, 0] {
            refused(.algorithmMismatch, packed(algorithm: algorithm))
            refused(.algorithmMismatch, authenticator.selfAttestation(algorithm: algorithm))
        }
        refused(.badSignature, authenticator.selfAttestation(by: maker.attestationKey))
        let stranger = try SigningKey().publicKey.x963
        refused(.badSignature, packed { $0.publicKey = stranger })
        #expect(try verify(authenticator.selfAttestation()).attestation == .selfSigned)
    }

    @Test("packed: members missing, empty or of another kind")
    func packedMembers() throws {
        let good = try packed()([], [])
        let members = try #require(good.statement.map)
        for index in members.indices {
            var spoilt = members
            spoilt.remove(at: index)
            // Without x5c it is self attestation, by the wrong key.
            let fault: AttestationFault = index == 2 ? .badSignature : .malformedStatement
            refused(fault) { [spoilt] _, _ in ("packed", .map(spoilt)) }
            spoilt = members
            spoilt[index] = CBOR.Entry(members[index].key, .null)
            refused(.malformedStatement) { [spoilt] _, _ in ("packed", .map(spoilt)) }
        }
        for list in [CBOR.array([]), .array([.null]), .array([.text([])]), .map([])] {
            refused(.malformedStatement) { _, _ in
                ("packed", .map([members[0], members[1], .init(members[2].key, list)]))
            }
        }
        let many = CBOR.array(Array(repeating: try #require(members[2].value.array?.first), count: 7))
        refused(.chainTooLong) { _, _ in ("packed", .map([members[0], members[1], .init(members[2].key, many)])) }
        refused(.badSignature) { _, _ in ("packed", .map(members)) }
    }

    // MARK: fido-u2f

    private func u2f(count: Int = 1, key: SigningKey? = nil, head: UInt8 = 0) -> SoftwareAuthenticator.Statement {
        { [maker, authenticator] data, hash in
            let message = [head] + data.prefix(32) + hash + authenticator.id + authenticator.point
            let signature = DERWriter.signature(try (key ?? maker.attestationKey).sign(message))
            let der = try maker.certificate().signed(by: maker.rootKey)
            return (
                "fido-u2f",
                .named([("sig", .bytes(signature)), ("x5c", .array(Array(repeating: .bytes(der), count: count)))])
            )
        }
    }

    @Test("fido-u2f: one certificate, its key, exactly the bytes of section 8.6")
    func fidoU2F() throws {
        #expect(try verify(u2f()).attestation == .certified(.fidoU2F, root: SHA256.hash(maker.root)))
        refused(.malformedStatement, u2f(count: 2))
        refused(.malformedStatement, u2f(count: 0))
        refused(.badSignature, u2f(key: authenticator.key))
        refused(.badSignature, u2f(head: 5))
    }

    // MARK: apple

    private func apple(
        certificate spoil: @Sendable @escaping (inout TestCertificate, Bytes) -> Void = { _, _ in }
    ) -> SoftwareAuthenticator.Statement {
        { [maker, authenticator] data, hash in
            let nonce = SHA256.hash(data + hash)
            var certificate = maker.certificate(authenticator.point)
            certificate.extensions.append(Self.appleNonce(DERWriter.explicit(1, DERWriter.octets(nonce))))
            spoil(&certificate, nonce)
            return ("apple", .named([("x5c", .array([.bytes(try certificate.signed(by: maker.rootKey))]))]))
        }
    }

    private static func appleNonce(_ content: Bytes) -> TestCertificate.Extension {
        .init(identifier: TestCertificate.Identifier.apple, value: DERWriter.sequence(content))
    }

    @Test("apple: the nonce over these data, the key of the credential")
    func apple() throws {
        #expect(try verify(apple()).attestation == .certified(.apple, root: SHA256.hash(maker.root)))
        refused(
            .wrongNonce, apple { certificate, _ in certificate.replace(TestCertificate.Identifier.apple, with: nil) })
        for (number, content) in [
            (1, DERWriter.octets(Bytes(repeating: 0, count: 32))), (0, DERWriter.octets([])),
            (1, [0x05, 0x00] as Bytes),
        ] {
            refused(
                .wrongNonce,
                apple { certificate, _ in
                    certificate.replace(
                        TestCertificate.Identifier.apple, with: Self.appleNonce(DERWriter.explicit(number, content)))
                })
        }
        refused(
            .wrongNonce,
            apple { certificate, nonce in
                let twice = DERWriter.explicit(1, DERWriter.octets(nonce))
                certificate.replace(TestCertificate.Identifier.apple, with: Self.appleNonce(twice + twice))
            })
        let other = maker.attestationKey.publicKey.x963
        refused(.keyMismatch, apple { certificate, _ in certificate.publicKey = other })
        refused(.malformedStatement) { _, _ in ("apple", .map([])) }
    }
}
