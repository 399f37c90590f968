import Encodings
import Passkeys

extension FuzzTarget {
    static let passkeys = [
        FuzzTarget("client-data", maximumLength: 1024, clientData),
        FuzzTarget("authenticator-data", maximumLength: 2048, authenticatorData),
        FuzzTarget("cose-key", maximumLength: 1024, coseKey),
        FuzzTarget("attestation-object", maximumLength: 6144, attestation),
        FuzzTarget("attestation-certificate", maximumLength: 2048, attestationCertificate),
    ]

    private static let origin = Bytes(text: "https://example.org")
    private static let challenge = Bytes(repeating: 0, count: 16)
    private static let party = RelyingParty(
        id: LenientSuite.relyingParty, origins: [origin], topOrigins: [Bytes(text: "https://example.com")],
        allowsUnnamedTopOrigin: true)
    private static let requirements = PasskeyRequirements(userVerification: false, acceptsUnrootedAttestation: true)

    private static func clientData(type: String) -> Bytes {
        JSON.members([
            ("type", .text(type)), ("challenge", .string(Base64.encode(challenge, .url))),
            ("origin", .string(origin)), ("crossOrigin", .bool(false)),
        ]).serialized()
    }

    private static func clientData(_ input: Bytes) throws(BrokenPromise) {
        let data = SHA256.hash(LenientSuite.relyingParty) + [1, 0, 0, 0, 0]
        guard
            let assertion = try? UnverifiedAssertion(
                credentialID: [1], clientDataJSON: input, authenticatorData: data, signature: [1])
        else { return }
        try verify(assertion)
    }

    private static func authenticatorData(_ input: Bytes) throws(BrokenPromise) {
        guard
            let assertion = try? UnverifiedAssertion(
                credentialID: [1], clientDataJSON: clientData(type: "webauthn.get"), authenticatorData: input,
                signature: [1])
        else { return }
        try verify(assertion)
    }

    /// With a credential that exists and whose signatures are taken for good.
    private static func verify(_ assertion: UnverifiedAssertion) throws(BrokenPromise) {
        let cose = CBORWriter.encode(
            .map([
                CBOR.Entry(.unsigned(1), .unsigned(1)), CBOR.Entry(.unsigned(3), .negative(7)),
                CBOR.Entry(.negative(0), .unsigned(6)),
                CBOR.Entry(.negative(1), .bytes(Bytes(repeating: 1, count: 32))),
            ]))
        guard let key = try? COSEKey(cose: cose) else { throw BrokenPromise(promise: "a good key is read") }
        for isEligible in [false, true] {
            let credential = PasskeyCredential(
                id: [1], publicKey: key, signCount: 1, isBackupEligible: isEligible, isBackedUp: false,
                aaguid: Bytes(repeating: 0, count: 16))
            for suite in LenientSuite.both {
                guard
                    let verified = try? assertion.verified(
                        by: credential, challenge: assertion.challenge, relyingParty: party,
                        requirements: requirements, suite: suite)
                else { continue }
                try expect(verified.signCount > 1, "a counter that did not grow is refused")
                try expect(!verified.isBackedUp || isEligible, "what is backed up was eligible")
            }
        }
    }

    private static func coseKey(_ input: Bytes) throws(BrokenPromise) {
        guard let key = try? COSEKey(cose: input) else { return }
        try expect(key.cose == input, "a key keeps its bytes")
    }

    private static func attestation(_ input: Bytes) throws(BrokenPromise) {
        guard
            let registration = try? UnverifiedRegistration(
                clientDataJSON: clientData(type: "webauthn.create"), attestationObject: input)
        else { return }
        try expect((1...1023).contains(registration.credentialID.count), "an identifier has 1 to 1023 bytes")
        for suite in LenientSuite.both {
            guard
                let verified = try? registration.verified(
                    challenge: challenge, relyingParty: party, requirements: requirements, roots: [],
                    at: 1_798_761_600, suite: suite)
            else { continue }
            if case .certified = verified.attestation {
                throw BrokenPromise(promise: "nobody vouches without a configured root")
            }
        }
    }

    private static func attestationCertificate(_ input: Bytes) throws(BrokenPromise) {
        guard let root = try? TrustedAttestationRoot(der: input) else { return }
        try expect(root.fingerprint.count == 32, "a certificate has a fingerprint")
    }
}
