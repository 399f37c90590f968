public import Encodings

/// A file that belongs to a credential: a PDF, mostly.
public struct AttachedDocument: Sendable, Equatable {
    /// The largest file, in bytes: so that a bundle with it stays under its own limit.
    public static let maximumSize = 11 << 20

    /// The file's name, without a path.
    public let name: Bytes
    /// The media type, such as `application/pdf`.
    public let mediaType: Bytes
    /// The file.
    public let content: Bytes

    /// Takes a file.
    ///
    /// - Returns: `nil` for a name or media type that we would not show, or a file too large.
    public init?(name: Bytes, mediaType: Bytes, content: Bytes) {
        guard FileLabel.isName(name), FileLabel.isMediaType(mediaType), content.count <= Self.maximumSize else {
            return nil
        }
        self.name = name
        self.mediaType = mediaType
        self.content = content
    }

    /// What the credential says about this file.
    public func descriptor<Suite: CryptoSuite>(suite: Suite) -> DocumentDescriptor {
        DocumentDescriptor(
            name: name, mediaType: mediaType, size: Int64(content.count), digest: suite.sha256(content))
    }

    init?(json: JSON) {
        guard let members = json.members, members.count == 3, let name = json["name"]?.string,
            let mediaType = json["media_type"]?.string, let text = json["content"]?.string,
            let content = Base64.decode(text, .url)
        else { return nil }
        self.init(name: name, mediaType: mediaType, content: content)
    }

    var json: JSON {
        .members([
            ("content", .string(Base64.encode(content, .url))), ("media_type", .string(mediaType)),
            ("name", .string(name)),
        ])
    }
}

/// The attached file, as a credential's `document` claim describes it.
public struct DocumentDescriptor: Sendable, Equatable {
    /// The file's name.
    public let name: Bytes
    /// The media type.
    public let mediaType: Bytes
    /// The size in bytes.
    public let size: Int64
    /// SHA-256 of the file, 32 bytes.
    public let digest: Bytes

    init(name: Bytes, mediaType: Bytes, size: Int64, digest: Bytes) {
        self.name = name
        self.mediaType = mediaType
        self.size = size
        self.digest = digest
    }

    /// Reads the claim's value.
    public init(json: JSON) throws(CredentialClaimError) {
        guard let members = json.members, members.count == 4, let name = json["name"]?.string,
            FileLabel.isName(name), let mediaType = json["media_type"]?.string, FileLabel.isMediaType(mediaType),
            let size = json["size"]?.integer, size >= 0, let text = json["sha256"]?.string,
            let digest = Base64.decode(text, .url), digest.count == 32
        else { throw .document }
        self.init(name: name, mediaType: mediaType, size: size, digest: digest)
    }

    /// The claim's value.
    public var json: JSON {
        .members([
            ("name", .string(name)), ("media_type", .string(mediaType)), ("size", .integer(size)),
            ("sha256", .string(Base64.encode(digest, .url))),
        ])
    }

    /// Whether `document` is the file that was signed: name, type, size and every byte.
    public func matches<Suite: CryptoSuite>(_ document: AttachedDocument, suite: Suite) -> Bool {
        name == document.name && mediaType == document.mediaType && size == Int64(document.content.count)
            && digest == suite.sha256(document.content)
    }
}

/// The characters that a file's name and media type may have.
enum FileLabel {
    /// Whether a name is 1 to 255 bytes of UTF-8 without path separators, control characters and characters that turn
    /// the direction of writing, which make `fdp.exe` look like `exe.pdf`.
    static func isName(_ name: Bytes) -> Bool {
        isText(name, maximum: 255) && !name.contains { $0 == 0x2F || $0 == 0x5C } && !name.equals(".")
            && !name.equals("..")
    }

    /// Whether a text has 1 to `maximum` bytes of UTF-8, without control characters and those that turn the direction.
    static func isText(_ text: Bytes, maximum: Int) -> Bool {
        guard !text.isEmpty, text.count <= maximum else { return false }
        var index = 0
        while index < text.count {
            guard let (scalar, length) = UTF8Text.scalar(in: text, at: index) else { return false }
            switch scalar {
            case 0..<0x20, 0x7F..<0xA0, 0x200E...0x200F, 0x2028...0x202E, 0x2066...0x2069: return false
            default: index += length
            }
        }
        return true
    }

    /// Whether a media type is `type/subtype` in lower-case restricted names (RFC 6838 section 4.2).
    static func isMediaType(_ type: Bytes) -> Bool {
        guard type.count <= 127, let parts = type.split(at: 0x2F, maximum: 2), parts.count == 2 else { return false }
        return parts.allSatisfy { part in
            guard let first = part.first, isLetterOrDigit(first) else { return false }
            return part.allSatisfy { isLetterOrDigit($0) || $0 == 0x2B || $0 == 0x2D || $0 == 0x2E || $0 == 0x5F }
        }
    }

    private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
        byte >= 0x61 && byte <= 0x7A || byte >= 0x30 && byte <= 0x39
    }
}
