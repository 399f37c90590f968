internal import Encodings

/// The statement of a Trusted Platform Module (WebAuthn Level 3 section 8.3).
enum TPMAttestation {
    static func verify<Suite: PasskeyCryptoSuite>(
        _ value: CBOR, of subject: AttestationSubject, suite: Suite
    ) throws(AttestationFault) -> [AttestationCertificate] {
        let statement = try AttestationStatement(value)
        guard let version = value["ver"]?.text, let certInfo = value["certInfo"]?.bytes,
            let pubArea = value["pubArea"]?.bytes
        else { throw .malformedStatement }
        guard version.equals("2.0") else { throw .wrongTPMVersion }
        let algorithm = try statement.algorithm()
        let signature = try statement.signature()
        let certificates = try statement.certificates()

        let area = try TPMPublicArea(pubArea)
        guard area.key == subject.key else { throw .keyMismatch }
        let info = try TPMCertifyInfo(certInfo)
        guard let digest = algorithm.digest else { throw .unsupportedHash }
        guard info.extraData == suite.digest(subject.signedBytes, digest) else { throw .wrongExtraData }
        guard info.name == area.name(suite: suite) else { throw .wrongName }

        let certificate = certificates[0]
        try certificate.publicKey.check(signature, over: certInfo, algorithm: algorithm, suite: suite)
        try certificate.requireVersion3()
        guard try NameAttribute.readAll(name: certificate.subject).isEmpty else { throw .wrongSubject }
        try checkAlternativeName(certificate)
        guard try certificate.extendedKeyUsage().contains(OID.attestationIdentityKey) else { throw .wrongKeyPurpose }
        try certificate.requireNoAuthority()
        try certificate.checkAAGUID(subject.credential.aaguid)
        return certificates
    }

    /// Manufacturer, model and version in a directory name (TPM 2.0 EK Credential Profile section 3.2.9).
    private static func checkAlternativeName(_ certificate: AttestationCertificate) throws(AttestationFault) {
        guard let found = certificate.firstExtension(OID.subjectAlternativeName) else { throw .wrongAlternativeName }
        var attributes: [NameAttribute] = []
        do throws(DERError) {
            var outer = DERReader(found.value)
            var names = try outer.sequence()
            try outer.finish()
            while !names.isAtEnd {
                let name = try names.any()
                guard name.tag == DERTag.context(4, constructed: true) else { continue }
                attributes += try NameAttribute.read(name: name.content)
            }
        } catch { throw .wrongAlternativeName }
        guard let manufacturer = NameAttribute.value(of: OID.tpmManufacturer, in: attributes),
            isManufacturer(manufacturer),
            let model = NameAttribute.value(of: OID.tpmModel, in: attributes), !model.isEmpty,
            let version = NameAttribute.value(of: OID.tpmVersion, in: attributes),
            version.starts(with: Bytes(text: "id:")), version.count > 3
        else { throw .wrongAlternativeName }
    }

    /// `id:` and the eight hex digits of the TCG's vendor number.
    private static func isManufacturer(_ text: Bytes) -> Bool {
        text.count == 11 && text.starts(with: Bytes(text: "id:")) && Hex.decode(Array(text.dropFirst(3))) != nil
    }
}
