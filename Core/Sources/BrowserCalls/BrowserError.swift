public import Encodings

/// Why a call is refused: a stable code for programs, and a sentence for people.
public struct BrowserError: Error, Equatable, Sendable {
    /// The name that programs read, snake case.
    public let code: Bytes
    /// What is wrong, in English, UTF-8.
    public let message: Bytes

    package init(_ code: StaticString, _ message: StaticString) {
        self.init(code, Bytes(message))
    }

    package init(_ code: StaticString, _ message: Bytes) {
        self.code = Bytes(code)
        self.message = message
    }

    /// About a member of the arguments.
    package init(_ code: StaticString, member: StaticString, _ what: StaticString) {
        self.init(code, Bytes("The member '") + Bytes(member) + Bytes("' ") + Bytes(what))
    }

    /// `{"code": …, "message": …}`.
    public var json: JSON {
        .members([("code", .string(code)), ("message", .string(message))])
    }
}

extension Array where Element == UInt8 {
    /// The bytes of a literal.
    package init(_ literal: StaticString) {
        self = literal.withUTF8Buffer { unsafe Bytes($0) }
    }
}

extension JSON {
    /// Bytes as base64url text without padding.
    package static func base64URL(_ bytes: Bytes) -> JSON { .string(Base64.encode(bytes, .url)) }

    /// Bytes as lower-case hexadecimal digits.
    package static func hex(_ bytes: Bytes) -> JSON { .string(Hex.encode(bytes)) }

    /// A literal.
    package static func literal(_ literal: StaticString) -> JSON { .string(Bytes(literal)) }
}
