import Encodings
import Testing

@Suite("Reading DER")
struct DERTests {
    private func bytes(_ hex: String) throws -> Bytes {
        try #require(Hex.decode(Bytes(text: hex.filter { $0 != " " })))
    }

    @Test(
        "Elements that are cut, indefinite, longer than necessary or too large are refused",
        arguments: [
            ("", DERError.truncated), ("02", .truncated), ("02 01", .truncated), ("30 02 01", .truncated),
            ("04 81", .truncated), ("04 82 01", .truncated), ("04 81 80", .truncated), ("04 83 00 01", .truncated),
            ("30 80 00 00", .notCanonical), ("04 81 01 00", .notCanonical), ("04 81 7f", .notCanonical),
            ("04 82 00 80", .notCanonical), ("04 82 00 ff", .notCanonical), ("04 83 00 ff ff", .notCanonical),
            ("04 84 00 00 00 01", .unsupported), ("04 84 7f ff ff ff", .unsupported),
            ("04 88 ff ff ff ff ff ff ff ff", .unsupported),
            ("04 ff", .unsupported), ("1f 01 00", .unsupported), ("bf 81 01 00", .unsupported),
            ("04 83 ff ff ff", .truncated),
        ]
    )
    func badElements(hex: String, error: DERError) throws {
        let input = try bytes(hex)
        #expect(throws: error) {
            var reader = DERReader(input)
            _ = try reader.any()
        }
    }

    @Test(
        "Explicit tags of any number are read, in their one form",
        arguments: [
            ("a0 01 05", 0), ("a1 02 05 00", 1), ("be 00", 30), ("bf 1f 01 07", 31), ("bf 84 58 02 05 00", 600),
            ("bf 85 3e 03 02 01 00", 702), ("bf ff ff 7f 00", 2_097_151),
        ]
    )
    func explicitTags(hex: String, number: Int) throws {
        var reader = DERReader(try bytes(hex))
        let element = try reader.explicit()
        #expect(element.number == number)
        #expect(reader.isAtEnd)
        #expect(try bytes(hex).suffix(element.content.count) == element.content[...])
    }

    @Test(
        "Explicit tags in another form are refused",
        arguments: [
            ("", DERError.truncated), ("a0", .truncated), ("bf", .truncated), ("bf 84", .truncated),
            ("bf 84 58", .truncated), ("a0 02 05", .truncated), ("bf 1e 00", .notCanonical),
            ("bf 80 1f 00", .notCanonical), ("bf 81 80 80 00 00", .unsupported), ("80 00", .unexpectedTag(0x80)),
            ("30 00", .unexpectedTag(0x30)), ("e0 00", .unexpectedTag(0xE0)), ("a0 81 01 00", .notCanonical),
        ]
    )
    func badExplicitTags(hex: String, error: DERError) throws {
        let input = try bytes(hex)
        #expect(throws: error) {
            var reader = DERReader(input)
            _ = try reader.explicit()
        }
    }

    @Test("Each length has its one form", arguments: [0, 1, 127, 128, 255, 256, 65_535, 65_536])
    func lengths(count: Int) throws {
        let length: Bytes =
            switch count {
            case 0..<128: [UInt8(count)]
            case 128..<256: [0x81, UInt8(count)]
            case 256..<65_536: [0x82, UInt8(count >> 8), UInt8(count & 255)]
            default: [0x83, UInt8(count >> 16), UInt8(count >> 8 & 255), UInt8(count & 255)]
            }
        let content = Bytes(repeating: 0xA5, count: count)
        var reader = DERReader([DERTag.octetString] + length + content + [5, 0])
        let element = try reader.any()
        #expect(element.tag == DERTag.octetString)
        #expect(element.content == content)
        #expect(element.encoded == [DERTag.octetString] + length + content)
        #expect(reader.nextTag == 5)
        #expect(throws: DERError.trailing) { try reader.finish() }
        _ = try reader.any()
        try reader.finish()
        #expect(reader.isAtEnd)
    }

    @Test(
        "Integers longer than necessary, or empty, are refused",
        arguments: ["02 00", "02 02 00 00", "02 02 00 7f", "02 02 ff 80", "02 02 ff ff", "02 03 00 00 80"]
    )
    func badIntegers(hex: String) throws {
        let input = try bytes(hex)
        #expect(throws: DERError.notCanonical) {
            var reader = DERReader(input)
            _ = try reader.integer()
        }
    }

    @Test(
        "Small integers are read up to 2^31 - 1 and not below zero",
        arguments: [
            ("02 01 00", 0), ("02 01 7f", 127), ("02 02 00 80", 128), ("02 04 7f ff ff ff", Int(Int32.max)),
            ("02 05 00 80 00 00 00", nil), ("02 01 80", nil), ("02 01 ff", nil), ("02 02 ff 7f", nil),
        ]
    )
    func smallIntegers(hex: String, value: Int?) throws {
        var reader = DERReader(try bytes(hex))
        if let value {
            #expect(try reader.smallInteger() == value)
        } else {
            #expect(throws: DERError.unsupported) { try reader.smallInteger() }
        }
    }

    @Test(
        "Booleans are FF or 00",
        arguments: [("01 01 ff", true), ("01 01 00", false), ("01 01 01", nil), ("01 00", nil), ("01 02 ff ff", nil)]
    )
    func booleans(hex: String, value: Bool?) throws {
        var reader = DERReader(try bytes(hex))
        if let value {
            #expect(try reader.boolean() == value)
        } else {
            #expect(throws: DERError.notCanonical) { try reader.boolean() }
        }
    }

    @Test(
        "Object identifiers that are empty, cut, or written with leading zeros are refused",
        arguments: ["06 00", "06 01 80", "06 02 2a 86", "06 03 2a 80 01", "06 02 80 2a", "06 05 2a 86 80 48 80"]
    )
    func badObjectIdentifiers(hex: String) throws {
        let input = try bytes(hex)
        #expect(throws: DERError.notCanonical) {
            var reader = DERReader(input)
            _ = try reader.objectIdentifier()
        }
    }

    @Test("A zero byte inside a number of an identifier is no leading zero")
    func objectIdentifiers() throws {
        // 1.2.16384.0: the number 16384 is 81 80 00.
        var reader = DERReader(try bytes("06 05 2a 81 80 00 00"))
        #expect(try reader.objectIdentifier() == bytes("2a 81 80 00 00"))
    }

    @Test("Bit strings hold whole bytes", arguments: ["03 00", "03 02 01 80", "03 02 08 00", "03 01 07"])
    func badBitStrings(hex: String) throws {
        var reader = DERReader(try bytes(hex))
        #expect(throws: DERError.unsupported) { try reader.wholeBitString() }
        var good = DERReader(try bytes("03 03 00 12 34"))
        #expect(try good.wholeBitString() == [0x12, 0x34])
    }

    @Test("Another tag than the expected one is named, and not read")
    func tags() throws {
        var reader = DERReader(try bytes("30 03 02 01 05"))
        #expect(throws: DERError.unexpectedTag(0x30)) { try reader.integer() }
        #expect(try reader.optional(DERTag.set) == nil)
        var inner = try reader.sequence()
        #expect(try inner.optional(DERTag.integer)?.content == [5])
        #expect(try inner.optional(DERTag.integer) == nil)
        #expect(throws: DERError.truncated) { try inner.element(DERTag.integer) }
        #expect(DERTag.context(3, constructed: true) == 0xA3)
        #expect(DERTag.context(6, constructed: false) == 0x86)
    }
}
