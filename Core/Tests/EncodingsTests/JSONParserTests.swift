import Encodings
import Testing

@Suite("Reading JSON")
struct JSONParserTests {
    @Test(
        "Texts that are no JSON, or that two readers could read in two ways, are refused for the right reason",
        arguments: [
            ("", JSONError.truncated), (" ", .truncated), ("[", .truncated), ("{", .truncated), ("[1", .truncated),
            ("[1,", .truncated), (#"{"a""#, .truncated), (#"{"a":"#, .truncated), (#"{"a":1"#, .truncated),
            (#"""#, .truncated), (#""a"#, .truncated), (#""\"#, .truncated), (#""\u12"#, .truncated),
            ("tru", .truncated), ("nul", .truncated), ("-", .invalidNumber),
            ("[1]]", .trailing), ("1 2", .trailing), ("{}{}", .trailing), ("null,", .trailing), ("[]x", .trailing),
            ("1\u{0}", .trailing), ("// c\n1", .unexpected(offset: 0)), ("1 // c", .trailing), ("[1]\u{A0}", .trailing),
            ("[,]", .unexpected(offset: 1)), ("[1,]", .unexpected(offset: 3)), ("[,1]", .unexpected(offset: 1)),
            ("[1,,2]", .unexpected(offset: 3)), ("[1 2]", .unexpected(offset: 3)), ("[1:2]", .unexpected(offset: 2)),
            ("[1}", .unexpected(offset: 2)), ("]", .unexpected(offset: 0)), ("}", .unexpected(offset: 0)),
            (#"{"a":1,}"#, .unexpected(offset: 7)), ("{,}", .unexpected(offset: 1)), ("{1:1}", .unexpected(offset: 1)),
            ("{a:1}", .unexpected(offset: 1)), ("{'a':1}", .unexpected(offset: 1)),
            (#"{"a" 1}"#, .unexpected(offset: 5)),
            (#"{"a":1 "b":2}"#, .unexpected(offset: 7)), (#"{"a",1}"#, .unexpected(offset: 4)),
            (#"{"a"::1}"#, .unexpected(offset: 5)), (#"{"a":1]"#, .unexpected(offset: 6)),
            ("True", .unexpected(offset: 0)), ("trux", .unexpected(offset: 0)), ("nan", .truncated),
            ("NaN", .unexpected(offset: 0)), ("Infinity", .unexpected(offset: 0)), ("-Infinity", .invalidNumber),
            ("undefined", .unexpected(offset: 0)), ("'a'", .unexpected(offset: 0)), ("*", .unexpected(offset: 0)),
            ("\u{FEFF}1", .unexpected(offset: 0)), ("\u{A0}1", .unexpected(offset: 0)),
            ("\u{0B}1", .unexpected(offset: 0)),
            ("\u{0C}1", .unexpected(offset: 0)), ("\u{0}", .unexpected(offset: 0)),
        ]
    )
    func malformed(text: String, error: JSONError) {
        #expect(throws: error) { try JSON.parse(Bytes(text: text)) }
    }

    @Test(
        "Numbers that RFC 8259 does not know are refused",
        arguments: [
            "-x", "--1", "1.", "1.e1", "1.x", "1e", "1e+", "1e-", "1ex", "1E", "00", "01", "-01", "-00", "0.e1",
            "1" + String(repeating: "0", count: 64),
        ]
    )
    func badNumbers(text: String) {
        #expect(throws: JSONError.invalidNumber) { try JSON.parse(Bytes(text: text)) }
    }

    @Test(
        "Numbers in other notations are refused",
        arguments: ["+1", ".5", "-.5", "0x10", "1_000", "1,5", "0b1", "1e1.5", "1e1e1", "1.2.3", "１", "∞", "1f", "- 1"]
    )
    func foreignNumbers(text: String) {
        #expect(throws: JSONError.self) { try JSON.parse(Bytes(text: text)) }
    }

    @Test(
        "Strings refuse bare controls, unknown escapes and halves of surrogate pairs",
        arguments: [
            ("\"\u{0}\"", JSONError.unexpected(offset: 1)), ("\"a\n\"", .unexpected(offset: 2)),
            ("\"\t\"", .unexpected(offset: 1)), ("\"\u{1F}\"", .unexpected(offset: 1)),
            (#""\x41""#, .unexpected(offset: 2)), (#""\a""#, .unexpected(offset: 2)),
            (#""\'""#, .unexpected(offset: 2)),
            (#""\0""#, .unexpected(offset: 2)), (#""\U0041""#, .unexpected(offset: 2)),
            ("\"\\\n\"", .unexpected(offset: 2)),
            (#""\u00G0""#, .unexpected(offset: 3)), (#""\u 041""#, .unexpected(offset: 3)),
            (#""\u+041""#, .unexpected(offset: 3)), (#""\u{41}""#, .unexpected(offset: 3)),
            (#""\ud800""#, .invalidText), (#""\uD83D""#, .invalidText), (#""\uD83Dx""#, .invalidText),
            (#""\uD83D\n""#, .invalidText), (#""\ude00""#, .invalidText), (#""\uDFFF\uD800""#, .invalidText),
            (#""\uD83D\uD83D""#, .invalidText), (#""\uD83D\u0041""#, .invalidText), (#""\uDBFF\uE000""#, .invalidText),
            (#"{"\ud800":1}"#, .invalidText),
        ]
    )
    func badStrings(text: String, error: JSONError) {
        #expect(throws: error) { try JSON.parse(Bytes(text: text)) }
    }

    @Test(
        "Strings that are not UTF-8 are refused, as values and as names",
        arguments: [[0xFF], [0xC0, 0xAF], [0xED, 0xA0, 0x80], [0xE2, 0x82], [0x80], [0xF4, 0x90, 0x80, 0x80]] as [Bytes]
    )
    func notUTF8(bytes: Bytes) {
        #expect(throws: JSONError.invalidText) { try JSON.parse([0x22] + bytes + [0x22]) }
        #expect(throws: JSONError.invalidText) { try JSON.parse([0x7B, 0x22] + bytes + Bytes(text: #"":1}"#)) }
    }

    @Test(
        "Two members of one name are refused, however the name is written",
        arguments: [
            #"{"a":1,"a":1}"#, #"{"a":1,"b":2,"a":3}"#, #"{"a":1,"\u0061":2}"#, #"{"":1,"":2}"#,
            #"[{"x":{"a":1,"a":2}}]"#, #"{"é":1,"\u00e9":2}"#, #"{"/":1,"\/":2}"#,
        ]
    )
    func duplicates(text: String) {
        #expect(throws: JSONError.duplicateName) { try JSON.parse(Bytes(text: text)) }
    }

    @Test("A duplicate in a large object is found, and names that differ in form only are two names")
    func duplicatesInLargeObjects() throws {
        let names = (0..<200).map { #""name \#($0)":\#($0)"# }
        #expect(try JSON.parse(Bytes(text: "{\(names.joined(separator: ","))}")).members?.count == 200)
        for position in [0, 99, 199] {
            let text = "{\((names + [#""name \#(position)":0"#]).joined(separator: ","))}"
            #expect(throws: JSONError.duplicateName) { try JSON.parse(Bytes(text: text)) }
        }
        #expect(try JSON.parse(Bytes(text: #"{"a":1,"A":2,"a ":3,"\u00e9":4,"e\u0301":5}"#)).members?.count == 5)
    }

    @Test("Nesting up to the limit is read, one more is refused", arguments: [1, 2, 32, 100])
    func depth(limit: Int) throws {
        let inside = Bytes(repeating: 0x5B, count: limit) + Bytes(repeating: 0x5D, count: limit)
        _ = try JSON.parse(inside, maximumDepth: limit)
        #expect(throws: JSONError.tooDeep) { try JSON.parse([0x5B] + inside + [0x5D], maximumDepth: limit) }
        let objects = Bytes(
            text: String(repeating: #"{"a":"#, count: limit) + "1" + String(repeating: "}", count: limit)
        )
        _ = try JSON.parse(objects, maximumDepth: limit)
        #expect(throws: JSONError.tooDeep) { try JSON.parse([0x5B] + objects + [0x5D], maximumDepth: limit) }
    }

    @Test("A hundred thousand brackets are refused, not recursed into")
    func bomb() {
        #expect(throws: JSONError.tooDeep) { try JSON.parse(Bytes(repeating: 0x5B, count: 100_000)) }
        #expect(throws: JSONError.tooDeep) { try JSON.parse(Bytes(text: String(repeating: #"{"":"#, count: 20_000))) }
    }

    @Test(
        "Values up to the limit are read, one more is refused before anything is made of it",
        arguments: ["[1,2]", "[[],[]]", #"{"a":{},"b":""}"#, "[[[]]]"])
    func count(text: String) throws {
        _ = try JSON.parse(Bytes(text: text), maximumCount: 3)
        #expect(throws: JSONError.tooManyValues) { try JSON.parse(Bytes(text: text), maximumCount: 2) }
    }

    @Test("A text of a few megabytes cannot become hundreds: its values are counted", arguments: ["0,", "{},", "[],"])
    func swelling(element: String) {
        let text = Bytes(text: "[" + String(repeating: element, count: 200_000) + "0]")
        #expect(throws: JSONError.tooManyValues) { try JSON.parse(text) }
    }

    @Test("Length up to the limit is read, one byte more is refused")
    func length() throws {
        #expect(try JSON.parse([0x31, 0x32], maximumLength: 2) == .integer(12))
        #expect(throws: JSONError.tooLong) { try JSON.parse([0x31, 0x32, 0x20], maximumLength: 2) }
    }
}
