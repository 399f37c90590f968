import Encodings

/// Writes the canonical form of CTAP2, which Countersign otherwise only reads.
enum CBORWriter {
    static func encode(_ value: CBOR) -> Bytes {
        switch value {
        case .unsigned(let number): return head(0, number)
        case .negative(let number): return head(1, number)
        case .bytes(let content): return head(2, UInt64(content.count)) + content
        case .text(let content): return head(3, UInt64(content.count)) + content
        case .array(let elements): return head(4, UInt64(elements.count)) + elements.flatMap { encode($0) }
        case .map(let entries):
            return head(5, UInt64(entries.count)) + entries.flatMap { encode($0.key) + encode($0.value) }
        case .bool(let flag): return [flag ? 0xF5 : 0xF4]
        case .null: return [0xF6]
        }
    }

    /// How many arrays and maps are inside one another.
    static func depth(of value: CBOR) -> Int {
        switch value {
        case .array(let elements): return 1 + (elements.map { depth(of: $0) }.max() ?? 0)
        case .map(let entries): return 1 + (entries.map { depth(of: $0.value) }.max() ?? 0)
        default: return 0
        }
    }

    private static func head(_ kind: UInt8, _ argument: UInt64) -> Bytes {
        let digits = bigEndianBytes(argument)
        switch argument {
        case 0..<24: return [kind << 5 | UInt8(argument)]
        case 24..<0x100: return [kind << 5 | 24] + digits[7...]
        case 0x100..<0x10000: return [kind << 5 | 25] + digits[6...]
        case 0x10000..<0x1_0000_0000: return [kind << 5 | 26] + digits[4...]
        default: return [kind << 5 | 27] + digits
        }
    }
}
