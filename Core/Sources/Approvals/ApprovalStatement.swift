import Encodings

/// What a signature is for: the first element of every list that is signed, so that no signature counts for another
/// purpose, and none of the original's counts here.
public enum ApprovalLabel: Sendable, Equatable {
    /// A device allows.
    case allow
    /// A device denies.
    case deny
    /// A device is enrolled, or vouches for another one.
    case enrol
    /// The server asks, confirms or decides.
    case server

    /// The label in the bytes.
    public var text: StaticString {
        switch self {
        case .allow: "authreq/v2/allow"
        case .deny: "authreq/v2/deny"
        case .enrol: "authreq/v2/enrol"
        case .server: "authreq/v2/server"
        }
    }
}

/// The bytes that are signed: one Bencode list of a label, what is answered, and a dictionary.
enum ApprovalStatement {
    /// The one algorithm there is: ECDSA with P-256 and SHA-256, as JOSE names it (RFC 7518 section 3.1).
    static let algorithm: StaticString = "ES256"

    /// What a server signs: the label and a dictionary.
    ///
    /// - Parameter dictionary: in Bencode.
    static func server(_ dictionary: Bytes) -> Bytes {
        var writer = BencodeWriter(capacity: dictionary.count + 24)
        writer.beginList()
        writer.text(ApprovalLabel.server.text)
        writer.encoded(dictionary)
        writer.end()
        return writer.bytes
    }

    /// What a device signs: the label, the whole statement that it answers, and a dictionary.
    ///
    /// - Parameters:
    ///   - statement: of the server, word for word.
    ///   - dictionary: in Bencode.
    static func device(_ label: ApprovalLabel, answering statement: Bytes, _ dictionary: Bytes) -> Bytes {
        var writer = BencodeWriter(capacity: statement.count + dictionary.count + 32)
        writer.beginList()
        writer.text(label.text)
        writer.string(statement)
        writer.encoded(dictionary)
        writer.end()
        return writer.bytes
    }

    /// The dictionary of a server's statement of this kind.
    static func openServer(
        _ statement: Bytes, maximumLength: Int
    ) throws(ApprovalError) -> MemberReader {
        guard statement.count <= maximumLength,
            let list = try? Bencode.parse(statement, maximumLength: maximumLength, maximumDepth: 4, maximumCount: 4096),
            let parts = list.list, parts.count == 2, parts[0].string?.equals(ApprovalLabel.server.text) == true
        else { throw .malformed }
        return try MemberReader(parts[1])
    }

    static func bytes(_ text: StaticString) -> Bytes { text.withUTF8Buffer { unsafe Bytes($0) } }
}
