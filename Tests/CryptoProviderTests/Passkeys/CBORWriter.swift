import Encodings

/// Writes CBOR as an authenticator does; entries of maps in the order given, so that a test may get it wrong.
enum CBORWriter {
    static func encode(_ value: CBOR) -> Bytes {
        switch value {
        case .unsigned(let number): head(0, number)
        case .negative(let number): head(1, number)
        case .bytes(let bytes): head(2, UInt64(bytes.count)) + bytes
        case .text(let text): head(3, UInt64(text.count)) + text
        case .array(let elements): head(4, UInt64(elements.count)) + elements.flatMap { encode($0) }
        case .map(let entries):
            head(5, UInt64(entries.count)) + entries.flatMap { encode($0.key) + encode($0.value) }
        case .bool(let flag): [flag ? 0xF5 : 0xF4]
        case .null: [0xF6]
        }
    }

    private static func head(_ kind: UInt8, _ number: UInt64) -> Bytes {
        switch number {
        case 0..<24: [kind << 5 | UInt8(number)]
        case 24..<256: [kind << 5 | 24, UInt8(number)]
        case 256..<65536: [kind << 5 | 25] + bigEndianBytes(number).suffix(2)
        case 65536..<0x1_0000_0000: [kind << 5 | 26] + bigEndianBytes(number).suffix(4)
        default: [kind << 5 | 27] + bigEndianBytes(number)
        }
    }
}

extension CBOR {
    /// The number, negative or not.
    static func number(_ number: Int64) -> CBOR {
        number < 0 ? .negative(UInt64(-1 - number)) : .unsigned(UInt64(number))
    }

    /// A map with text keys.
    static func named(_ entries: [(String, CBOR)]) -> CBOR {
        .map(entries.map { Entry(.text(Bytes(text: $0.0)), $0.1) })
    }

    /// A map with number keys.
    static func numbered(_ entries: [(Int64, CBOR)]) -> CBOR { .map(entries.map { Entry(.number($0.0), $0.1) }) }
}
