public import Encodings

/// The service that asks: an id that does not change, and a name that people know.
public struct ApprovalService: Sendable, Equatable {
    /// 1 to 253 of `a-z`, `0-9`, dot and hyphen: most often its domain.
    public let id: Bytes
    /// 1 to 200 bytes of UTF-8.
    public let name: Bytes

    /// A service.
    ///
    /// - Throws: `malformed`.
    public init(id: Bytes, name: Bytes) throws(ApprovalError) {
        guard id.count >= 1, id.count <= 253, id.allSatisfy({ Self.isAllowed($0) }), name.count >= 1, name.count <= 200,
            UTF8Text.isValid(name)
        else { throw .malformed }
        self.id = id
        self.name = name
    }

    private static func isAllowed(_ byte: UInt8) -> Bool {
        (0x61...0x7A).contains(byte) || (0x30...0x39).contains(byte) || byte == 0x2E || byte == 0x2D
    }

    func write(to writer: inout BencodeWriter) {
        writer.text("service")
        writer.beginDictionary()
        writer.text("id")
        writer.string(id)
        writer.text("name")
        writer.string(name)
        writer.end()
    }

    static func read(from members: inout MemberReader) throws(ApprovalError) -> ApprovalService {
        var parts = try MemberReader(try members.take("service"))
        let id = try parts.string("id", 1...253)
        let name = try parts.string("name", 1...200)
        try parts.finish()
        return try ApprovalService(id: id, name: name)
    }
}

/// What a challenge asks for, in one word; a page has a sentence for each.
public enum ApprovalAction: Sendable, Equatable {
    /// To sign in.
    case signIn
    /// To pay.
    case pay
    /// To change something at the service: an address, a limit, a password.
    case change
    /// To agree to what the text says.
    case agree

    static let all: [ApprovalAction] = [.signIn, .pay, .change, .agree]

    /// The name in the signed bytes.
    public var name: StaticString {
        switch self {
        case .signIn: "sign-in"
        case .pay: "pay"
        case .change: "change"
        case .agree: "agree"
        }
    }

    static func named(_ name: Bytes) -> ApprovalAction? { all.first { name.equals($0.name) } }
}
