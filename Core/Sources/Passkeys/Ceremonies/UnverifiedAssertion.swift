public import Encodings

/// The answer to a sign-in or confirmation, read and **not** trusted (WebAuthn Level 3 section 7.2).
public struct UnverifiedAssertion: Sendable {
    /// The credential that is said to have been used: look it up, then call `verified`.
    public let credentialID: Bytes
    private let clientData: ClientData
    private let authenticatorData: AuthenticatorData
    private let signature: Bytes

    /// No signature of ours is longer: RSA with 4096 bits has 512 bytes.
    private static let maximumSignatureLength = 512

    /// Reads the parts of an answer.
    ///
    /// - Throws: `malformedClientData`, `malformedAuthenticatorData`, `malformedCBOR`, `foreignCredential` for an
    ///   impossible ID and `badSignature` for an impossible length; never traps, for any bytes.
    public init(
        credentialID: Bytes, clientDataJSON: Bytes, authenticatorData: Bytes, signature: Bytes
    ) throws(PasskeyError) {
        guard credentialID.count >= 1, credentialID.count <= AttestedCredential.maximumIDLength else {
            throw .foreignCredential
        }
        guard signature.count >= 1, signature.count <= Self.maximumSignatureLength else { throw .badSignature }
        self.credentialID = credentialID
        self.signature = signature
        clientData = try ClientData(clientDataJSON)
        self.authenticatorData = try AuthenticatorData(authenticatorData)
    }

    /// The challenge that it says to answer: to find the pending ceremony, proves nothing.
    public var challenge: Bytes { clientData.challenge }

    /// Checks the answer.
    ///
    /// - Parameters:
    ///   - credential: the stored credential with this ID.
    ///   - challenge: the one that was issued, as bytes; take it out of storage in the same transaction, so that it
    ///     serves once.
    ///   - relyingParty: who asked.
    ///   - requirements: what was asked; the algorithms and attestation do not matter here.
    ///   - suite: checks the signature.
    /// - Throws: the first refusal.
    public func verified<Suite: PasskeyCryptoSuite>(
        by credential: PasskeyCredential, challenge: Bytes, relyingParty: RelyingParty,
        requirements: PasskeyRequirements, suite: Suite
    ) throws(PasskeyError) -> VerifiedAssertion {
        guard credentialID == credential.id else { throw .foreignCredential }
        try clientData.check(type: "webauthn.get", challenge: challenge, relyingParty: relyingParty)
        try authenticatorData.check(relyingParty: relyingParty, requirements: requirements, suite: suite)
        let flags = authenticatorData.flags
        guard flags.contains(.backupEligible) == credential.isBackupEligible else { throw .backupEligibilityChanged }
        let signed = authenticatorData.bytes + suite.sha256(clientData.json)
        guard credential.publicKey.isValid(signature, over: signed, suite: suite) else { throw .badSignature }
        // After the signature: only the authenticator can roll its counter back.
        let count = authenticatorData.signCount
        guard (count == 0 && credential.signCount == 0) || count > credential.signCount else {
            throw .counterDidNotGrow
        }
        return VerifiedAssertion(
            signCount: count, isBackedUp: flags.contains(.backedUp), isUserVerified: flags.contains(.userVerified))
    }
}

/// An assertion that was checked.
///
/// Only `UnverifiedAssertion.verified` makes one.
public struct VerifiedAssertion: Sendable, Equatable {
    /// The counter to store.
    public let signCount: UInt32
    /// The backup state to store.
    public let isBackedUp: Bool
    /// Whether biometrics or PIN were checked.
    public let isUserVerified: Bool

    fileprivate init(signCount: UInt32, isBackedUp: Bool, isUserVerified: Bool) {
        self.signCount = signCount
        self.isBackedUp = isBackedUp
        self.isUserVerified = isUserVerified
    }
}
