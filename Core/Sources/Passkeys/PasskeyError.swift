public import Encodings

/// Why a registration or an assertion is refused.
///
/// Each refusal has its own case: for logs and tests. A client is told only that it failed.
public enum PasskeyError: Error, Equatable, Sendable {
    // Client data (WebAuthn Level 3 section 5.8.1).

    /// The text is not the JSON of client data: a member is missing or of the wrong kind, or the text is too long.
    case malformedClientData
    /// Made for the other ceremony: `webauthn.create` where `webauthn.get` belongs, or the other way round.
    case wrongType
    /// Answers another challenge.
    case wrongChallenge
    /// Made on a page of another origin.
    case wrongOrigin
    /// Made in a frame inside another site's page, which is not permitted.
    case crossOrigin
    /// Made in a frame inside a page whose origin is not listed.
    case wrongTopOrigin

    // Attestation object and authenticator data (sections 6.1 and 6.5).

    /// Not the CBOR that CTAP2 writes.
    case malformedCBOR(CBORError)
    /// CBOR without exactly the members `fmt`, `attStmt` and `authData`.
    case malformedAttestationObject
    /// Too short, too long, or not what the flags say.
    case malformedAuthenticatorData
    /// A registration without a credential.
    case missingCredential
    /// Made for another relying party.
    case wrongRelyingParty
    /// Nobody touched the authenticator (flag UP).
    case userNotPresent
    /// The user was not verified (flag UV) though it was required.
    case userNotVerified
    /// Backed up (flag BS) though not eligible for it (flag BE).
    case backedUpWithoutEligibility

    // Keys (RFC 9052, RFC 9053; WebAuthn Level 3 section 5.8.5).

    /// The key is not the COSE key of its algorithm, with exactly that algorithm's parameters.
    case malformedKey
    /// A COSE algorithm that we do not know.
    case unsupportedAlgorithm(Int64)
    /// Ed448: known, and deliberately not supported, because no library at hand checks it.
    case ed448
    /// An algorithm that was not offered.
    case algorithmNotOffered
    /// A public key that is not a point of its curve.
    case pointNotOnCurve
    /// An RSA key shorter than 2048 or longer than 4096 bits, with an even modulus or a small exponent.
    case weakKey

    // Assertions (section 7.2).

    /// Made with another credential than the one it is checked against.
    case foreignCredential
    /// Eligibility for backup differs from the time of registration, when it is fixed.
    case backupEligibilityChanged
    /// The signature counter did not grow: two copies of the authenticator may exist.
    case counterDidNotGrow
    /// The signature is not by the credential's key over these data.
    case badSignature

    // Attestation (sections 7.1 and 8).

    /// A format that is not one of none, packed, tpm, android-key, apple and fido-u2f.
    case unsupportedAttestationFormat
    /// None or self attestation though a certified one is required.
    case attestationRequired
    /// The attestation statement does not hold.
    case attestation(AttestationFault)
}

extension PasskeyError {
    /// Reads CBOR and speaks in passkey errors.
    static func cbor(_ bytes: Bytes) throws(PasskeyError) -> CBOR {
        do { return try CBOR.parse(bytes) } catch { throw .malformedCBOR(error) }
    }
}
