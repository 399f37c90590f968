/// A CBOR value (RFC 8949) of the kinds that WebAuthn and CTAP2 use.
///
/// Tags, floating-point numbers, `undefined` and simple values without a meaning are not read.
public indirect enum CBOR: Sendable, Equatable {
    /// A whole number from 0.
    case unsigned(UInt64)
    /// The number -1 - n.
    case negative(UInt64)
    /// A byte string.
    case bytes(Bytes)
    /// UTF-8 text.
    case text(Bytes)
    case array([CBOR])
    /// A map in the order written, which is the canonical one.
    case map([Entry])
    case bool(Bool)
    case null

    /// One key and value of a map.
    public struct Entry: Sendable, Equatable {
        /// A number, byte string or text.
        public let key: CBOR
        /// The value.
        public let value: CBOR

        /// A key and its value.
        public init(_ key: CBOR, _ value: CBOR) {
            self.key = key
            self.value = value
        }
    }

    /// The value of the text key `name`, or `nil` when this is no map or has none of that name.
    public subscript(name: StaticString) -> CBOR? {
        guard case .map(let entries) = self else { return nil }
        for entry in entries {
            if case .text(let key) = entry.key, key.equals(name) { return entry.value }
        }
        return nil
    }

    /// The value of the number key `label`, or `nil` when this is no map or has none of that number.
    public subscript(label label: Int64) -> CBOR? {
        guard case .map(let entries) = self else { return nil }
        for entry in entries where entry.key.integer == label { return entry.value }
        return nil
    }

    /// The number, if it fits 64 bits with its sign.
    public var integer: Int64? {
        switch self {
        case .unsigned(let number): Int64(exactly: number)
        case .negative(let number): number <= UInt64(Int64.max) ? -1 - Int64(number) : nil
        default: nil
        }
    }

    /// The content of a byte string.
    public var bytes: Bytes? {
        guard case .bytes(let content) = self else { return nil }
        return content
    }

    /// The content of a text.
    public var text: Bytes? {
        guard case .text(let content) = self else { return nil }
        return content
    }

    /// The elements of an array.
    public var array: [CBOR]? {
        guard case .array(let elements) = self else { return nil }
        return elements
    }

    /// The entries of a map.
    public var map: [Entry]? {
        guard case .map(let entries) = self else { return nil }
        return entries
    }
}
