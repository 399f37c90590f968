import BrowserCalls
import Certificates
import Documents
import Encodings
import Transparency
import Verification

/// The refusals of the capabilities, as codes and sentences; where a report has words for one, these are used.
extension BrowserError {
    init(_ reason: Reason) { self.init(reason.code, Bytes(text: reason.sentence)) }

    init(_ error: CertificateError) { self.init(Reason(error)) }

    init(_ error: TransparencyError) { self.init(Reason(error)) }

    init(_ error: DocumentFileError) { self.init(Reason(error)) }

    init(_ error: SDJWTError) { self.init(Reason(error)) }

    init(_ error: PEMError) {
        switch error {
        case .tooLarge: self.init("too_large", "The certificate file is larger than allowed.")
        case .wrongLabel: self.init("not_a_certificate", "The file holds something else than a certificate.")
        case .malformed, .empty: self.init("not_a_certificate", "The file is not a certificate in PEM or DER form.")
        }
    }

    init(_ error: JWSError) {
        switch error {
        case .malformed: self.init("jws_malformed", "The statement is not a signed JSON object.")
        case .tooLong: self.init("too_large", "The statement is longer than allowed.")
        case .unsupportedAlgorithm: self.init("unsupported_algorithm", "The statement is not signed with ES256.")
        case .unsupportedExtension:
            self.init("unsupported_extension", "The statement's header asks for an extension that is not understood.")
        case .wrongPurpose: self.init("wrong_purpose", "The statement was signed for another purpose.")
        case .badSignature: self.init("bad_signature", "The statement is not signed by this key.")
        }
    }

    init(_ error: CredentialClaimError) {
        self.init(
            "claim_malformed", Bytes("The credential's claim '") + error.claim + Bytes("' is missing or malformed."))
    }

    init(_ error: FieldError) {
        self.init(
            "field_refused", Bytes("The field '") + error.field + Bytes("' is ") + Bytes(error.reason.words) + [0x2E])
    }
}
