import Encodings
import Testing

@Suite("Reading CBOR")
struct CBORTests {
    private func bytes(_ hex: String) throws -> Bytes {
        try #require(Hex.decode(Bytes(text: hex.filter { $0 != " " })))
    }

    @Test(
        "Values of RFC 8949 appendix A",
        arguments: [
            ("00", CBOR.unsigned(0)), ("17", .unsigned(23)), ("1818", .unsigned(24)), ("1903e8", .unsigned(1000)),
            ("1a000f4240", .unsigned(1_000_000)), ("1b000000e8d4a51000", .unsigned(1_000_000_000_000)),
            ("1bffffffffffffffff", .unsigned(.max)), ("20", .negative(0)), ("3903e7", .negative(999)),
            ("3bffffffffffffffff", .negative(.max)), ("f4", .bool(false)), ("f5", .bool(true)), ("f6", .null),
            ("4401020304", .bytes([1, 2, 3, 4])), ("40", .bytes([])), ("60", .text([])),
            ("62c3bc", .text([0xC3, 0xBC])),
            ("80", .array([])), ("83010203", .array([.unsigned(1), .unsigned(2), .unsigned(3)])), ("a0", .map([])),
            (
                "a26161016162820203",
                .map([
                    .init(.text([0x61]), .unsigned(1)),
                    .init(.text([0x62]), .array([.unsigned(2), .unsigned(3)])),
                ])
            ),
        ] as [(String, CBOR)]
    )
    func values(hex: String, value: CBOR) throws {
        let input = try bytes(hex)
        #expect(try CBOR.parse(input) == value)
    }

    @Test(
        "Anything but the one canonical form of a bounded value is refused",
        arguments: [
            ("", CBORError.truncated), ("18", .truncated), ("19 01", .truncated), ("42 01", .truncated),
            ("82 01", .truncated), ("a1 01", .truncated), ("a1", .truncated),
            ("00 00", .trailing), ("a0 f6", .trailing),
            ("18 17", .notCanonical), ("19 00 ff", .notCanonical), ("1a 00 00 ff ff", .notCanonical),
            ("1b 00 00 00 00 ff ff ff ff", .notCanonical), ("38 00", .notCanonical), ("58 01 00", .notCanonical),
            ("5f 41 00 ff", .notCanonical), ("7f ff", .notCanonical), ("9f ff", .notCanonical),
            ("bf ff", .notCanonical),
            ("a2 02 00 01 00", .notCanonical), ("a2 20 00 00 00", .notCanonical),
            ("a2 62 61 61 00 61 62 00", .notCanonical), ("a2 61 62 00 61 61 00", .notCanonical),
            ("a2 01 00 01 00", .duplicateKey), ("a2 61 61 00 61 61 01", .duplicateKey),
            ("a1 80 00", .unsupported), ("a1 a0 00", .unsupported), ("a1 f5 00", .unsupported),
            ("c0 00", .unsupported), ("f7", .unsupported), ("f9 00 00", .unsupported), ("fa 00 00 00 00", .unsupported),
            ("e0", .unsupported), ("f8 ff", .unsupported), ("ff", .unsupported), ("1c", .unsupported),
            ("1e", .unsupported), ("61 ff", .invalidText), ("62 c3 28", .invalidText), ("63 ed a0 80", .invalidText),
            ("81 81 81 81 81 00", .tooDeep), ("a1 00 a1 00 a1 00 a1 00 a1 00 00", .tooDeep),
            ("5b ff ff ff ff ff ff ff ff", .truncated), ("7a 7f ff ff ff", .truncated),
            ("9b ff ff ff ff ff ff ff ff", .truncated), ("bb 7f ff ff ff ff ff ff ff", .truncated),
        ]
    )
    func refused(hex: String, error: CBORError) throws {
        let input = try bytes(hex)
        #expect(throws: error) { try CBOR.parse(input) }
    }

    @Test("Length, depth and number of values have limits that the caller sets")
    func limits() throws {
        #expect(throws: CBORError.tooLarge) { try CBOR.parse(Bytes(repeating: 0, count: 10), maximumLength: 9) }
        let three = try bytes("82 00 00")
        #expect(throws: CBORError.tooLarge) { try CBOR.parse(three, maximumCount: 2) }
        #expect(try CBOR.parse(three, maximumCount: 3).array?.count == 2)
        #expect(throws: CBORError.tooDeep) { try CBOR.parse(try bytes("81 80"), maximumDepth: 1) }
        #expect(throws: CBORError.tooDeep) {
            try CBOR.parse(Bytes(repeating: 0x81, count: 60_000), maximumDepth: 4)
        }
    }

    @Test("Keys stand in the order of CTAP2: numbers before strings, short before long")
    func order() throws {
        let value = try CBOR.parse(try bytes("a6 01 00 03 00 20 00 21 00 41 00 f5 61 61 f6"))
        #expect(value[label: 3]?.integer == 0)
        #expect(value[label: -2]?.integer == 0)
        #expect(value[label: 2] == nil)
        #expect(value["a"] == .null)
        #expect(value["b"] == nil)
    }

    @Test("A value says what it is, and nothing else")
    func accessors() throws {
        #expect(CBOR.unsigned(5).integer == 5)
        #expect(CBOR.unsigned(1 << 63).integer == nil)
        #expect(CBOR.negative(1 << 63).integer == nil)
        #expect(CBOR.negative(UInt64(Int64.max)).integer == Int64.min)
        #expect(CBOR.text([1]).bytes == nil)
        #expect(CBOR.bytes([1]).text == nil)
        #expect(CBOR.null.array == nil)
        #expect(CBOR.null.map == nil)
        #expect(CBOR.null.integer == nil)
        #expect(CBOR.array([])["a"] == nil)
        #expect(CBOR.array([])[label: 1] == nil)
    }

    @Test("A reader goes on where a value ends, and a cut at any place is refused")
    func stream() throws {
        let input = try bytes("ff a1 61 61 82 01 02 43 01 02 03")
        var reader = CBORReader(input, from: 1)
        #expect(try reader.next()["a"]?.array?.count == 2)
        #expect(reader.offset == 7)
        #expect(try reader.next() == .bytes([1, 2, 3]))
        #expect(reader.isAtEnd)
        #expect(throws: CBORError.truncated) { try reader.next() }
        for end in 1..<7 {
            #expect(throws: CBORError.truncated) { try CBOR.parse(Array(input[1..<end])) }
        }
        var outside = CBORReader(input, from: 99)
        #expect(throws: CBORError.truncated) { try outside.next() }
    }
}
