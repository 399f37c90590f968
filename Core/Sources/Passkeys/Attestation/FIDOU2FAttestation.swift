internal import Encodings

/// The statement of U2F security keys (WebAuthn Level 3 section 8.6).
enum FIDOU2FAttestation {
    static func verify<Suite: PasskeyCryptoSuite>(
        _ value: CBOR, of subject: AttestationSubject, suite: Suite
    ) throws(AttestationFault) -> [AttestationCertificate] {
        let statement = try AttestationStatement(value)
        let signature = try statement.signature()
        let certificates = try statement.certificates()
        guard certificates.count == 1 else { throw .malformedStatement }
        guard case .elliptic(.p256, _) = certificates[0].publicKey else { throw .algorithmMismatch }
        guard case .elliptic(.p256, let point) = subject.key else { throw .algorithmMismatch }
        let message =
            [0] + subject.authenticatorData.rpIDHash + subject.clientDataHash + subject.credential.id + point
        try certificates[0].publicKey.check(signature, over: message, algorithm: .es256, suite: suite)
        return certificates
    }
}
