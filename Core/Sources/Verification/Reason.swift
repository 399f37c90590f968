/// Why a check ended as it did.
///
/// The codes are stable: programs may rely on them.
public enum Reason: Sendable, Equatable, CaseIterable {
    // Holding.

    /// The file is well formed.
    case wellFormed
    /// The certificates lead to the pinned root and permit this, and the signature is by the leaf's key.
    case trustedChain
    /// The disclosed claims are what the issuer signed.
    case asSigned
    /// The disclosed claims and the document are what the issuer signed.
    case documentAsSigned
    /// The presenter holds the key that the credential is bound to.
    case boundToHolder
    /// The presentation was made for this verifier.
    case expectedAudience
    /// The presentation answers the verifier's nonce, within the time that its holder chose.
    case freshByNonce
    /// The presentation is within the time that its holder chose: the verifier gave no nonce.
    case freshByTimeOnly
    /// The credential has begun and has not ended.
    case withinItsTime
    /// Neither the credential nor its signer was revoked when the status list was made.
    case notRevoked
    /// The signer was revoked later than the log recorded the credential.
    case loggedBeforeRevocation
    /// The transparency log holds the credential.
    case logged

    // Not asked for or not there.

    /// The verifier accepts what was made for anybody; the presentation names this one.
    case anyAudienceAccepted
    /// The file holds no receipt.
    case noReceipt
    /// The verifier pins a log, and the file holds no receipt of it.
    case receiptMissing
    /// The log has signed the receipt, but fewer witnesses than the pinned policy asks for.
    case receiptUnwitnessed
    /// The receipt was not checked: no log key was given.
    case noLogKey

    // Not to be told.

    /// Not checked, because an earlier check failed.
    case notReached
    /// The credential names no status list.
    case noStatusReference
    /// There is no status token for this list.
    case statusMissing
    /// The status token has expired.
    case statusStale
    /// The status token was made later than the time of the check.
    case statusFromTheFuture
    /// The verifier has not said who they are; the presentation names this one.
    case audienceNotGiven
    /// The presentation is older than the verifier allows.
    case presentationTooOld
    /// The time for which the holder made the presentation is over.
    case presentationLapsed
    /// A certificate has expired since, and no receipt was checked that shows that it was used in time.
    case certificateExpiredSince
    /// What was given is no presentation of Countersign's.
    case notAPresentation
    /// The file is of another format, or of a later version's.
    case bundleUnknownFormat

    // Format.

    /// The file is larger than allowed.
    case bundleTooLarge
    /// The file is not JSON of the accepted kind.
    case bundleNotJSON
    /// The file is not written in its one canonical form.
    case bundleNotCanonical
    /// A part of the file is missing, unknown or of the wrong kind.
    case bundleMalformed
    /// The document's name, media type or content is not acceptable.
    case documentMalformed
    /// The presentation is not an SD-JWT.
    case presentationMalformed
    /// The presentation is larger than allowed or has too many disclosures.
    case presentationTooLarge
    /// A disclosure is malformed.
    case malformedDisclosure
    /// The credential is signed with another algorithm than ES256, or not at all.
    case unsupportedAlgorithm
    /// The credential's header asks for an extension that is not understood.
    case unsupportedExtension
    /// The credential's header is of another type: a signature made for another purpose.
    case wrongType
    /// The credential brings no certificates.
    case certificatesMissing
    /// A claim is missing or malformed.
    case claimMalformed

    // Chain.

    /// A certificate is malformed or outside the profile.
    case certificateMalformed
    /// The chain is longer than allowed.
    case chainTooLong
    /// A certificate in the file is issued under its own name; only the pinned root may be.
    case selfIssuedCertificate
    /// The certificates do not lead to the pinned root.
    case untrustedChain
    /// A certificate belongs to another organisation than the pinned root.
    case foreignOrganisation
    /// A certificate was signed by a holder who may not issue any.
    case issuerNotAuthority
    /// The signer's certificate does not permit this act.
    case certificateNotForThis
    /// A certificate had expired when it was used.
    case certificateExpired
    /// A certificate was not valid yet.
    case certificateNotYetValid
    /// The credential is not signed by the leaf's key.
    case badSignature
    /// The credential names another issuer than the certificate.
    case issuerMismatch

    // Digest.

    /// A disclosure hides a claim or uses a name that it may not.
    case reservedName
    /// A disclosed claim is beside another of the same name.
    case duplicateClaim
    /// A digest appears twice.
    case duplicateDigest
    /// A disclosure is given twice.
    case repeatedDisclosure
    /// A disclosure is not among those that the issuer signed.
    case unreferencedDisclosure
    /// A disclosure stands where its kind does not belong.
    case misplacedDisclosure
    /// The digests are malformed.
    case malformedDigests
    /// The digests are made with another function than SHA-256.
    case unsupportedHash
    /// The claims are nested too deeply.
    case nestedTooDeep
    /// The claim about the document is malformed.
    case documentClaimMalformed
    /// The document is not in the file.
    case documentMissing
    /// The file holds a document that the disclosed claims do not speak of.
    case documentUnexpected
    /// The document is not the one that was signed.
    case documentAltered

    // Holder.

    /// The credential is bound to no key.
    case holderKeyMissing
    /// The presentation has no key binding.
    case keyBindingMissing
    /// The key binding is malformed.
    case keyBindingMalformed
    /// The key binding's header is of another type: a signature made for another purpose.
    case keyBindingWrongType
    /// The key binding is not signed by the holder's key.
    case notTheHolder
    /// The key binding was made for other disclosures or another credential.
    case otherPresentation

    // Audience.

    /// The audience is missing or not one text.
    case audienceNotText
    /// The presentation was made for another verifier.
    case wrongAudience

    // Freshness.

    /// The nonce is missing or too long.
    case nonceMissing
    /// The key binding has no time.
    case timeMissing
    /// The end of the time that the holder chose is malformed, or more than 366 days away.
    case endMalformed
    /// The presentation answers another nonce.
    case wrongNonce
    /// The presentation claims to be made later than now.
    case presentationFromTheFuture
    /// The presentation claims to be older than the credential.
    case presentedBeforeIssue
    /// The credential has expired.
    case credentialExpired
    /// The credential claims to be issued later than now.
    case credentialFromTheFuture

    // Revocation.

    /// The credential was revoked.
    case credentialRevoked
    /// The signer's certificate was revoked, and no receipt proves that the credential is older.
    case signerRevoked
    /// A status token is malformed.
    case statusTokenMalformed
    /// A status token's header is of another type: a signature made for another purpose.
    case statusTokenWrongType
    /// A status token's certificate does not lead to the pinned root or does not permit this.
    case statusSignerUntrusted
    /// A status token is not signed by the status signer.
    case statusTokenNotSigned
    /// A status list does not unpack or is larger than allowed.
    case statusListCorrupt
    /// The status list has no entry for the credential.
    case statusIndexOutOfRange

    // Receipt.

    /// The receipt is malformed.
    case receiptMalformed
    /// The receipt is not signed by the pinned log key.
    case receiptOfAnotherLog
    /// The receipt does not prove that the entry is in the log.
    case receiptProofWrong
    /// The receipt's record is not the one that the log entry commits to.
    case receiptCommitmentWrong
    /// The receipt is for another credential.
    case receiptForAnotherCredential
    /// The receipt's time is later than the time of the check.
    case receiptFromTheFuture
}
