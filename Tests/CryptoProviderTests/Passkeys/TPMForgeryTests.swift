import CryptoProvider
import Encodings
import Passkeys
import Testing

/// A TPM's statement about a key, to be spoilt.
struct TestTPM: Sendable {
    var version = "2.0"
    var algorithm: Int64 = -7
    var magic: Bytes = [0xFF, 0x54, 0x43, 0x47]
    var type: Bytes = [0x80, 0x17]
    var extraData: Bytes?
    var name: Bytes?
    var infoTail: Bytes = []
    var areaType: Bytes = [0x00, 0x23]
    var nameAlgorithm: Bytes = [0x00, 0x0B]
    var symmetric: Bytes = [0x00, 0x10]
    var scheme: Bytes = [0x00, 0x10]
    var curve: Bytes = [0x00, 0x03]
    var derivation: Bytes = [0x00, 0x10]
    var areaTail: Bytes = []
    /// Replaces the whole area.
    var rawArea: Bytes?
    var subject = DERWriter.sequence()
    var alternativeName: Bytes? = TestTPM.directoryName(TestTPM.attributes)
    var purposes: [Bytes]? = [[0x67, 0x81, 0x05, 0x08, 0x03]]
    var certificateVersion: UInt8 = 2
    var isAuthority: Bool? = false
    var model: Bytes?
    var signer: SigningKey?

    static let attributes: [(Bytes, String)] = [
        ([0x67, 0x81, 0x05, 0x02, 0x01], "id:FFFFF1D0"), ([0x67, 0x81, 0x05, 0x02, 0x02], "Test"),
        ([0x67, 0x81, 0x05, 0x02, 0x03], "id:13"),
    ]

    static func directoryName(_ attributes: [(Bytes, String)]) -> Bytes {
        DERWriter.sequence(DERWriter.explicit(4, DERWriter.name(attributes)))
    }

    static func sized(_ bytes: Bytes) -> Bytes { [UInt8(bytes.count >> 8), UInt8(bytes.count & 255)] + bytes }

    func area(_ point: Bytes) -> Bytes {
        if let rawArea { return rawArea }
        return areaType + nameAlgorithm + [0, 4, 0, 0] + Self.sized([]) + symmetric + scheme + curve + derivation
            + Self.sized(Array(point[1..<33])) + Self.sized(Array(point[33...])) + areaTail
    }

    func info(_ area: Bytes, _ signed: Bytes) -> Bytes {
        magic + type + Self.sized([0, 0x0B] + Bytes(repeating: 9, count: 32))
            + Self.sized(extraData ?? SHA256.hash(signed)) + Bytes(repeating: 7, count: 17 + 8)
            + Self.sized(name ?? nameAlgorithm + SHA256.hash(area)) + Self.sized([]) + infoTail
    }

    func certificate(_ maker: TestMaker) -> TestCertificate {
        var certificate = maker.certificate()
        certificate.version = certificateVersion
        certificate.subject = subject
        certificate.extensions = isAuthority.map { [TestCertificate.constraints(isAuthority: $0)] } ?? []
        if let alternativeName {
            certificate.extensions.append(
                .init(
                    identifier: TestCertificate.Identifier.alternativeName, isCritical: true, value: alternativeName))
        }
        if let purposes {
            let list = purposes.flatMap { DERWriter.identifier($0) }
            certificate.extensions.append(
                .init(identifier: TestCertificate.Identifier.extendedKeyUsage, value: DERWriter.sequence(list)))
        }
        if let model {
            certificate.extensions.append(
                .init(identifier: TestCertificate.Identifier.aaguid, value: DERWriter.octets(model)))
        }
        return certificate
    }

    func statement(_ maker: TestMaker, point: Bytes) -> SoftwareAuthenticator.Statement {
        { data, hash in
            let area = area(point)
            let info = info(area, data + hash)
            let signature = DERWriter.signature(try (signer ?? maker.attestationKey).sign(info))
            let der = try certificate(maker).signed(by: maker.rootKey)
            return (
                "tpm",
                .named([
                    ("alg", .number(algorithm)), ("sig", .bytes(signature)), ("ver", .text(Bytes(text: version))),
                    ("x5c", .array([.bytes(der)])), ("pubArea", .bytes(area)), ("certInfo", .bytes(info)),
                ])
            )
        }
    }
}

@Suite("Passkeys: forged statements of a TPM")
struct TPMForgeryTests {
    private let maker: TestMaker
    private let authenticator: SoftwareAuthenticator

    init() throws {
        maker = try TestMaker()
        authenticator = try SoftwareAuthenticator()
    }

    private func verify(
        _ tpm: TestTPM, point: Bytes? = nil, authenticator: SoftwareAuthenticator? = nil
    ) throws -> Attestation {
        let authenticator = authenticator ?? self.authenticator
        let statement = tpm.statement(maker, point: point ?? authenticator.point)
        let registration = try authenticator.register(TestRelyingParty.challenge, statement: statement)
        return try TestRelyingParty.verify(registration, roots: try maker.roots()).attestation
    }

    private func refused(_ fault: AttestationFault, _ spoil: (inout TestTPM) -> Void) {
        var tpm = TestTPM()
        spoil(&tpm)
        #expect(throws: PasskeyError.attestation(fault)) { try verify(tpm) }
    }

    @Test("The genuine statement, in the forms that TPMs write")
    func genuine() throws {
        let certified = Attestation.certified(.tpm, root: SHA256.hash(maker.root))
        var tpm = TestTPM()
        #expect(try verify(tpm) == certified)
        tpm.scheme = [0, 0x18, 0, 0x0B]
        #expect(try verify(tpm) == certified)
        tpm.model = authenticator.aaguid
        #expect(try verify(tpm) == certified)
        tpm.alternativeName = TestTPM.directoryName(TestTPM.attributes.reversed())
        #expect(try verify(tpm) == certified)
    }

    @Test("certInfo: magic, type, data, name, signature")
    func certInfo() throws {
        refused(.notGeneratedByTPM) { $0.magic = [0xFF, 0x54, 0x43, 0x48] }
        refused(.notCertified) { $0.type = [0x80, 0x18] }
        refused(.wrongExtraData) { $0.extraData = Bytes(repeating: 0, count: 32) }
        refused(.wrongExtraData) { $0.extraData = [] }
        refused(.wrongName) { $0.name = [0, 0x0B] + Bytes(repeating: 0, count: 32) }
        refused(.wrongName) { $0.name = [] }
        refused(.malformedTPMStructure) { $0.infoTail = [0] }
        let stranger = try SigningKey()
        refused(.badSignature) { $0.signer = stranger }
    }

    @Test("pubArea: the credential's key, of a kind that signs")
    func pubArea() throws {
        let other = try SigningKey().publicKey.x963
        #expect(throws: PasskeyError.attestation(.keyMismatch)) { try verify(TestTPM(), point: other) }
        refused(.malformedTPMStructure) { $0.areaType = [0, 0x08] }
        refused(.malformedTPMStructure) { $0.areaType = [0, 0x01] }
        refused(.unsupportedHash) { $0.nameAlgorithm = [0, 0x04] }
        refused(.unsupportedHash) { $0.nameAlgorithm = [0, 0x12] }
        refused(.wrongName) { $0.nameAlgorithm = [0, 0x0C] }
        refused(.malformedTPMStructure) { $0.symmetric = [0, 0x06] }
        refused(.malformedTPMStructure) { $0.scheme = [0, 0x15, 0, 0x0B] }
        refused(.malformedTPMStructure) { $0.curve = [0, 0x10] }
        refused(.keyMismatch) { $0.curve = [0, 0x04] }
        refused(.malformedTPMStructure) { $0.derivation = [0, 0x20] }
        refused(.malformedTPMStructure) { $0.areaTail = [0] }
    }

    @Test("RSA keys, as Windows Hello makes them")
    func rsa() throws {
        let modulus = [0xC1] + Bytes(repeating: 0x5A, count: 254) + [0x0B]
        var other = modulus
        other[9] ^= 1
        var authenticator = authenticator
        authenticator.writtenKey = CBORWriter.encode(
            .numbered([(1, .unsigned(3)), (3, .number(-257)), (-1, .bytes(modulus)), (-2, .bytes([1, 0, 1]))]))
        // RSASSA with SHA-256; an exponent of zero means 65537.
        func area(
            bits: Bytes = [0x08, 0], exponent: Bytes = [0, 0, 0, 0], _ modulus: Bytes, tail: Bytes = []
        ) -> TestTPM {
            var tpm = TestTPM()
            tpm.rawArea =
                [0, 0x01, 0, 0x0B, 0, 6, 4, 0x72] + TestTPM.sized(Bytes(repeating: 3, count: 32))
                + [0, 0x10, 0, 0x14, 0, 0x0B] + bits + exponent + TestTPM.sized(modulus) + tail
            return tpm
        }
        let certified = Attestation.certified(.tpm, root: SHA256.hash(maker.root))
        #expect(try verify(area(modulus), authenticator: authenticator) == certified)
        #expect(try verify(area(exponent: [0, 1, 0, 1], modulus), authenticator: authenticator) == certified)
        for (tpm, fault) in [
            (area(other), AttestationFault.keyMismatch), (area(exponent: [0, 1, 0, 3], modulus), .keyMismatch),
            (area(exponent: [0, 0, 0, 3], modulus), .malformedTPMStructure),
            (area(bits: [0x10, 0], modulus), .malformedTPMStructure),
            (area(modulus, tail: [0]), .malformedTPMStructure),
            (area(bits: [0x04, 0], Array(modulus.suffix(128))), .malformedTPMStructure),
        ] {
            #expect(throws: PasskeyError.attestation(fault)) { try verify(tpm, authenticator: authenticator) }
        }
        let whole = try #require(area(modulus).rawArea)
        for length in 0..<whole.count {
            var tpm = TestTPM()
            tpm.rawArea = Array(whole.prefix(length))
            #expect(throws: PasskeyError.self) { try verify(tpm, authenticator: authenticator) }
        }
    }

    @Test("The certificate: section 8.3.1")
    func certificate() throws {
        refused(.wrongVersion) { $0.certificateVersion = 1 }
        refused(.wrongSubject) { $0.subject = TestCertificate.name("Test") }
        refused(.wrongKeyPurpose) { $0.purposes = nil }
        refused(.wrongKeyPurpose) { $0.purposes = [[0x67, 0x81, 0x05, 0x08, 0x01]] }
        refused(.authorityCertificate) { $0.isAuthority = true }
        refused(.authorityCertificate) { $0.isAuthority = nil }
        refused(.wrongAAGUID) { $0.model = Bytes(repeating: 0, count: 16) }
        refused(.malformedAAGUIDExtension) { $0.model = [] }
        refused(.wrongAlternativeName) { $0.alternativeName = nil }
        refused(.wrongAlternativeName) { $0.alternativeName = [] }
        refused(.wrongAlternativeName) { $0.alternativeName = DERWriter.sequence() }
        for index in 0..<3 {
            for text in [nil, "", "FFFFF1D0", "id:"] as [String?] where !(index == 1 && text?.isEmpty == false) {
                var attributes = TestTPM.attributes
                if let text { attributes[index].1 = text } else { attributes.remove(at: index) }
                refused(.wrongAlternativeName) { $0.alternativeName = TestTPM.directoryName(attributes) }
            }
        }
        refused(.wrongAlternativeName) {
            $0.alternativeName = TestTPM.directoryName(TestTPM.attributes + [TestTPM.attributes[0]])
        }
    }

    @Test("Another version and other algorithms are refused")
    func algorithms() {
        refused(.wrongTPMVersion) { $0.version = "1.2" }
        refused(.algorithmMismatch) { $0.algorithm = -65535 }
        refused(.algorithmMismatch) { $0.algorithm = -257 }
        refused(.unsupportedHash) { $0.algorithm = -8 }
    }
}
