/// Why bytes are not the Bencode that we accept.
public enum BencodeError: Error, Equatable, Sendable {
    /// The bytes end inside a value, or a length says more than there is.
    case truncated
    /// Something follows the value.
    case trailing
    /// A byte that has no place where it stands, at this offset.
    case unexpected(offset: Int)
    /// A number or length with a leading zero, or minus zero.
    case notCanonical
    /// A number beyond 64 bits with its sign.
    case numberTooLarge
    /// A key of a dictionary is no string.
    case keyNotString
    /// Keys of a dictionary are out of order.
    case keyOrder
    /// A dictionary has one key twice.
    case duplicateKey
    /// Lists and dictionaries are nested deeper than allowed.
    case tooDeep
    /// The bytes or the number of values exceed the limit.
    case tooLarge
}

extension Bencode {
    /// Reads exactly one value, which must be canonical: one value has one spelling.
    ///
    /// - Parameters:
    ///   - bytes: the value, nothing after it.
    ///   - maximumLength: in bytes.
    ///   - maximumDepth: of nested lists and dictionaries.
    ///   - maximumCount: of values of all kinds; keys do not count.
    public static func parse(
        _ bytes: Bytes, maximumLength: Int = 1 << 17, maximumDepth: Int = 8, maximumCount: Int = 1 << 14
    ) throws(BencodeError) -> Bencode {
        guard bytes.count <= maximumLength else { throw .tooLarge }
        var reader = BencodeReader(bytes, maximumDepth: maximumDepth, maximumCount: maximumCount)
        let value = try reader.next()
        guard reader.isAtEnd else { throw .trailing }
        return value
    }
}

/// Reads Bencode values one after the other.
public struct BencodeReader: Sendable {
    private let bytes: Bytes
    private let maximumDepth: Int
    private var remaining: Int

    /// How many bytes have been read.
    public private(set) var offset = 0

    /// Reads from the beginning; limits as in `Bencode.parse`.
    public init(_ bytes: Bytes, maximumDepth: Int = 8, maximumCount: Int = 1 << 14) {
        self.bytes = bytes
        self.maximumDepth = maximumDepth
        remaining = maximumCount
    }

    /// Whether everything was read.
    public var isAtEnd: Bool { offset == bytes.count }

    /// Reads the next value.
    public mutating func next() throws(BencodeError) -> Bencode { try value(depth: 0) }

    private mutating func value(depth: Int) throws(BencodeError) -> Bencode {
        guard remaining > 0 else { throw .tooLarge }
        remaining -= 1
        switch try peek() {
        case 0x69:
            offset += 1
            return .integer(try integer())
        case 0x30...0x39: return .string(try string())
        case 0x6C:
            guard depth < maximumDepth else { throw .tooDeep }
            offset += 1
            return try list(depth: depth + 1)
        case 0x64:
            guard depth < maximumDepth else { throw .tooDeep }
            offset += 1
            return try dictionary(depth: depth + 1)
        default: throw .unexpected(offset: offset)
        }
    }

    private mutating func list(depth: Int) throws(BencodeError) -> Bencode {
        var elements: [Bencode] = []
        while try peek() != 0x65 { elements.append(try value(depth: depth)) }
        offset += 1
        return .list(elements)
    }

    private mutating func dictionary(depth: Int) throws(BencodeError) -> Bencode {
        var entries: [Bencode.Entry] = []
        while true {
            let byte = try peek()
            if byte == 0x65 { break }
            guard byte >= 0x30, byte <= 0x39 else {
                guard byte == 0x69 || byte == 0x6C || byte == 0x64 else { throw .unexpected(offset: offset) }
                throw .keyNotString
            }
            let key = try string()
            if let last = entries.last?.key {
                guard last != key else { throw .duplicateKey }
                guard last.precedes(key) else { throw .keyOrder }
            }
            entries.append(Bencode.Entry(key, try value(depth: depth)))
        }
        offset += 1
        return .dictionary(entries)
    }

    private mutating func string() throws(BencodeError) -> Bytes {
        let length = try digits()
        guard try peek() == 0x3A else { throw .unexpected(offset: offset) }
        offset += 1
        guard length <= UInt64(bytes.count - offset) else { throw .truncated }
        let end = offset + Int(length)
        let content = Array(bytes[offset..<end])
        offset = end
        return content
    }

    private mutating func integer() throws(BencodeError) -> Int64 {
        let isNegative = try peek() == 0x2D
        if isNegative { offset += 1 }
        let size = try digits()
        guard try peek() == 0x65 else { throw .unexpected(offset: offset) }
        offset += 1
        guard isNegative else {
            guard let number = Int64(exactly: size) else { throw .numberTooLarge }
            return number
        }
        guard size > 0 else { throw .notCanonical }
        guard size <= UInt64(Int64.max) + 1 else { throw .numberTooLarge }
        return Int64(truncatingIfNeeded: 0 &- size)
    }

    /// A decimal number without leading zeros; the byte after it is there.
    private mutating func digits() throws(BencodeError) -> UInt64 {
        let start = offset
        var number: UInt64 = 0
        while true {
            let byte = try peek()
            guard byte >= 0x30, byte <= 0x39 else { break }
            guard offset == start || bytes[start] != 0x30 else { throw .notCanonical }
            let (product, overflow) = number.multipliedReportingOverflow(by: 10)
            let (sum, carry) = product.addingReportingOverflow(UInt64(byte - 0x30))
            guard !overflow, !carry else { throw .numberTooLarge }
            number = sum
            offset += 1
        }
        guard offset > start else { throw .unexpected(offset: offset) }
        return number
    }

    private func peek() throws(BencodeError) -> UInt8 {
        guard offset < bytes.count else { throw .truncated }
        return bytes[offset]
    }
}
