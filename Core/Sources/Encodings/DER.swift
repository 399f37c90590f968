/// Why bytes are not the DER we expect.
public enum DERError: Error, Equatable, Sendable {
    /// The bytes end inside a value.
    case truncated
    /// Something follows where nothing may.
    case trailing
    /// A tag other than the expected one.
    case unexpectedTag(UInt8)
    /// A length, integer, Boolean or bit string in a form that DER forbids.
    case notCanonical
    /// A tag, identifier or number larger than we read.
    case unsupported
}

/// A reader of DER (ITU-T X.690 section 10): definite lengths, shortest forms, single-byte tags.
public struct DERReader: Sendable {
    private let bytes: Bytes
    private var offset: Int
    private let end: Int

    /// One tag, length and value.
    public struct Element: Sendable {
        /// The identifier octet.
        public let tag: UInt8
        /// The value's octets.
        public let content: Bytes
        /// Tag, length and value, as they are in the input.
        public let encoded: Bytes
    }

    /// Reads from the beginning of `bytes`.
    public init(_ bytes: Bytes) {
        self.bytes = bytes
        offset = 0
        end = bytes.count
    }

    /// Whether everything was read.
    public var isAtEnd: Bool { offset == end }

    /// The next identifier octet, without reading it.
    public var nextTag: UInt8? { offset < end ? bytes[offset] : nil }

    /// Throws `trailing` unless everything was read.
    public func finish() throws(DERError) {
        guard isAtEnd else { throw .trailing }
    }

    /// Reads the next element, with any tag.
    public mutating func any() throws(DERError) -> Element {
        let start = offset
        guard offset + 2 <= end else { throw .truncated }
        let tag = bytes[offset]
        guard tag & 0x1F != 0x1F else { throw .unsupported }
        offset += 1
        let content = try content()
        return Element(tag: tag, content: content, encoded: Array(bytes[start..<offset]))
    }

    /// Reads a length and as many octets.
    private mutating func content() throws(DERError) -> Bytes {
        guard offset < end else { throw .truncated }
        var length = Int(bytes[offset])
        offset += 1
        if length >= 0x80 {
            let count = length & 0x7F
            guard count > 0 else { throw .notCanonical }
            guard count <= 3 else { throw .unsupported }
            guard offset + count <= end else { throw .truncated }
            length = 0
            for _ in 0..<count {
                length = length << 8 | Int(bytes[offset])
                offset += 1
            }
            guard length >= 0x80, count == 1 || length >= 1 << (8 * (count - 1)) else { throw .notCanonical }
        }
        guard length <= end - offset else { throw .truncated }
        let content = Array(bytes[offset..<offset + length])
        offset += length
        return content
    }

    /// Reads an element with a context-specific, constructed tag of any number below 2^21 (X.690 section 8.1.2.4).
    ///
    /// - Returns: the tag's number and the octets of the element inside.
    public mutating func explicit() throws(DERError) -> (number: Int, content: Bytes) {
        guard let first = nextTag else { throw .truncated }
        guard first & 0xE0 == 0xA0 else { throw .unexpectedTag(first) }
        offset += 1
        var number = Int(first & 0x1F)
        if number == 0x1F {
            number = 0
            var count = 0
            var byte: UInt8 = 0
            repeat {
                guard offset < end else { throw .truncated }
                guard count < 3 else { throw .unsupported }
                byte = bytes[offset]
                // The shortest form begins with no empty group, and small numbers have no long form.
                guard count > 0 || byte != 0x80 else { throw .notCanonical }
                number = number << 7 | Int(byte & 0x7F)
                offset += 1
                count += 1
            } while byte & 0x80 != 0
            guard number >= 0x1F else { throw .notCanonical }
        }
        return (number, try content())
    }

    /// Reads the next element, which must have the given tag.
    public mutating func element(_ tag: UInt8) throws(DERError) -> Element {
        guard let next = nextTag else { throw .truncated }
        guard next == tag else { throw .unexpectedTag(next) }
        return try any()
    }

    /// Reads the next element if it has the given tag.
    public mutating func optional(_ tag: UInt8) throws(DERError) -> Element? {
        nextTag == tag ? try any() : nil
    }

    /// Reads a SEQUENCE and returns a reader of its content.
    public mutating func sequence() throws(DERError) -> DERReader {
        DERReader(try element(DERTag.sequence).content)
    }

    /// Reads an OBJECT IDENTIFIER and returns its content octets, which are unique for each identifier.
    public mutating func objectIdentifier() throws(DERError) -> Bytes {
        let content = try element(DERTag.objectIdentifier).content
        guard let last = content.last, last & 0x80 == 0 else { throw .notCanonical }
        // A number is written in base 128 with the high bit on all bytes but its last, and never begins with a zero.
        var isStart = true
        for byte in content {
            guard !isStart || byte != 0x80 else { throw .notCanonical }
            isStart = byte & 0x80 == 0
        }
        return content
    }

    /// Reads an INTEGER and returns its content octets (two's complement, big-endian, shortest).
    public mutating func integer() throws(DERError) -> Bytes {
        let content = try element(DERTag.integer).content
        guard let first = content.first else { throw .notCanonical }
        if content.count > 1 {
            let second = content[1]
            guard !(first == 0 && second < 0x80), !(first == 0xFF && second >= 0x80) else { throw .notCanonical }
        }
        return content
    }

    /// Reads an INTEGER between 0 and 2^31 - 1.
    public mutating func smallInteger() throws(DERError) -> Int {
        let content = try integer()
        guard content.count <= 4, content[0] < 0x80 else { throw .unsupported }
        return content.reduce(0) { $0 << 8 | Int($1) }
    }

    /// Reads a BOOLEAN: FF or 00.
    public mutating func boolean() throws(DERError) -> Bool {
        let content = try element(DERTag.boolean).content
        guard content.count == 1, content[0] == 0xFF || content[0] == 0 else { throw .notCanonical }
        return content[0] == 0xFF
    }

    /// Reads a BIT STRING whose bits fill whole bytes.
    public mutating func wholeBitString() throws(DERError) -> Bytes {
        let content = try element(DERTag.bitString).content
        guard content.first == 0 else { throw .unsupported }
        return Array(content.dropFirst())
    }
}

/// Identifier octets of the types we use.
public enum DERTag {
    /// BOOLEAN.
    public static let boolean: UInt8 = 0x01
    /// INTEGER.
    public static let integer: UInt8 = 0x02
    /// BIT STRING.
    public static let bitString: UInt8 = 0x03
    /// OCTET STRING.
    public static let octetString: UInt8 = 0x04
    /// OBJECT IDENTIFIER.
    public static let objectIdentifier: UInt8 = 0x06
    /// UTF8String.
    public static let utf8String: UInt8 = 0x0C
    /// IA5String.
    public static let ia5String: UInt8 = 0x16
    /// UTCTime.
    public static let utcTime: UInt8 = 0x17
    /// GeneralizedTime.
    public static let generalizedTime: UInt8 = 0x18
    /// SEQUENCE, constructed.
    public static let sequence: UInt8 = 0x30
    /// SET, constructed.
    public static let set: UInt8 = 0x31

    /// The context-specific tag `number`, constructed or primitive.
    public static func context(_ number: UInt8, constructed: Bool) -> UInt8 {
        (constructed ? 0xA0 : 0x80) | number
    }
}
