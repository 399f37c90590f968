public import Encodings

/// The link that a new device shows to the first one of the same account.
///
/// It carries the new keys past the server, so that the first device endorses those and no others.
public struct PairingCode: Sendable, Equatable {
    /// The page of the server that the link leads to.
    public static let path: StaticString = "/add-device"
    /// The longest text that is read, in bytes.
    public static let maximumLength = CodePayload.maximumLength

    /// The public URL of the organisation's server.
    public let server: Bytes
    /// The id of the pairing.
    public let pairing: Bytes
    /// Thumbprint of the new device's signing key, 32 bytes.
    public let signingKey: Bytes
    /// Thumbprint of the new device's encryption key, 32 bytes.
    public let encryptionKey: Bytes

    /// A code of these values.
    public init(server: Bytes, pairing: Bytes, signingKey: Bytes, encryptionKey: Bytes) {
        self.server = server
        self.pairing = pairing
        self.signingKey = signingKey
        self.encryptionKey = encryptionKey
    }

    /// Reads the link; white space around it, as it comes with copying, does not matter.
    public static func parse(_ text: Bytes) throws(CodeError) -> PairingCode {
        let trimmed = text.trimmingSpace()
        guard trimmed.count <= maximumLength else { throw .tooLong }
        guard let link = CodePayload.split(trimmed, path: path) else { throw .unknownForm }
        let json = try CodePayload.parse(link.fragment)
        guard json.members?.count == 4, let server = CodePayload.server(json["server"]),
            let pairing = CodePayload.identifier(json["pairing"]),
            let signingKey = CodePayload.hash(json["key"]),
            let encryptionKey = CodePayload.hash(json["encryption_key"])
        else { throw .unexpectedPart }
        guard server == link.server else { throw .otherServer }
        return PairingCode(server: server, pairing: pairing, signingKey: signingKey, encryptionKey: encryptionKey)
    }

    /// The link to show.
    public var link: Bytes {
        // In canonical order.
        let json = JSON.members([
            ("encryption_key", .string(Base64.encode(encryptionKey, .url))),
            ("key", .string(Base64.encode(signingKey, .url))), ("pairing", .string(pairing)),
            ("server", .string(server)),
        ])
        return CodePayload.link(server: server, path: Self.path, json)
    }
}
