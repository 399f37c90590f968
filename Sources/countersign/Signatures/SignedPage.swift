import Certificates
import Encodings
import Verification

/// The page of a report, checked against a pinned root: its bytes are those that the organisation signed.
///
/// Its detached signature is a compact JWS; the payload has `iat`, `media_type` and `sha256`, of the page's bytes.
struct SignedPage {
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
    ) throws(SigningReportError) {
        let text = signature.last == 0x0A ? Array(signature.dropLast()) : signature
        let payload = try SigningReport.signed(
            text, type: SigningReport.pageType, root: root, time: nil, suite: suite)
        guard payload.members?.count == 3, payload["media_type"]?.isString("text/html") == true,
            let time = payload["iat"]?.integer,
            let signed = payload["sha256"]?.string.flatMap({ Base64.decode($0, .url) })
        else { throw .malformed }
        guard signed == suite.sha256(page) else { throw .changed }
        guard time <= now + 300 else { throw .fromTheFuture }
        made = time
        digest = signed
    }
}
