import NIOHTTP1

/// A request to a bucket, before it is signed.
struct S3Request: Sendable {
    let method: HTTPMethod
    /// The whole key; empty for the bucket itself.
    let key: String
    var query: [(name: String, value: String)] = []
    /// Names in small letters.
    var headers: [(name: String, value: String)] = []
    var body = S3Body([])
    /// How many bytes the answer may have.
    var answerLimit = S3Request.smallAnswer

    /// Answers without a body, and errors.
    static let smallAnswer = 1 << 16

    /// The most bytes of one object: a sealed document has 16 MiB.
    static let objectLimit = 32 << 20

    /// One page of a listing: a thousand keys.
    static let listingLimit = 4 << 20

    /// Stores an object.
    ///
    /// The store itself compares what it has got with the checksum, which it also keeps.
    static func put(_ key: String, _ blob: Blob) -> S3Request {
        let body = S3Body(blob.bytes)
        return S3Request(
            method: .PUT, key: key,
            headers: blob.serving.headers + [
                ("x-amz-checksum-sha256", body.checksum), ("x-amz-sdk-checksum-algorithm", "SHA256"),
            ], body: body)
    }

    static func get(_ key: String) -> S3Request {
        S3Request(
            method: .GET, key: key, headers: [("x-amz-checksum-mode", "ENABLED")], answerLimit: objectLimit)
    }

    static func head(_ key: String) -> S3Request { S3Request(method: .HEAD, key: key) }

    static func delete(_ key: String) -> S3Request { S3Request(method: .DELETE, key: key) }

    /// One page of the keys with a beginning.
    ///
    /// - Parameter after: a key behind which the first page begins.
    static func list(_ prefix: String, after: String? = nil, continuation: String?) -> S3Request {
        let page: [(name: String, value: String)] =
            if let continuation {
                [("continuation-token", continuation)]
            } else if let after {
                [("start-after", after)]
            } else { [] }
        return S3Request(
            method: .GET, key: "", query: [("list-type", "2"), ("prefix", prefix)] + page, answerLimit: listingLimit)
    }

    /// All header fields of the request, the signature last.
    ///
    /// - Parameter time: seconds since 1970; the store refuses more than 15 minutes of difference.
    func signed(for place: S3Place, _ credentials: S3Credentials, time: Int64) -> HTTPHeaders {
        let time = AWSTime(seconds: time)
        var fields =
            headers + [
                ("host", place.authority), ("x-amz-date", time.stamp), ("x-amz-content-sha256", body.payloadHash),
            ]
        if let token = credentials.sessionToken { fields.append(("x-amz-security-token", token)) }
        let signer = SignatureV4(credentials: credentials, region: place.region, service: "s3")
        let authorization = signer.authorization(
            SignatureV4.Request(
                method: method.rawValue, path: place.path(key), query: query, headers: fields,
                payloadHash: body.payloadHash),
            time: time)
        return HTTPHeaders(fields.map { ($0.name, $0.value) } + [("authorization", authorization)])
    }

    /// The address of the request.
    func url(at place: S3Place) -> String {
        let query = query.isEmpty ? "" : "?" + SignatureV4.escapedQuery(query)
        return "\(place.endpoint.scheme)://\(place.authority)\(SignatureV4.escapedPath(place.path(key)))\(query)"
    }
}

extension Blob.Serving {
    /// The headers that a bucket, if it is served directly, sends to browsers and programs.
    fileprivate var headers: [(name: String, value: String)] {
        switch self {
        case .sealed: [("content-type", "application/octet-stream"), ("cache-control", "private, no-store")]
        case .immutable:
            [("content-type", "application/octet-stream"), ("cache-control", "public, max-age=31536000, immutable")]
        case .changingText: [("content-type", "text/plain; charset=utf-8"), ("cache-control", "no-cache")]
        }
    }
}
