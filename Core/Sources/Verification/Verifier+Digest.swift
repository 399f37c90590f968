import Documents
import Encodings

extension Verifier {
    /// Matches disclosures and the document with the digests that were signed.
    static func digests(
        _ credential: SignedSDJWT, _ parsed: ParsedPresentation, _ bundle: PresentationBundle,
        requiresDocument: Bool, suite: Suite
    ) throws(Reason) -> VerificationReport.Content {
        let verified: VerifiedSDJWT
        do {
            verified = try credential.processed(suite: suite)
        } catch {
            throw Reason(error)
        }
        let descriptor = try document(verified, bundle, requiresDocument: requiresDocument, suite: suite)
        let fields = verified.fields
        let type = DocumentCatalogue.type(named: parsed.claims.typeName)
        return VerificationReport.Content(
            claims: parsed.claims, fields: fields,
            withheld: type?.mandatoryFields(missingFrom: fields.map { $0.name }) ?? [], document: descriptor)
    }

    /// The document must be in the file exactly when the holder shows the claim about it.
    private static func document(
        _ verified: VerifiedSDJWT, _ bundle: PresentationBundle, requiresDocument: Bool, suite: Suite
    ) throws(Reason) -> DocumentDescriptor? {
        guard let claim = verified.claims["document"] else {
            guard bundle.document == nil else { throw .documentUnexpected }
            guard !requiresDocument else { throw .documentMissing }
            return nil
        }
        let descriptor: DocumentDescriptor
        do {
            descriptor = try DocumentDescriptor(json: claim)
        } catch {
            throw .documentClaimMalformed
        }
        guard let document = bundle.document else { throw .documentMissing }
        guard descriptor.matches(document, suite: suite) else { throw .documentAltered }
        return descriptor
    }
}
