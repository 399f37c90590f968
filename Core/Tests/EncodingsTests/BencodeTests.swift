import Encodings
import Testing

@Suite("Bencode")
struct BencodeTests {
    private func parse(_ text: String, depth: Int = 8, count: Int = 64) throws(BencodeError) -> Bencode {
        try Bencode.parse(Bytes(text: text), maximumLength: 64, maximumDepth: depth, maximumCount: count)
    }

    @Test(
        "is refused in every spelling but the one, each for its own reason",
        arguments: [
            ("", BencodeError.truncated), ("i", .truncated), ("i1", .truncated), ("ie", .unexpected(offset: 1)),
            ("i-e", .unexpected(offset: 2)), ("i+1e", .unexpected(offset: 1)), ("i 1e", .unexpected(offset: 1)),
            ("i1.0e", .unexpected(offset: 2)), ("i03e", .notCanonical), ("i-03e", .notCanonical),
            ("i-0e", .notCanonical), ("i00e", .notCanonical), ("i9223372036854775808e", .numberTooLarge),
            ("i-9223372036854775809e", .numberTooLarge), ("i99999999999999999999e", .numberTooLarge),
            ("i999999999999999999999999999999e", .numberTooLarge), ("4spam", .unexpected(offset: 1)),
            ("5:spam", .truncated), ("4", .truncated), ("04:spam", .notCanonical), ("00:", .notCanonical),
            ("-1:", .unexpected(offset: 0)), ("18446744073709551615:a", .truncated),
            ("18446744073709551616:a", .numberTooLarge), ("4:spamx", .trailing), ("i1ei2e", .trailing),
            ("l", .truncated),
            ("li1e", .truncated), ("e", .unexpected(offset: 0)), ("x", .unexpected(offset: 0)), ("d", .truncated),
            ("d1:a", .truncated), ("d1:ae", .unexpected(offset: 4)), ("d1:ai1e", .truncated),
            ("di1e1:ae", .keyNotString),
            ("dle1:ae", .keyNotString), ("dx", .unexpected(offset: 1)), ("d1:bi1e1:ai2ee", .keyOrder),
            ("d2:aai1e1:ai2ee", .keyOrder), ("d1:ai1e1:ai2ee", .duplicateKey), ("d0:0:0:0:e", .duplicateKey),
        ])
    func refused(text: String, error: BencodeError) {
        #expect(throws: error) { try parse(text) }
    }

    @Test(
        "is read and written the same",
        arguments: [
            "i0e", "i-1e", "i9223372036854775807e", "i-9223372036854775808e", "0:", "4:spam", "10:0123456789", "le",
            "de",
            "lli1eel1:aee", "d0:i1e1:Ai2e1:ad1:bleee",
        ])
    func roundTrip(text: String) throws {
        #expect(try parse(text).encoded() == Bytes(text: text))
    }

    @Test("has limits of depth, count and length")
    func limits() throws {
        #expect(throws: BencodeError.tooDeep) { try parse("lllee", depth: 2) }
        #expect(throws: BencodeError.tooDeep) { try parse("d1:ad1:bleee", depth: 2) }
        #expect(try parse("llee", depth: 2) == .list([.list([])]))
        #expect(throws: BencodeError.tooLarge) { try parse("li1ei2ee", count: 2) }
        #expect(try parse("li1ei2ee", count: 3).list?.count == 2)
        #expect(throws: BencodeError.tooLarge) {
            try Bencode.parse(Bytes(text: "62:") + Bytes(repeating: 0x61, count: 62), maximumLength: 64)
        }
        // A hundred thousand brackets must end as an error, not as a full stack.
        let deep = Bytes(repeating: 0x6C, count: 100_000)
        #expect(throws: BencodeError.tooDeep) { try Bencode.parse(deep) }
    }

    @Test("sorts keys by their bytes, a prefix first")
    func order() {
        let value: Bencode = .entries([
            ("b", .integer(1)), ("aa", .integer(2)), ("B", .integer(3)), ("a", .integer(4)), ("\u{E9}", .integer(5)),
        ])
        #expect(value.encoded() == Bytes(text: "d1:Bi3e1:ai4e2:aai2e1:bi1e2:\u{E9}i5ee"))
        let shuffled: Bencode = .dictionary([
            .init(Bytes(text: "b"), .integer(1)), .init(Bytes(text: "a"), .integer(2)),
        ])
        #expect(shuffled.encoded() == Bytes(text: "d1:ai2e1:bi1ee"))
    }

    @Test("finds members and gives values of the right kind only")
    func members() throws {
        let value = try parse("d1:ai1e1:b2:xy1:cl1:zee")
        #expect(value["a"]?.integer == 1)
        #expect(value["b"]?.string == Bytes(text: "xy"))
        #expect(value["c"]?.list?.count == 1)
        #expect(value["d"] == nil)
        #expect(value["a"]?.string == nil)
        #expect(value["b"]?.integer == nil)
        #expect(value["a"]?["x"] == nil)
        #expect(value.entries?.count == 3)
        #expect(value.list == nil)
    }

    @Test("is written piece by piece as it is from a tree")
    func writer() {
        var writer = BencodeWriter()
        writer.beginDictionary()
        writer.text("a")
        writer.integer(.min)
        writer.text("b")
        writer.beginList()
        for length in [0, 9, 10, 99, 100, 1_000, 12_345] { writer.string(Bytes(repeating: 0x7A, count: length)) }
        writer.end()
        writer.end()
        let tree: Bencode = .entries([
            ("a", .integer(.min)),
            ("b", .list([0, 9, 10, 99, 100, 1_000, 12_345].map { .string(Bytes(repeating: 0x7A, count: $0)) })),
        ])
        #expect(writer.bytes == tree.encoded())
    }
}
