public import Encodings

/// What is signed of a request that brings a notice (RFC 9421), by ECDSA on P-256 with SHA-256.
///
/// All notices cover the same parts of the request, so a receiver needs no parser for others.
public struct NoticeSignature: Sendable {
    /// Where the notice goes, as the service was registered with it.
    public let url: String
    /// The body's digest (RFC 9530), as the field `content-digest` has it.
    public let contentDigest: String
    /// As the field `idempotency-key` has it: a string in quotes.
    public let idempotencyKey: String
    /// What was signed when and by whose key, as the field `signature-input` has it after `notice=`.
    public let parameters: String

    /// The name of the signature in both fields.
    public static let label = "notice"
    public static let contentType = "application/json"

    /// - Parameters:
    ///   - key: of the notice, without quotes.
    ///   - domain: of the service whose key signs.
    ///   - created: when it is signed, in seconds since 1970.
    public init(url: String, body: Bytes, key: String, domain: String, created: Int64) {
        self.url = url
        contentDigest = "sha-256=:\(String(decoding: Base64.encode(SHA256.hash(body), .standard), as: UTF8.self)):"
        idempotencyKey = "\"\(key)\""
        parameters =
            "(\"@method\" \"@target-uri\" \"content-type\" \"content-digest\" \"idempotency-key\");created=\(created)"
            + ";keyid=\"\(domain)\";alg=\"ecdsa-p256-sha256\";tag=\"countersign-notice\""
    }

    /// The bytes that are signed (RFC 9421 section 2.5).
    public var base: Bytes {
        Bytes(
            """
            "@method": POST
            "@target-uri": \(url)
            "content-type": \(Self.contentType)
            "content-digest": \(contentDigest)
            "idempotency-key": \(idempotencyKey)
            "@signature-params": \(parameters)
            """.utf8)
    }
}
