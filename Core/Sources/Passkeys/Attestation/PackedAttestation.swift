internal import Encodings

/// The statement of FIDO2 authenticators (WebAuthn Level 3 section 8.2).
enum PackedAttestation {
    static func verify<Suite: PasskeyCryptoSuite>(
        _ value: CBOR, of subject: AttestationSubject, suite: Suite
    ) throws(AttestationFault) -> AttestationProof {
        let statement = try AttestationStatement(value)
        let algorithm = try statement.algorithm()
        let signature = try statement.signature()
        guard value["x5c"] != nil else {
            // A key fits one algorithm only, so this compares the statement's with the credential's too.
            try subject.key.check(signature, over: subject.signedBytes, algorithm: algorithm, suite: suite)
            return .selfSigned
        }
        let certificates = try statement.certificates()
        let certificate = certificates[0]
        try certificate.publicKey.check(signature, over: subject.signedBytes, algorithm: algorithm, suite: suite)
        try certificate.requireVersion3()
        try checkSubject(certificate)
        try certificate.requireNoAuthority()
        try certificate.checkAAGUID(subject.credential.aaguid)
        return .certified(.packed, certificates)
    }

    /// Section 8.2.1: country, maker, the literal unit and a name of the maker's choosing.
    private static func checkSubject(_ certificate: AttestationCertificate) throws(AttestationFault) {
        let attributes = try NameAttribute.readAll(name: certificate.subject)
        guard let country = NameAttribute.value(of: OID.country, in: attributes), country.count == 2,
            let maker = NameAttribute.value(of: OID.organisation, in: attributes), !maker.isEmpty,
            let unit = NameAttribute.value(of: OID.organisationalUnit, in: attributes),
            unit.equals("Authenticator Attestation"),
            let name = NameAttribute.value(of: OID.commonName, in: attributes), !name.isEmpty
        else { throw .wrongSubject }
    }
}
