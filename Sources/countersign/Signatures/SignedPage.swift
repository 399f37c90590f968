import Certificates
import Encodings

/// The page of a report, checked against a pinned root: its bytes are those that the organisation signed.
///
/// Its detached signature is a compact JWS; the payload has `iat`, `media_type` and `sha256`, of the page's bytes.
struct SignedPage {
    /// The `typ` of the signature: that of a record or of a report is another one, and serves for no page.
    static let signatureType: StaticString = "countersign-signing-page+jwt"

    /// Why a page is refused.
    enum Refusal: Error, Equatable {
        /// What was given as its signature is none.
        case malformed
        /// The certificate does not lead to the pinned root, or is not for this.
        case certificate(CertificateError)
        /// The signature is not by the certificate's key, or was made for another purpose.
        case signature(JWSError)
        /// The bytes are not those that were signed.
        case changed
        /// It was signed later than now.
        case fromTheFuture
    }

    /// When it was signed, in seconds since 1970, as the organisation says.
    let made: Int64
    /// SHA-256 of the page.
    let digest: Bytes

    /// Whether these bytes begin as a page does, and not as a report for programs.
    static func isPage(_ bytes: Bytes) -> Bool { bytes.starts(with: "<!doctype html".utf8) }

    /// Checks a page, offline.
    ///
    /// - Parameters:
    ///   - signature: the file, with or without a line feed at its end.
    ///   - now: seconds since 1970.
    /// - Throws: what is wrong first.
    init(
        _ page: Bytes, signature: Bytes, root: TrustAnchor, now: Int64, suite: some CryptoSuite
    ) throws(Refusal) {
        let text = signature.last == 0x0A ? Array(signature.dropLast()) : signature
        guard let jws = try? UnverifiedJWS.parse(text), let time = jws.payload["iat"]?.integer,
            let chain = jws.header["x5c"]?.array, chain.count == 1,
            let der = chain[0].string.flatMap({ Base64.decode($0, .standard) })
        else { throw .malformed }
        let path: ValidatedPath
        do {
            path = try CertificatePath.validate(
                chain: [der], root: root, purpose: .handSignatures, at: time, suite: suite)
        } catch {
            throw .certificate(error)
        }
        let payload: JSON
        do {
            payload = try jws.payload(signedBy: path.publicKey, type: Self.signatureType, suite: suite)
        } catch {
            throw .signature(error)
        }
        guard payload.members?.count == 3, payload["media_type"]?.isString("text/html") == true,
            let signed = payload["sha256"]?.string.flatMap({ Base64.decode($0, .url) })
        else { throw .malformed }
        guard signed == suite.sha256(page) else { throw .changed }
        guard time <= now + 300 else { throw .fromTheFuture }
        made = time
        digest = signed
    }
}
