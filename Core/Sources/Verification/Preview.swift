import Certificates
import Documents
public import Encodings

/// A presentation as it describes itself, before any root is trusted: anybody can make one that says all of this.
///
/// It is unchanged since it was signed; nobody has confirmed who signed it.
public struct Preview: Sendable {
    /// The organisation's name, UTF-8, for people (`OrganisationName.shown`).
    public let organisation: Bytes
    /// The organisation's public URL, as the credential has it.
    public let publicURL: Bytes
    /// The signer's name, UTF-8.
    public let signer: Bytes
    /// The content.
    public let content: VerificationReport.Content

    /// Reads a presentation.
    ///
    /// - Throws: why it cannot be one under any trusted root: changed, cut short, or none of ours.
    public static func read<Suite: CryptoSuite>(_ file: Bytes, suite: Suite) throws(Reason) -> Preview {
        guard PresentationBundle.isLikely(file) else { throw .notAPresentation }
        let bundle: PresentationBundle
        do { bundle = try PresentationBundle.parse(file) } catch { throw Reason(error) }
        var draft = ReportDraft()
        guard let parsed = Verifier<Suite>.parse(bundle, &draft) else { throw draft.firstFailure ?? .bundleMalformed }
        let leaf: Certificate
        do { leaf = try Certificate.parse(parsed.certificates[0]) } catch { throw Reason(error) }
        let signed: SignedSDJWT
        do {
            signed = try parsed.presentation.signed(by: leaf.publicKey, suite: suite)
        } catch {
            throw error == .credential(.badSignature) ? .badSignature : Reason(error)
        }
        let content = try Verifier.digests(signed, parsed, bundle, requiresDocument: false, suite: suite)
        return Preview(
            organisation: OrganisationName.shown(
                certified: leaf.organisation ?? [], stated: parsed.claims.issuerName),
            publicURL: parsed.claims.issuer, signer: leaf.commonName ?? [], content: content)
    }
}
