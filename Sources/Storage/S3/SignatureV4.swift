import Crypto

/// AWS Signature Version 4, in the `Authorization` field (Amazon S3 API Reference, "Authenticating Requests").
///
/// A pure function of the request, the time and the credentials.
struct SignatureV4 {
    /// What is signed of a request.
    struct Request {
        /// The method.
        let method: String
        /// From the first slash on, nothing escaped.
        let path: String
        /// Names and values, nothing escaped, in any order.
        var query: [(name: String, value: String)] = []
        /// Names in small letters, `host` among them, in any order.
        var headers: [(name: String, value: String)] = []
        /// SHA-256 of the body in hexadecimal.
        let payloadHash: String
    }

    private static let algorithm = "AWS4-HMAC-SHA256"

    let credentials: S3Credentials
    let region: String
    let service: String

    /// The value of `Authorization`.
    func authorization(_ request: Request, time: AWSTime) -> String {
        let scope = scope(time)
        let signature = signature(of: Self.canonical(request), time: time)
        return "\(Self.algorithm) Credential=\(credentials.accessKey)/\(scope), "
            + "SignedHeaders=\(Self.signedHeaders(request)), Signature=\(signature)"
    }

    /// The canonical request: what the signature is about.
    static func canonical(_ request: Request) -> String {
        let headers = request.headers.sorted { $0.name < $1.name }
            .map { "\($0.name):\(Self.trimmed($0.value))\n" }.joined()
        return [
            request.method, escapedPath(request.path), escapedQuery(request.query), headers, signedHeaders(request),
            request.payloadHash,
        ].joined(separator: "\n")
    }

    /// The path as it is sent.
    static func escapedPath(_ path: String) -> String { escaped(path, keeping: UInt8(ascii: "/")) }

    /// The query as it is sent, sorted.
    static func escapedQuery(_ query: [(name: String, value: String)]) -> String {
        query.map { (escaped($0.name), escaped($0.value)) }.sorted { $0 < $1 }
            .map { "\($0)=\($1)" }.joined(separator: "&")
    }

    /// SHA-256 in hexadecimal.
    static func hash(_ bytes: some Sequence<UInt8>) -> String { hexadecimal(SHA256.hash(data: Array(bytes))) }

    private func signature(of canonical: String, time: AWSTime) -> String {
        let text = [Self.algorithm, time.stamp, scope(time), Self.hash(canonical.utf8)].joined(separator: "\n")
        var key = Array("AWS4\(credentials.secret)".utf8)
        for part in [time.day, region, service, "aws4_request"] { key = Self.authenticate(part, key: key) }
        return Self.hexadecimal(Self.authenticate(text, key: key))
    }

    private func scope(_ time: AWSTime) -> String { "\(time.day)/\(region)/\(service)/aws4_request" }

    private static func signedHeaders(_ request: Request) -> String {
        request.headers.map(\.name).sorted().joined(separator: ";")
    }

    private static func authenticate(_ text: String, key: [UInt8]) -> [UInt8] {
        Array(HMAC<SHA256>.authenticationCode(for: Array(text.utf8), using: SymmetricKey(data: key)))
    }

    /// Without blanks at the ends, and with one where there are several.
    private static func trimmed(_ value: String) -> String { value.split(separator: " ").joined(separator: " ") }

    /// Every byte but RFC 3986's unreserved ones as `%XX`.
    private static func escaped(_ text: String, keeping kept: UInt8? = nil) -> String {
        var result: [UInt8] = []
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
                UInt8(ascii: "~"):
                result.append(byte)
            case kept: result.append(byte)
            default:
                let digits = Array("0123456789ABCDEF".utf8)
                result += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return String(decoding: result, as: UTF8.self)
    }

    /// Two digits for each byte.
    static func hexadecimal(_ bytes: some Sequence<UInt8>) -> String {
        let digits = Array("0123456789abcdef".utf8)
        var text: [UInt8] = []
        for byte in bytes { text += [digits[Int(byte >> 4)], digits[Int(byte & 15)]] }
        return String(decoding: text, as: UTF8.self)
    }
}
