package import Encodings
import Interface

/// What a holder shows to an administrator face to face, as a QR code and as text: it carries the holder's keys and
/// her commitment past the server, so that the server cannot put others in their place.
package struct EnrolmentCode: Sendable, Equatable {
    /// What the text begins with.
    package static let prefix = "countersign-enrol:"
    /// The longest text that is read, in bytes.
    package static let maximumLength = 1_024

    /// The public URL of the organisation's server.
    package let server: String
    /// The id of the check.
    package let enrolment: String
    /// Thumbprint of the holder's signing key, 32 bytes.
    package let signingKey: Bytes
    /// Thumbprint of the holder's encryption key, 32 bytes.
    package let encryptionKey: Bytes
    /// SHA-256 of the holder's nonce, 32 bytes.
    package let commitment: Bytes

    /// A code of these values.
    package init(server: String, enrolment: String, signingKey: Bytes, encryptionKey: Bytes, commitment: Bytes) {
        self.server = server
        self.enrolment = enrolment
        self.signingKey = signingKey
        self.encryptionKey = encryptionKey
        self.commitment = commitment
    }

    /// Reads the text; white space around it, as it comes with copying, does not matter.
    ///
    /// - Throws: `badCode` for anything but the one spelling of a code.
    package static func parse(_ text: String) throws(WalletError) -> EnrolmentCode {
        let trimmed = Bytes(text: text).trimmingSpace()
        guard trimmed.count <= maximumLength else { throw .badCode("it is too long") }
        let prefix = Bytes(text: Self.prefix)
        guard trimmed.starts(with: prefix) else { throw .badCode("it does not begin with \(Self.prefix)") }
        guard let bytes = Base64.decode(Array(trimmed[prefix.count...]), .url),
            let json = try? JSON.parse(bytes, maximumLength: maximumLength, maximumDepth: 1),
            (try? json.canonical()) == bytes
        else { throw .badCode("a character is wrong or missing") }
        guard json.members?.count == 5, let server = json["server"]?.string, !server.isEmpty,
            let enrolment = json["enrolment"]?.string, !enrolment.isEmpty, enrolment.count <= 64,
            let signingKey = hash(json["key"]), let encryptionKey = hash(json["encryption_key"]),
            let commitment = hash(json["commitment"])
        else { throw .badCode("a part is missing or of another length") }
        return EnrolmentCode(
            server: server.text, enrolment: enrolment.text, signingKey: signingKey, encryptionKey: encryptionKey,
            commitment: commitment)
    }

    /// The text to show.
    package var text: String {
        let json = JSON.members([
            ("commitment", .text(commitment.base64URL)), ("encryption_key", .text(encryptionKey.base64URL)),
            ("enrolment", .text(enrolment)), ("key", .text(signingKey.base64URL)), ("server", .text(server)),
        ])
        // Written in canonical order already.
        return Self.prefix + json.serialized().base64URL
    }

    private static func hash(_ json: JSON?) -> Bytes? {
        guard let text = json?.string, let bytes = Base64.decode(text, .url), bytes.count == 32 else { return nil }
        return bytes
    }
}

extension Array where Element == UInt8 {
    /// Without spaces, tabs and line ends at both ends.
    func trimmingSpace() -> Bytes {
        let isSpace = { (byte: UInt8) in byte == 0x20 || (0x09...0x0D).contains(byte) }
        guard let first = firstIndex(where: { !isSpace($0) }), let last = lastIndex(where: { !isSpace($0) }) else {
            return []
        }
        return Array(self[first...last])
    }
}
