public import Encodings

/// The server's view of a face-to-face check: mere claims, until they are compared with the holder's code.
public struct ShownEnrolment: Sendable {
    /// The id of the check.
    public let id: Bytes
    /// SHA-256 of the holder's nonce, base64url.
    public let commitment: Bytes
    /// The public signing key of the holder's device.
    public let signingKey: P256PublicKey
    /// The public encryption key of the holder's device.
    public let encryptionKey: P256PublicKey
    /// The holder's nonce, base64url; `nil` until they have answered.
    public let holderNonce: Bytes?
    /// The holder's `EnrolmentStatement`, a compact JWS; `nil` until they have answered.
    public let statement: Bytes?

    /// What was shown.
    public init(
        id: Bytes, commitment: Bytes, signingKey: P256PublicKey, encryptionKey: P256PublicKey, holderNonce: Bytes?,
        statement: Bytes?
    ) {
        self.id = id
        self.commitment = commitment
        self.signingKey = signingKey
        self.encryptionKey = encryptionKey
        self.holderNonce = holderNonce
        self.statement = statement
    }

    /// Reads the check as the HTTP interface gives it.
    ///
    /// - Returns: `nil` when a member that we need is missing, or a key is no uncompressed P-256 point.
    public init?(json: JSON) {
        guard let id = json["id"]?.string, let commitment = json["commitment"]?.string,
            let signingKey = Self.key(json["device"]?["signing_key"]),
            let encryptionKey = Self.key(json["device"]?["encryption_key"])
        else { return nil }
        self.init(
            id: id, commitment: commitment, signingKey: signingKey, encryptionKey: encryptionKey,
            holderNonce: json["holder_nonce"]?.string, statement: json["statement"]?.string)
    }

    private static func key(_ json: JSON?) -> P256PublicKey? {
        guard let text = json?.string, let bytes = Base64.decode(text, .url) else { return nil }
        return P256PublicKey(x963: bytes)
    }
}
