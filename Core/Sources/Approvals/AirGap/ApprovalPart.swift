public import Encodings

/// One picture of an animated QR code: a piece of a message, its place, and the hash of the whole.
///
/// As text: `authreq:2:INDEX/COUNT/HASH/PIECE`, the index from 1, hash and piece in base64url. Every piece but the last
/// has the same length.
public struct ApprovalPart: Sendable, Equatable {
    /// The usual length of a piece in bytes; its text makes a QR code of version 22 at level L.
    public static let usualLength = 600
    /// The most parts of one message.
    public static let maximumCount = 512

    /// From 1 on.
    public let index: Int
    /// How many there are.
    public let count: Int
    /// SHA-256 of the whole message.
    public let digest: Bytes
    /// The piece.
    public let piece: Bytes

    /// The parts of a message.
    ///
    /// - Parameter length: of a piece, in bytes.
    /// - Throws: `malformed` for an empty message, or one too long for 512 parts.
    public static func parts<Suite: CryptoSuite>(
        of message: Bytes, length: Int = usualLength, suite: Suite
    ) throws(ApprovalError) -> [ApprovalPart] {
        guard !message.isEmpty, message.count <= ApprovalLink.maximumMessage, length >= 1 else { throw .malformed }
        let count = (message.count + length - 1) / length
        guard count <= maximumCount else { throw .malformed }
        let digest = suite.sha256(message)
        return (0..<count).map { index in
            let start = index * length
            return ApprovalPart(
                index: index + 1, count: count, digest: digest,
                piece: Array(message[start..<min(start + length, message.count)]))
        }
    }

    /// The text of the QR code.
    public func encoded() -> Bytes {
        var text = ApprovalLink.scheme + decimalBytes(UInt64(index)) + [0x2F] + decimalBytes(UInt64(count)) + [0x2F]
        text += Base64.encode(digest, .url)
        text.append(0x2F)
        return text + Base64.encode(piece, .url)
    }

    /// Reads the text of a QR code.
    ///
    /// - Throws: `malformed`: a whole message is no part.
    public static func parse(_ text: Bytes) throws(ApprovalError) -> ApprovalPart {
        guard let body = ApprovalLink.body(text), body.count <= 4_096,
            let fields = body.split(at: 0x2F, maximum: 4), fields.count == 4,
            let index = parseDecimal(fields[0]), let count = parseDecimal(fields[1]),
            count >= 1, count <= UInt64(maximumCount), index >= 1, index <= count,
            let digest = Base64.decode(fields[2], .url), digest.count == 32,
            let piece = Base64.decode(fields[3], .url), !piece.isEmpty
        else { throw .malformed }
        return ApprovalPart(index: Int(index), count: Int(count), digest: digest, piece: piece)
    }
}
