/// Why bytes are not the CBOR that we accept.
public enum CBORError: Error, Equatable, Sendable {
    /// The bytes end inside a value, or a length says more than there is.
    case truncated
    /// Something follows the value.
    case trailing
    /// A number or length not in its shortest form, an indefinite length, or keys of a map out of order.
    case notCanonical
    /// A map has one key twice.
    case duplicateKey
    /// Arrays and maps are nested deeper than allowed.
    case tooDeep
    /// The bytes or the number of values exceed the limit.
    case tooLarge
    /// A text is not UTF-8.
    case invalidText
    /// A tag, a floating-point number, `undefined`, another simple value, or a key of a map that is no number or string.
    case unsupported
}

extension CBOR {
    /// Reads exactly one value in the CTAP2 canonical form (CTAP 2.1 section 8; WebAuthn Level 3 section 3 asks
    /// decoders to refuse any other).
    ///
    /// - Parameters:
    ///   - bytes: the value, nothing after it.
    ///   - maximumLength: in bytes.
    ///   - maximumDepth: of nested arrays and maps; CTAP2 allows four.
    ///   - maximumCount: of values of all kinds, keys included.
    public static func parse(
        _ bytes: Bytes, maximumLength: Int = 1 << 16, maximumDepth: Int = 4, maximumCount: Int = 1024
    ) throws(CBORError) -> CBOR {
        guard bytes.count <= maximumLength else { throw .tooLarge }
        var reader = CBORReader(bytes, maximumDepth: maximumDepth, maximumCount: maximumCount)
        let value = try reader.next()
        guard reader.isAtEnd else { throw .trailing }
        return value
    }
}

/// Reads CBOR values one after the other: for formats that hide one behind other fields.
public struct CBORReader: Sendable {
    private let bytes: Bytes
    private let maximumDepth: Int
    private var remaining: Int

    /// How many bytes have been read, from the beginning of the input.
    public private(set) var offset: Int

    /// Reads from `offset`; limits as in `CBOR.parse`.
    public init(_ bytes: Bytes, from offset: Int = 0, maximumDepth: Int = 4, maximumCount: Int = 1024) {
        self.bytes = bytes
        self.offset = min(max(offset, 0), bytes.count)
        self.maximumDepth = maximumDepth
        remaining = maximumCount
    }

    /// Whether everything was read.
    public var isAtEnd: Bool { offset == bytes.count }

    /// Reads the next value.
    public mutating func next() throws(CBORError) -> CBOR { try value(depth: 0) }

    private mutating func value(depth: Int) throws(CBORError) -> CBOR {
        guard remaining > 0 else { throw .tooLarge }
        remaining -= 1
        guard offset < bytes.count else { throw .truncated }
        let initial = bytes[offset]
        offset += 1
        let kind = initial >> 5
        if kind == 7 { return try simple(initial & 31) }
        let argument = try argument(initial & 31)
        switch kind {
        case 0: return .unsigned(argument)
        case 1: return .negative(argument)
        case 2: return .bytes(try string(argument))
        case 3:
            let text = try string(argument)
            guard UTF8Text.isValid(text) else { throw .invalidText }
            return .text(text)
        case 4: return try array(argument, depth: depth + 1)
        case 5: return try map(argument, depth: depth + 1)
        default: throw .unsupported
        }
    }

    private func simple(_ number: UInt8) throws(CBORError) -> CBOR {
        switch number {
        case 20: return .bool(false)
        case 21: return .bool(true)
        case 22: return .null
        default: throw .unsupported
        }
    }

    /// The number in or behind the initial byte, which must be written as short as can be (RFC 8949 section 4.2.1).
    private mutating func argument(_ short: UInt8) throws(CBORError) -> UInt64 {
        guard short >= 24 else { return UInt64(short) }
        guard short != 31 else { throw .notCanonical }
        guard short <= 27 else { throw .unsupported }
        let count = 1 << Int(short - 24)
        guard bytes.count - offset >= count else { throw .truncated }
        var number: UInt64 = 0
        for _ in 0..<count {
            number = number << 8 | UInt64(bytes[offset])
            offset += 1
        }
        let isShortest = count == 1 ? number >= 24 : number >> UInt64(4 * count) != 0
        guard isShortest else { throw .notCanonical }
        return number
    }

    private mutating func string(_ length: UInt64) throws(CBORError) -> Bytes {
        guard length <= UInt64(bytes.count - offset) else { throw .truncated }
        let end = offset + Int(length)
        let content = Array(bytes[offset..<end])
        offset = end
        return content
    }

    private mutating func array(_ length: UInt64, depth: Int) throws(CBORError) -> CBOR {
        let count = try elements(length, depth: depth)
        var elements: [CBOR] = []
        for _ in 0..<count { elements.append(try value(depth: depth)) }
        return .array(elements)
    }

    private mutating func map(_ length: UInt64, depth: Int) throws(CBORError) -> CBOR {
        let count = try elements(length, depth: depth)
        var entries: [CBOR.Entry] = []
        var previous: Bytes = []
        for _ in 0..<count {
            let start = offset
            let key = try value(depth: depth)
            switch key {
            case .unsigned, .negative, .bytes, .text: break
            default: throw .unsupported
            }
            let encoded = Array(bytes[start..<offset])
            if !entries.isEmpty {
                guard encoded != previous else { throw .duplicateKey }
                guard Self.precedes(previous, encoded) else { throw .notCanonical }
            }
            previous = encoded
            entries.append(CBOR.Entry(key, try value(depth: depth)))
        }
        return .map(entries)
    }

    /// Refuses a count that cannot be there before anything is made for it: each value takes a byte at least.
    private func elements(_ length: UInt64, depth: Int) throws(CBORError) -> Int {
        guard depth <= maximumDepth else { throw .tooDeep }
        guard length <= UInt64(bytes.count - offset) else { throw .truncated }
        guard length <= UInt64(remaining) else { throw .tooLarge }
        return Int(length)
    }

    /// The order of keys: lower major type first, then the shorter one, then by bytes.
    private static func precedes(_ left: Bytes, _ right: Bytes) -> Bool {
        guard left[0] >> 5 == right[0] >> 5 else { return left[0] >> 5 < right[0] >> 5 }
        guard left.count == right.count else { return left.count < right.count }
        return left.precedes(right)
    }
}
