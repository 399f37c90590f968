/// A JSON value (RFC 8259), strict: strings are UTF-8 bytes, an object keeps its members in the order written.
public indirect enum JSON: Sendable, Equatable {
    case null
    case bool(Bool)
    /// A whole number between -(2^53 - 1) and 2^53 - 1, the range that every JSON implementation agrees on.
    case integer(Int64)
    /// Any other number, as it was written. It is carried, never computed with, and never written canonically.
    case decimal(Bytes)
    /// UTF-8 text, unescaped.
    case string(Bytes)
    case array([JSON])
    case object([Member])

    /// One name and value of an object.
    public struct Member: Sendable, Equatable {
        /// The name, UTF-8.
        public let name: Bytes
        /// The value.
        public var value: JSON

        /// A member of an object.
        public init(_ name: Bytes, _ value: JSON) {
            self.name = name
            self.value = value
        }

        /// A member with a name from the source.
        public init(_ name: String, _ value: JSON) {
            self.name = Bytes(text: name)
            self.value = value
        }
    }

    /// The largest whole number that JSON carries safely, 2^53 - 1.
    public static let safeInteger: Int64 = 9_007_199_254_740_991

    /// A string value.
    public static func text(_ text: String) -> JSON { .string(Bytes(text: text)) }

    /// An object from name and value pairs in the given order.
    ///
    /// Names must differ.
    public static func members(_ members: [(String, JSON)]) -> JSON {
        .object(members.map { Member($0.0, $0.1) })
    }

    /// The value of the member `name`, or `nil` when this is no object or has none of that name.
    public subscript(name: StaticString) -> JSON? {
        guard case .object(let members) = self else { return nil }
        for member in members where member.name.equals(name) { return member.value }
        return nil
    }

    /// The value of the member `name`, or `nil` when this is no object or has none of that name.
    public subscript(bytes name: Bytes) -> JSON? {
        guard case .object(let members) = self else { return nil }
        for member in members where member.name == name { return member.value }
        return nil
    }

    /// The text of a string value.
    public var string: Bytes? {
        guard case .string(let bytes) = self else { return nil }
        return bytes
    }

    /// Its value if it is true or false.
    public var bool: Bool? {
        guard case .bool(let value) = self else { return nil }
        return value
    }

    /// The number of an integer value.
    public var integer: Int64? {
        guard case .integer(let number) = self else { return nil }
        return number
    }

    /// The elements of an array.
    public var array: [JSON]? {
        guard case .array(let elements) = self else { return nil }
        return elements
    }

    /// The members of an object.
    public var members: [Member]? {
        guard case .object(let members) = self else { return nil }
        return members
    }

    /// Whether this is the string `text`.
    public func isString(_ text: StaticString) -> Bool {
        guard case .string(let bytes) = self else { return false }
        return bytes.equals(text)
    }
}
