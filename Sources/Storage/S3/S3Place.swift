/// A part of a bucket of an S3-compatible object store: `s3://BUCKET/PREFIX`, and where that store is.
package struct S3Place: Sendable, Equatable {
    /// How a bucket is named in addresses.
    package enum Addressing: String, Sendable, CaseIterable {
        /// `https://ENDPOINT/BUCKET/KEY`.
        case path
        /// `https://BUCKET.ENDPOINT/KEY`.
        case host
    }

    /// The bucket's name.
    package let bucket: String
    /// The prefix of all keys: empty, or parts each with a slash behind it.
    package let prefix: String
    /// Where the store is.
    package let endpoint: S3Endpoint
    /// What requests are signed for.
    package let region: String
    /// How the bucket is named in addresses.
    package let addressing: Addressing

    /// What is used when no region is given.
    package static let defaultRegion = "us-east-1"

    /// A place.
    ///
    /// - Parameters:
    ///   - endpoint: `nil` for Amazon's of the region.
    ///   - addressing: `nil` for the usual: `host` at Amazon's, `path` elsewhere, and for a bucket with a dot, which no
    ///     certificate of Amazon's would cover.
    package init(
        _ bucket: S3BucketName, endpoint: S3Endpoint? = nil, region: String = defaultRegion,
        addressing: Addressing? = nil
    ) {
        self.bucket = bucket.bucket
        prefix = bucket.prefix
        self.region = region
        self.endpoint = endpoint ?? .amazon(region: region)
        let isUsual = endpoint == nil && !bucket.bucket.contains(".")
        self.addressing = addressing ?? (isUsual ? .host : .path)
    }

    /// Whether a text may be a region's name.
    package static func isRegion(_ text: String) -> Bool {
        (1...64).contains(text.utf8.count)
            && text.utf8.allSatisfy { 0x61...0x7A ~= $0 || 0x30...0x39 ~= $0 || $0 == UInt8(ascii: "-") }
    }

    /// Host and port of requests.
    var authority: String { addressing == .host ? "\(bucket).\(endpoint.authority)" : endpoint.authority }

    /// The path of a key, nothing escaped; of the bucket when the key is empty.
    func path(_ key: String) -> String { addressing == .host ? "/\(key)" : "/\(bucket)/\(key)" }
}

/// `s3://BUCKET` or `s3://BUCKET/PREFIX`.
package struct S3BucketName: Sendable, Equatable {
    let bucket: String
    let prefix: String

    /// Reads one.
    ///
    /// - Returns: `nil` unless both parts are valid. The bucket must have 3 to 63 small letters, digits, hyphens and
    ///   dots, with a letter or digit at both ends. The prefix must be the name of a blob of at most 256 bytes; a slash
    ///   at the end is dropped.
    package init?(_ text: String) {
        guard text.hasPrefix("s3://") else { return nil }
        let parts = text.dropFirst(5).split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        let name = parts[0].utf8
        let isEnd = { (byte: UInt8) in 0x61...0x7A ~= byte || 0x30...0x39 ~= byte }
        guard (3...63).contains(name.count), let first = name.first, let last = name.last, isEnd(first), isEnd(last),
            name.allSatisfy({ isEnd($0) || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: ".") }),
            !parts[0].contains("..")
        else { return nil }
        bucket = String(parts[0])
        var rest = parts.count == 2 ? parts[1] : ""
        if rest.hasSuffix("/") { rest.removeLast() }
        guard rest.isEmpty || (rest.utf8.count <= 256 && (try? BlobName(String(rest))) != nil) else { return nil }
        prefix = rest.isEmpty ? "" : "\(rest)/"
    }
}

/// Where an object store answers: `https://HOST[:PORT]`, or plain http on this machine.
package struct S3Endpoint: Sendable, Equatable {
    /// Why a text is not an endpoint that we accept.
    package enum Mistake: Error, Equatable {
        /// Not scheme, host, port and nothing else.
        case form
        /// Plain http to another machine.
        case insecure
    }

    /// `https` or `http`.
    let scheme: String
    /// Host, with `:port` when it is not the scheme's own.
    let authority: String

    private init(scheme: String, authority: String) {
        self.scheme = scheme
        self.authority = authority
    }

    /// Amazon's own.
    static func amazon(region: String) -> S3Endpoint {
        S3Endpoint(scheme: "https", authority: "s3.\(region).amazonaws.com")
    }

    /// Reads one; a slash at the end is dropped.
    package init(_ text: String) throws(Mistake) {
        let parts = text.split(separator: ":", maxSplits: 1).map(String.init)
        guard parts.count == 2, ["https", "http"].contains(parts[0]), parts[1].hasPrefix("//") else { throw .form }
        var rest = parts[1].dropFirst(2)
        if rest.hasSuffix("/") { rest.removeLast() }
        guard let (host, port) = Self.split(rest) else { throw .form }
        let isLoopback = host == "localhost" || host == "[::1]" || Self.isLoopbackAddress(host)
        guard parts[0] == "https" || isLoopback else { throw .insecure }
        let usual = parts[0] == "https" ? "443" : "80"
        self.init(scheme: parts[0], authority: port == nil || port == usual ? host : "\(host):\(port ?? "")")
    }

    private static func split(_ text: Substring) -> (host: String, port: String?)? {
        let host: Substring
        if text.hasPrefix("[") {
            guard let end = text.firstIndex(of: "]") else { return nil }
            host = text[...end]
            guard host.dropFirst().dropLast().utf8.allSatisfy({ "0123456789abcdef:".utf8.contains($0) }) else {
                return nil
            }
        } else {
            host = text.prefix { $0 != ":" }
            let labels = host.split(separator: ".", omittingEmptySubsequences: false)
            guard labels.allSatisfy({ S3Place.isRegion(String($0)) }) else { return nil }
        }
        let rest = text[host.endIndex...]
        guard !rest.isEmpty else { return (String(host), nil) }
        guard rest.hasPrefix(":"), let port = UInt16(rest.dropFirst()), port > 0, !rest.hasPrefix(":0"),
            !rest.hasPrefix(":+")
        else { return nil }
        return (String(host), String(port))
    }

    private static func isLoopbackAddress(_ host: String) -> Bool {
        let parts = host.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 4 && parts[0] == "127" && parts.allSatisfy { UInt8($0) != nil }
    }
}
