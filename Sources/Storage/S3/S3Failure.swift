/// Why one request to an object store did not do what was asked.
enum S3Failure: Error, Equatable {
    /// An answer that is no success, with the code of the error in its body; empty when there is none.
    case answered(status: Int, code: String, region: String?)
    /// No connection, or one that was cut.
    case cut
    /// No answer in time, or not all of it.
    case timeout
    /// The answer ended before its announced length, or is not what its checksum says.
    case damaged
    /// The answer is longer than any that we expect.
    case tooLarge
    /// The answer is not a listing as ListObjectsV2 gives them.
    case malformedListing

    /// Whether the same request may go well a moment later.
    var isPassing: Bool {
        switch self {
        case .answered(let status, let code, _):
            [408, 429, 500, 502, 503, 504].contains(status) || ["RequestTimeout", "SlowDown"].contains(code)
        case .cut, .timeout, .damaged: true
        case .tooLarge, .malformedListing: false
        }
    }

    /// Whether other credentials may help: those in the file may have been exchanged.
    var isAboutCredentials: Bool {
        guard case .answered(_, let code, _) = self else { return false }
        return ["ExpiredToken", "InvalidToken", "InvalidAccessKeyId", "SignatureDoesNotMatch"].contains(code)
    }
}

extension StorageError {
    /// The failure that is left when nothing more is tried.
    init(_ failure: S3Failure, of method: String, at place: S3Place) {
        let store = "\(place.endpoint.scheme)://\(place.endpoint.authority)"
        switch failure {
        case .answered(let status, let code, _) where failure.isPassing:
            self = .objectStoreFails(detail: "\(store) answers \(status)\(code.isEmpty ? "" : " (\(code))")")
        case .answered(let status, let code, let region):
            let advice = Self.advice(code, status: status, region: region, method: method, place: place)
            self = .objectStoreRefuses(
                detail: "\(store) answers \(status)\(code.isEmpty ? "" : " (\(code))"): \(advice)")
        case .cut: self = .objectStoreFails(detail: "\(store) cannot be reached, or hangs up")
        case .timeout: self = .objectStoreFails(detail: "\(store) does not answer in time")
        case .damaged: self = .objectStoreFails(detail: "answers of \(store) arrive damaged")
        case .tooLarge: self = .objectStoreRefuses(detail: "an answer of \(store) is too large to be ours")
        case .malformedListing: self = .objectStoreRefuses(detail: "\(store) does not list as ListObjectsV2 does")
        }
    }

    private static func advice(
        _ code: String, status: Int, region: String?, method: String, place: S3Place
    ) -> String {
        switch code {
        case "NoSuchBucket": "there is no bucket \(place.bucket); make it, or correct --blobs"
        case "InvalidAccessKeyId", "SignatureDoesNotMatch":
            "the access key is not known there, or its secret is another; correct the credentials"
        case "ExpiredToken", "InvalidToken": "the session token has expired; give new credentials"
        case "RequestTimeTooSkewed":
            "this machine's clock and the store's are more than 15 minutes apart; set this machine's clock (NTP)"
        case "AuthorizationHeaderMalformed", "PermanentRedirect", "TemporaryRedirect": inAnother(region)
        default:
            switch status {
            case 301, 307: inAnother(region)
            case 401, 403:
                "the key may not \(method) in \(place.bucket)/\(place.prefix); allow it s3:PutObject, s3:GetObject and "
                    + "s3:DeleteObject there, and s3:ListBucket"
            default: "that is no answer to \(method) we can use; is --s3-endpoint an S3-compatible object store?"
            }
        }
    }

    private static func inAnother(_ region: String?) -> String {
        "the bucket is in another region; give \(region.map { "--s3-region \($0)" } ?? "its --s3-region")"
    }
}
