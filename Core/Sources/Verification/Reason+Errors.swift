package import Certificates
package import Documents
package import Encodings
package import Transparency

extension Reason: Error {}

extension Reason {
    package init(_ error: DocumentFileError) {
        switch error {
        case .tooLarge, .tooMuch: self = .bundleTooLarge
        case .notJSON: self = .bundleNotJSON
        case .notCanonical: self = .bundleNotCanonical
        case .unknownFormat: self = .bundleUnknownFormat
        case .unexpectedMember: self = .bundleMalformed
        case .malformedDocument: self = .documentMalformed
        }
    }

    package init(_ error: SDJWTError) {
        switch error {
        case .malformed, .unknownClaim: self = .presentationMalformed
        case .tooLong, .tooManyDisclosures: self = .presentationTooLarge
        case .credential(let error): self = Reason(credential: error)
        case .missingCertificates: self = .certificatesMissing
        case .malformedDisclosure: self = .malformedDisclosure
        case .misplacedDisclosure: self = .misplacedDisclosure
        case .reservedName: self = .reservedName
        case .duplicateClaim: self = .duplicateClaim
        case .duplicateDigest: self = .duplicateDigest
        case .repeatedDisclosure: self = .repeatedDisclosure
        case .unreferencedDisclosure: self = .unreferencedDisclosure
        case .malformedDigests: self = .malformedDigests
        case .unsupportedHash: self = .unsupportedHash
        case .tooDeep: self = .nestedTooDeep
        }
    }

    private init(credential error: JWSError) {
        switch error {
        case .malformed: self = .presentationMalformed
        case .tooLong: self = .presentationTooLarge
        case .unsupportedAlgorithm: self = .unsupportedAlgorithm
        case .unsupportedExtension: self = .unsupportedExtension
        case .wrongPurpose: self = .wrongType
        case .badSignature: self = .badSignature
        }
    }

    package init(_ error: CertificateError) {
        switch error {
        case .pathTooLong, .pathLengthExceeded: self = .chainTooLong
        case .selfIssued: self = .selfIssuedCertificate
        case .rootNotSelfSigned, .issuerNameMismatch, .issuerKeyMismatch, .badSignature: self = .untrustedChain
        case .issuerNotAuthority, .issuerMayNotSign: self = .issuerNotAuthority
        case .leafIsAuthority, .wrongKeyUsage, .wrongPurpose, .statusSignerNotByRoot: self = .certificateNotForThis
        case .foreignOrganisation: self = .foreignOrganisation
        case .notYetValid: self = .certificateNotYetValid
        case .expired: self = .certificateExpired
        case .tooLarge, .malformed, .unsupportedVersion, .badSerialNumber, .unsupportedAlgorithm, .algorithmMismatch,
            .unsupportedKey, .malformedSignature, .badName, .badTime, .emptyValidity, .duplicateExtension,
            .unknownCriticalExtension, .badExtension, .missingExtension, .wrongCriticality:
            self = .certificateMalformed
        }
    }

    package init(_ error: KeyBindingError) {
        switch error {
        case .missing: self = .keyBindingMissing
        case .refused(.badSignature): self = .notTheHolder
        case .refused(.wrongPurpose): self = .keyBindingWrongType
        case .refused: self = .keyBindingMalformed
        case .otherPresentation: self = .otherPresentation
        case .audienceNotText: self = .audienceNotText
        case .missingNonce: self = .nonceMissing
        case .missingTime: self = .timeMissing
        case .wrongAudience: self = .wrongAudience
        case .wrongNonce: self = .wrongNonce
        case .fromTheFuture: self = .presentationFromTheFuture
        case .tooOld: self = .presentationTooOld
        case .lapsed: self = .presentationLapsed
        case .badEnd: self = .endMalformed
        }
    }

    init(_ error: StatusError) {
        switch error {
        case .corruptCompression, .tooLarge, .unsupportedBits, .valueOutOfRange: self = .statusListCorrupt
        case .indexOutOfRange: self = .statusIndexOutOfRange
        case .refused(.badSignature): self = .statusTokenNotSigned
        case .refused(.wrongPurpose): self = .statusTokenWrongType
        case .refused, .missingCertificates, .malformedClaims: self = .statusTokenMalformed
        case .otherList: self = .statusMissing
        case .fromTheFuture: self = .statusFromTheFuture
        case .stale: self = .statusStale
        }
    }
}

extension Reason {
    package init(_ error: TransparencyError) {
        switch error {
        case .unsigned, .invalidSignature, .wrongOrigin, .malformedKey, .unsupportedKey: self = .receiptOfAnotherLog
        case .outOfRange, .invalidProof: self = .receiptProofWrong
        case .unwitnessed: self = .receiptUnwitnessed
        case .wrongCommitment: self = .receiptCommitmentWrong
        default: self = .receiptMalformed
        }
    }
}

extension CredentialClaimError {
    /// The claim's name.
    package var claim: Bytes {
        switch self {
        case .issuer: Bytes(text: "iss")
        case .issuedAt: Bytes(text: "iat")
        case .expiresAt: Bytes(text: "exp")
        case .notBefore: Bytes(text: "nbf")
        case .type: Bytes(text: "vct")
        case .holderKey: Bytes(text: "cnf")
        case .status: Bytes(text: "status")
        case .document: Bytes(text: "document")
        }
    }
}
