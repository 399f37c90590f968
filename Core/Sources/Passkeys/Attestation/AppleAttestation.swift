internal import Encodings

/// Apple's anonymous statement (WebAuthn Level 3 section 8.8).
enum AppleAttestation {
    static func verify<Suite: PasskeyCryptoSuite>(
        _ value: CBOR, of subject: AttestationSubject, suite: Suite
    ) throws(AttestationFault) -> [AttestationCertificate] {
        let certificates = try AttestationStatement(value).certificates()
        guard let nonce = try nonce(in: certificates[0]), nonce == suite.sha256(subject.signedBytes) else {
            throw .wrongNonce
        }
        guard certificates[0].publicKey == subject.key else { throw .keyMismatch }
        return certificates
    }

    /// The extension holds a sequence of `[1] EXPLICIT OCTET STRING`.
    private static func nonce(in certificate: AttestationCertificate) throws(AttestationFault) -> Bytes? {
        guard let found = certificate.firstExtension(OID.appleNonce) else { return nil }
        do throws(DERError) {
            var outer = DERReader(found.value)
            var sequence = try outer.sequence()
            try outer.finish()
            var tagged = DERReader(try sequence.element(DERTag.context(1, constructed: true)).content)
            try sequence.finish()
            let nonce = try tagged.element(DERTag.octetString).content
            try tagged.finish()
            return nonce
        } catch { throw .wrongNonce }
    }
}
