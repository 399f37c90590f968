public import Encodings

/// A new passkey, read and **not** trusted (WebAuthn Level 3 section 7.1).
public struct UnverifiedRegistration: Sendable {
    private let clientData: ClientData
    private let authenticatorData: AuthenticatorData
    private let credential: AttestedCredential
    private let format: Bytes
    private let statement: CBOR

    /// No attestation object is longer; chains of four certificates with RSA keys have 8 KiB.
    private static let maximumLength = 32768

    /// Reads the parts of an answer.
    ///
    /// - Throws: what is malformed, and `ed448`, `unsupportedAlgorithm`, `malformedKey` or `weakKey` for the new key;
    ///   never traps, for any bytes.
    public init(clientDataJSON: Bytes, attestationObject: Bytes) throws(PasskeyError) {
        clientData = try ClientData(clientDataJSON)
        guard attestationObject.count <= Self.maximumLength else { throw .malformedAttestationObject }
        let object = try PasskeyError.cbor(attestationObject)
        guard let members = object.map, members.count == 3, let format = object["fmt"]?.text,
            let statement = object["attStmt"], let data = object["authData"]?.bytes
        else { throw .malformedAttestationObject }
        authenticatorData = try AuthenticatorData(data)
        guard let credential = authenticatorData.credential else { throw .missingCredential }
        self.credential = credential
        self.format = format
        self.statement = statement
    }

    /// The challenge that it says to answer: to find the pending ceremony, proves nothing.
    public var challenge: Bytes { clientData.challenge }

    /// The new credential's ID: to compare with the one that came beside it.
    public var credentialID: Bytes { credential.id }

    /// Checks the answer.
    ///
    /// - Parameters:
    ///   - challenge: the one that was issued, as bytes; take it out of storage in the same transaction, so that it
    ///     serves once.
    ///   - relyingParty: who asked.
    ///   - requirements: what was asked.
    ///   - roots: the only anchors that attestation certificates may lead to.
    ///   - time: seconds since 1970 at which certificates must be valid.
    ///   - suite: checks signatures and points.
    /// - Throws: the first refusal. That no account has a credential with this ID yet is for the caller to check.
    public func verified<Suite: PasskeyCryptoSuite>(
        challenge: Bytes, relyingParty: RelyingParty, requirements: PasskeyRequirements,
        roots: [TrustedAttestationRoot], at time: Int64, suite: Suite
    ) throws(PasskeyError) -> VerifiedRegistration {
        try clientData.check(type: "webauthn.create", challenge: challenge, relyingParty: relyingParty)
        try authenticatorData.check(relyingParty: relyingParty, requirements: requirements, suite: suite)
        guard requirements.algorithms.contains(credential.key.algorithm) else { throw .algorithmNotOffered }
        guard credential.key.publicKey.isOnCurve(suite: suite) else { throw .pointNotOnCurve }

        let subject = AttestationSubject(
            authenticatorData: authenticatorData, credential: credential,
            clientDataHash: suite.sha256(clientData.json))
        let proof = try AttestationProof.verify(format: format, statement, of: subject, suite: suite)
        let attestation = try proof.judged(requirements: requirements, roots: roots, at: time, suite: suite)
        let flags = authenticatorData.flags
        return VerifiedRegistration(
            credential: PasskeyCredential(
                id: credential.id, publicKey: credential.key, signCount: authenticatorData.signCount,
                isBackupEligible: flags.contains(.backupEligible), isBackedUp: flags.contains(.backedUp),
                aaguid: credential.aaguid),
            attestation: attestation, isUserVerified: flags.contains(.userVerified))
    }
}

/// A new passkey that was checked.
///
/// Only `UnverifiedRegistration.verified` makes one.
public struct VerifiedRegistration: Sendable, Equatable {
    /// The credential to store.
    public let credential: PasskeyCredential
    /// What is known about the authenticator.
    public let attestation: Attestation
    /// Whether biometrics or PIN were checked.
    public let isUserVerified: Bool

    fileprivate init(credential: PasskeyCredential, attestation: Attestation, isUserVerified: Bool) {
        self.credential = credential
        self.attestation = attestation
        self.isUserVerified = isUserVerified
    }
}
