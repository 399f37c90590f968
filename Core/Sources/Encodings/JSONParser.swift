/// Why a text is not JSON that we accept.
public enum JSONError: Error, Equatable, Sendable {
    /// The text ends in the middle of a value.
    case truncated
    /// A character that has no place where it stands, at this offset.
    case unexpected(offset: Int)
    /// Something follows the value.
    case trailing
    /// Two members of one object have the same name.
    case duplicateName
    /// Arrays and objects are nested deeper than allowed.
    case tooDeep
    /// The text is longer than allowed.
    case tooLong
    /// There are more values than allowed.
    case tooManyValues
    /// A string is not UTF-8, or escapes half of a surrogate pair.
    case invalidText
    /// A number is not written as RFC 8259 asks, or is too long.
    case invalidNumber
    /// The value has a number that canonical JSON cannot carry exactly.
    case notCanonical
}

extension JSON {
    /// Parses exactly one value.
    ///
    /// Strict beyond RFC 8259: no duplicate names, no byte order mark, valid UTF-8, no lone surrogates. So two programs
    /// cannot read one text in two ways. Length, depth and number of values are bounded. A value of two bytes takes
    /// some fifty in memory: without the last limit a text of megabytes would become hundreds of them.
    /// - Parameters:
    ///   - text: UTF-8.
    ///   - maximumLength: in bytes.
    ///   - maximumDepth: of nested arrays and objects.
    ///   - maximumCount: of values of all kinds, arrays and objects among them.
    public static func parse(
        _ text: Bytes,
        maximumLength: Int = 1 << 20,
        maximumDepth: Int = 32,
        maximumCount: Int = 1 << 17
    ) throws(JSONError) -> JSON {
        guard text.count <= maximumLength else { throw .tooLong }
        var parser = JSONParser(text: text, maximumDepth: maximumDepth, remaining: maximumCount)
        let value = try parser.value(depth: 0)
        parser.skipSpace()
        guard parser.isAtEnd else { throw .trailing }
        return value
    }
}

struct JSONParser {
    let text: Bytes
    let maximumDepth: Int
    /// How many values may still come.
    var remaining: Int
    var offset = 0

    var isAtEnd: Bool { offset == text.count }

    mutating func skipSpace() {
        while offset < text.count {
            switch text[offset] {
            case 0x20, 0x09, 0x0A, 0x0D: offset += 1
            default: return
            }
        }
    }

    mutating func value(depth: Int) throws(JSONError) -> JSON {
        skipSpace()
        guard offset < text.count else { throw .truncated }
        guard remaining > 0 else { throw .tooManyValues }
        remaining -= 1
        switch text[offset] {
        case 0x7B, 0x5B:
            guard depth < maximumDepth else { throw .tooDeep }
            return text[offset] == 0x7B ? try object(depth: depth) : try array(depth: depth)
        case 0x22: return .string(try string())
        case 0x74: return try literal("true", .bool(true))
        case 0x66: return try literal("false", .bool(false))
        case 0x6E: return try literal("null", .null)
        case 0x2D, 0x30...0x39: return try number()
        default: throw .unexpected(offset: offset)
        }
    }

    private mutating func literal(_ word: StaticString, _ value: JSON) throws(JSONError) -> JSON {
        let end = offset + word.utf8CodeUnitCount
        guard end <= text.count else { throw .truncated }
        guard Array(text[offset..<end]).equals(word) else { throw .unexpected(offset: offset) }
        offset = end
        return value
    }

    private mutating func object(depth: Int) throws(JSONError) -> JSON {
        offset += 1
        var members: [JSON.Member] = []
        skipSpace()
        if try takeIf(0x7D) { return .object([]) }
        while true {
            skipSpace()
            guard try peek() == 0x22 else { throw .unexpected(offset: offset) }
            let name = try string()
            skipSpace()
            guard try takeIf(0x3A) else { throw .unexpected(offset: offset) }
            members.append(JSON.Member(name, try value(depth: depth + 1)))
            skipSpace()
            if try takeIf(0x7D) { break }
            guard try takeIf(0x2C) else { throw .unexpected(offset: offset) }
        }
        guard !hasDuplicates(members) else { throw .duplicateName }
        return .object(members)
    }

    private mutating func array(depth: Int) throws(JSONError) -> JSON {
        offset += 1
        var elements: [JSON] = []
        skipSpace()
        if try takeIf(0x5D) { return .array([]) }
        while true {
            elements.append(try value(depth: depth + 1))
            skipSpace()
            if try takeIf(0x5D) { return .array(elements) }
            guard try takeIf(0x2C) else { throw .unexpected(offset: offset) }
        }
    }

    /// Small objects pairwise; large ones sorted, so that a hostile object costs n log n and not n squared.
    private func hasDuplicates(_ members: [JSON.Member]) -> Bool {
        if members.count <= 16 {
            for index in 0..<members.count {
                for other in 0..<index where members[other].name == members[index].name { return true }
            }
            return false
        }
        let names = members.map { $0.name }.sorted { $0.precedes($1) }
        for index in 1..<names.count where names[index - 1] == names[index] { return true }
        return false
    }

    private mutating func number() throws(JSONError) -> JSON {
        let start = offset
        if text[offset] == 0x2D { offset += 1 }
        let firstDigit = offset
        let whole = digits()
        guard whole > 0, whole == 1 || text[firstDigit] != 0x30 else { throw .invalidNumber }
        var isWhole = true
        if offset < text.count, text[offset] == 0x2E {
            offset += 1
            isWhole = false
            guard digits() > 0 else { throw .invalidNumber }
        }
        if offset < text.count, text[offset] == 0x65 || text[offset] == 0x45 {
            offset += 1
            isWhole = false
            if offset < text.count, text[offset] == 0x2B || text[offset] == 0x2D { offset += 1 }
            guard digits() > 0 else { throw .invalidNumber }
        }
        let written = Array(text[start..<offset])
        guard written.count <= 64 else { throw .invalidNumber }
        let isNegative = written[0] == 0x2D
        guard isWhole, let size = parseDecimal(isNegative ? Array(written.dropFirst()) : written),
            size <= UInt64(JSON.safeInteger), !(isNegative && size == 0)
        else { return .decimal(written) }
        return .integer(isNegative ? -Int64(size) : Int64(size))
    }

    private mutating func digits() -> Int {
        let start = offset
        while offset < text.count, text[offset] >= 0x30, text[offset] <= 0x39 { offset += 1 }
        return offset - start
    }

    private func peek() throws(JSONError) -> UInt8 {
        guard offset < text.count else { throw .truncated }
        return text[offset]
    }

    private mutating func takeIf(_ character: UInt8) throws(JSONError) -> Bool {
        guard try peek() == character else { return false }
        offset += 1
        return true
    }

    private mutating func string() throws(JSONError) -> Bytes {
        offset += 1
        var bytes: Bytes = []
        var isASCII = true
        while true {
            let end = PlainText.endOfRun(in: text, from: offset)
            bytes.append(contentsOf: text[offset..<end])
            offset = end
            let byte = try peek()
            switch byte {
            case 0x22:
                offset += 1
                guard isASCII || UTF8Text.isValid(bytes) else { throw .invalidText }
                return bytes
            case 0x5C: try escape(into: &bytes)
            case 0..<0x20: throw .unexpected(offset: offset)
            default:
                isASCII = false
                bytes.append(byte)
                offset += 1
            }
        }
    }

    private mutating func escape(into bytes: inout Bytes) throws(JSONError) {
        offset += 1
        let kind = try peek()
        offset += 1
        switch kind {
        case 0x22, 0x5C, 0x2F: bytes.append(kind)
        case 0x62: bytes.append(0x08)
        case 0x66: bytes.append(0x0C)
        case 0x6E: bytes.append(0x0A)
        case 0x72: bytes.append(0x0D)
        case 0x74: bytes.append(0x09)
        case 0x75:
            var scalar = try unit()
            if scalar >= 0xD800, scalar <= 0xDBFF {
                guard try takeIf(0x5C), try takeIf(0x75) else { throw .invalidText }
                let low = try unit()
                guard low >= 0xDC00, low <= 0xDFFF else { throw .invalidText }
                scalar = 0x10000 + (scalar - 0xD800) << 10 + (low - 0xDC00)
            } else if scalar >= 0xDC00, scalar <= 0xDFFF {
                throw .invalidText
            }
            UTF8Text.append(scalar, to: &bytes)
        default: throw .unexpected(offset: offset - 1)
        }
    }

    private mutating func unit() throws(JSONError) -> UInt32 {
        guard offset + 4 <= text.count else { throw .truncated }
        guard let pair = Hex.decode(Array(text[offset..<offset + 4])) else { throw .unexpected(offset: offset) }
        offset += 4
        return UInt32(pair[0]) << 8 | UInt32(pair[1])
    }
}
