public import Certificates
public import Encodings
public import Transparency

/// Why the report of a transaction is refused.
public enum SigningReportError: Error, Equatable, Sendable {
    /// It is no report.
    case malformed
    /// A certificate does not lead to the pinned root, or is not for this.
    case certificate(CertificateError)
    /// A signature is not by the certificate's key, or was made for another purpose.
    case signature(JWSError)
    /// The report is not what was signed.
    case changed
    /// It is of another organisation than the root.
    case foreign
    /// The picture is not the one that the record names.
    case otherDrawing
    /// The photograph is not the one that the record names.
    case otherPhotograph
    /// The file at hand is not the document that was signed.
    case otherDocument
    /// There is no receipt, though a log is pinned.
    case receiptMissing
    /// The receipt does not hold.
    case receipt(TransparencyError)
    /// The receipt is of another transaction.
    case otherReceipt
    /// It was made later than now.
    case fromTheFuture
}

/// The report of a transaction, checked against a pinned root: who signed what by hand, and what was decided.
///
/// ```json
/// {"format":"countersign-signing-report-1","report":{"drawing":"<svg…","made":n,"receipt":"…","record":{…},
///  "record_signature":"JWS",…},"signature":"JWS"}
/// ```
///
/// It has two signatures by keys that the root has certified for hand signatures. One is over the record, made when the
/// operator decided. The other is over the whole report, made when it was requested. Further members of `report` are
/// for people; the second signature covers them.
public struct SigningReport: Sendable {
    /// The `typ` of the record's signature; its payload is the record.
    public static let recordType: StaticString = "countersign-signing+jwt"
    /// The `typ` of a report's signature; its payload has `iat` and `sha256`, of the canonical bytes of `report`.
    public static let reportType: StaticString = "countersign-signing-report+jwt"
    /// The `typ` of the detached signature of a report's page; its payload has `iat`, `media_type` and `sha256`.
    public static let pageType: StaticString = "countersign-signing-page+jwt"
    /// The largest file, in bytes.
    public static let maximumLength = 1 << 24
    private static let format: StaticString = "countersign-signing-report-1"

    /// The record, as it was signed when the operator decided.
    public let record: JSON
    /// All of the report.
    public let report: JSON
    /// When the report was made, in seconds since 1970.
    public let made: Int64
    /// When the log recorded the decision; only where a log is pinned.
    public let loggedAt: Int64?

    /// The file of a report.
    ///
    /// - Parameters:
    ///   - report: an object.
    ///   - signature: over it, compact JWS.
    public static func file(_ report: JSON, signature: Bytes) -> JSON {
        .members([("format", .text("\(format)")), ("report", report), ("signature", .string(signature))])
    }

    /// Checks a report, offline.
    ///
    /// - Parameters:
    ///   - bytes: the file.
    ///   - policy: of the pinned log; without one receipts are not looked at.
    ///   - document: the bytes that are said to have been signed, if they are at hand.
    ///   - now: seconds since 1970.
    /// - Throws: what is wrong first.
    public static func verify(
        _ bytes: Bytes, root: TrustAnchor, policy: LogPolicy?, document: Bytes? = nil, now: Int64,
        suite: some CryptoSuite
    ) throws(SigningReportError) -> SigningReport {
        guard let file = try? JSON.parse(bytes, maximumLength: maximumLength, maximumDepth: 12),
            file.members?.count == 3, file["format"]?.isString(format) == true, let report = file["report"],
            let text = file["signature"]?.string, let canonical = try? report.canonical()
        else { throw .malformed }
        let outer = try signed(text, type: reportType, root: root, time: nil, suite: suite)
        guard let made = outer["iat"]?.integer, outer.members?.count == 2,
            let digest = outer["sha256"]?.string.flatMap({ Base64.decode($0, .url) })
        else { throw .malformed }
        guard digest == suite.sha256(canonical) else { throw .changed }
        guard let record = report["record"], let decided = record["decided_at"]?.integer,
            let inner = report["record_signature"]?.string, let drawing = report["drawing"]?.string
        else { throw .malformed }
        let agreed = try signed(inner, type: recordType, root: root, time: decided, suite: suite)
        guard let one = try? agreed.canonical(), let other = try? record.canonical(), one == other else {
            throw .changed
        }
        guard record["public_url"]?.string == root.publicURL else { throw .foreign }
        guard isDigest(record["drawing"], of: drawing, suite) else { throw .otherDrawing }
        let photograph = report["photograph"].map { $0.string.flatMap { Base64.decode($0, .url) } ?? [] }
        guard (record["photograph"] == nil) == (photograph == nil),
            photograph.map({ isDigest(record["photograph"], of: $0, suite) }) ?? true
        else { throw .otherPhotograph }
        if let document, !isDigest(record["document"]?["sha256"], of: document, suite) { throw .otherDocument }
        guard made <= now + 300, decided <= made + 300 else { throw .fromTheFuture }
        let loggedAt = try policy.map { (policy) throws(SigningReportError) in
            try logged(record, receipt: report["receipt"]?.string, policy: policy, suite: suite)
        }
        return SigningReport(record: record, report: report, made: made, loggedAt: loggedAt)
    }

    /// The payload of a signature by a key that the root has certified for hand signatures.
    ///
    /// - Parameters:
    ///   - text: compact JWS with its certificate in `x5c`.
    ///   - type: the `typ` that it must have.
    ///   - time: at which the certificate must hold, in seconds since 1970; `nil` for the payload's own `iat`.
    /// - Throws: `malformed`, `certificate` or `signature`.
    public static func signed(
        _ text: Bytes, type: StaticString, root: TrustAnchor, time: Int64?, suite: some CryptoSuite
    ) throws(SigningReportError) -> JSON {
        guard let jws = try? UnverifiedJWS.parse(text, maximumLength: maximumLength),
            let time = time ?? jws.payload["iat"]?.integer, let chain = jws.header["x5c"]?.array, chain.count == 1,
            let der = chain[0].string.flatMap({ Base64.decode($0, .standard) })
        else { throw .malformed }
        let path: ValidatedPath
        do {
            path = try CertificatePath.validate(
                chain: [der], root: root, purpose: .handSignatures, at: time, suite: suite)
        } catch {
            throw .certificate(error)
        }
        do {
            return try jws.payload(signedBy: path.publicKey, type: type, suite: suite)
        } catch {
            throw .signature(error)
        }
    }

    private static func isDigest(_ json: JSON?, of bytes: Bytes, _ suite: some CryptoSuite) -> Bool {
        json?.string.flatMap { Base64.decode($0, .url) } == suite.sha256(bytes)
    }

    /// - Returns: when the log recorded the decision.
    private static func logged(
        _ record: JSON, receipt: Bytes?, policy: LogPolicy, suite: some CryptoSuite
    ) throws(SigningReportError) -> Int64 {
        guard let receipt else { throw .receiptMissing }
        let verified: VerifiedReceipt
        do {
            verified = try Receipt.verify(receipt, policy: policy, suite: suite)
        } catch {
            throw .receipt(error)
        }
        let isConfirmed = record["decision"]?.isString("confirmed") == true
        guard let canonical = try? record.canonical(),
            verified.entry.type.equals(isConfirmed ? "signing.confirmed" : "signing.refused"),
            isDigest(verified.record["record"], of: canonical, suite)
        else { throw .otherReceipt }
        return verified.entry.time
    }
}
