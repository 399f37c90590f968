public import Encodings

/// The code that a holder shows to an administrator face to face, as a QR code and as text.
///
/// It carries the holder's keys and commitment past the server, so the server cannot replace them.
///
/// It has two forms for one payload: the bare text, and a link that opens the administrator's page.
public struct EnrolmentCode: Sendable, Equatable {
    /// What the bare text begins with.
    public static let prefix: StaticString = "countersign-enrol:"
    /// The page of the server that a link leads to.
    public static let path: StaticString = "/console/check"
    /// The longest text that is read, in bytes.
    public static let maximumLength = CodePayload.maximumLength

    /// The public URL of the organisation's server.
    public let server: Bytes
    /// The id of the check.
    public let enrolment: Bytes
    /// Thumbprint of the holder's signing key, 32 bytes.
    public let signingKey: Bytes
    /// Thumbprint of the holder's encryption key, 32 bytes.
    public let encryptionKey: Bytes
    /// SHA-256 of the holder's nonce, 32 bytes.
    public let commitment: Bytes

    /// A code of these values.
    public init(server: Bytes, enrolment: Bytes, signingKey: Bytes, encryptionKey: Bytes, commitment: Bytes) {
        self.server = server
        self.enrolment = enrolment
        self.signingKey = signingKey
        self.encryptionKey = encryptionKey
        self.commitment = commitment
    }

    /// Reads either form; white space around it, as it comes with copying, does not matter.
    ///
    /// The fragment of a link may repeat the prefix of the bare form. Its server must be the payload's.
    public static func parse(_ text: Bytes) throws(CodeError) -> EnrolmentCode {
        let trimmed = text.trimmingSpace()
        guard trimmed.count <= maximumLength else { throw .tooLong }
        if let payload = payload(trimmed) { return try EnrolmentCode(payload) }
        guard let link = CodePayload.split(trimmed, path: path) else { throw .unknownForm }
        let code = try EnrolmentCode(payload(link.fragment) ?? link.fragment)
        guard code.server == link.server else { throw .otherServer }
        return code
    }

    /// The bare form.
    public var text: Bytes { CodePayload.bytes(Self.prefix) + CodePayload.text(json) }

    /// The form that opens the administrator's page when it is scanned.
    public var link: Bytes { CodePayload.link(server: server, path: Self.path, json) }

    private init(_ payload: Bytes) throws(CodeError) {
        let json = try CodePayload.parse(payload)
        guard json.members?.count == 5, let server = CodePayload.server(json["server"]),
            let enrolment = CodePayload.identifier(json["enrolment"]),
            let signingKey = CodePayload.hash(json["key"]),
            let encryptionKey = CodePayload.hash(json["encryption_key"]),
            let commitment = CodePayload.hash(json["commitment"])
        else { throw .unexpectedPart }
        self.init(
            server: server, enrolment: enrolment, signingKey: signingKey, encryptionKey: encryptionKey,
            commitment: commitment)
    }

    /// In canonical order.
    private var json: JSON {
        .members([
            ("commitment", .string(Base64.encode(commitment, .url))),
            ("encryption_key", .string(Base64.encode(encryptionKey, .url))), ("enrolment", .string(enrolment)),
            ("key", .string(Base64.encode(signingKey, .url))), ("server", .string(server)),
        ])
    }

    /// What follows the prefix, or `nil` without it.
    private static func payload(_ text: Bytes) -> Bytes? {
        let prefix = CodePayload.bytes(prefix)
        guard text.starts(with: prefix) else { return nil }
        return Array(text[prefix.count...])
    }
}
