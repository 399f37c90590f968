import Approvals
import Encodings

/// The service itself, as its administrator wrote it down when they registered it: what receipts and webhooks are
/// checked against.
public struct PinnedService: Equatable, Sendable {
    /// Its id, most often its domain.
    public let domain: String
    let key: P256PublicKey

    /// - Parameter publicKey: the point that the console shows as "Key for verifiers", base64url.
    public init(domain: String, publicKey: String) throws(ServiceError) {
        guard let point = Base64.decode(Bytes(text: publicKey), .url), let key = P256PublicKey(x963: point) else {
            throw .unacceptableKey
        }
        self.domain = domain
        self.key = key
    }

    /// The key as it was given.
    public var publicKey: String { String(decoding: Base64.encode(key.x963, .url), as: UTF8.self) }

    var trusted: TrustedApprovalService { TrustedApprovalService(id: Bytes(text: domain), key: key) }
}
