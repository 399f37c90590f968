import Encodings
import Testing

@Suite("JSON values, and writing them")
struct JSONValueTests {
    @Test(
        "Texts are read as the values that they are",
        arguments: [
            ("null", JSON.null), (" true\n", .bool(true)), ("\tfalse\r", .bool(false)), ("0", .integer(0)),
            ("-1", .integer(-1)), ("9007199254740991", .integer(9_007_199_254_740_991)),
            ("-9007199254740991", .integer(-9_007_199_254_740_991)),
            ("9007199254740992", .decimal(Bytes(text: "9007199254740992"))), ("-0", .decimal(Bytes(text: "-0"))),
            ("1.0", .decimal(Bytes(text: "1.0"))), ("1e2", .decimal(Bytes(text: "1e2"))),
            ("-0.5E+10", .decimal(Bytes(text: "-0.5E+10"))), ("0e-1", .decimal(Bytes(text: "0e-1"))),
            ("123456789012345678901234567890", .decimal(Bytes(text: "123456789012345678901234567890"))),
            (#""""#, .text("")), (#""\"\\\/\b\f\n\r\t""#, .text("\"\\/\u{8}\u{C}\n\r\t")),
            (#""\u0041\u00e9\u20AC\uD83D\uDE00\u0000""#, .text("Aé€😀\u{0}")), ("\"é€😀\u{7F}\"", .text("é€😀\u{7F}")),
            (#""\uDBFF\uDFFF\uD800\uDC00\uE000\uD7FF""#, .text("\u{10FFFF}\u{10000}\u{E000}\u{D7FF}")),
            ("[]", .array([])), ("{}", .object([])),
            (" [ 1 , [ ] , { } ] ", .array([.integer(1), .array([]), .object([])])),
            (#" { "b" : 1 , "a" : [ null ] } "#, .members([("b", .integer(1)), ("a", .array([.null]))])),
            (#"{"":""}"#, .members([("", .text(""))])),
        ]
    )
    func values(text: String, value: JSON) throws {
        #expect(try JSON.parse(Bytes(text: text)) == value)
        #expect(try JSON.parse(value.serialized()) == value)
    }

    @Test("Members, elements and texts are found; other types and names give nothing")
    func access() throws {
        let json = try JSON.parse(Bytes(text: #"{"a":"x","n":7,"l":[1],"o":{},"é":true}"#))
        #expect(json["a"]?.isString("x") == true)
        #expect(json["a"]?.string == [0x78])
        #expect(json["n"]?.integer == 7)
        #expect(json["l"]?.array == [.integer(1)])
        #expect(json["o"]?.members == [])
        #expect(json[bytes: Bytes(text: "é")] == .bool(true))
        #expect(json["A"] == nil && json["e\u{301}"] == nil && json["l"]?["a"] == nil)
        #expect(json["n"]?.string == nil && json["a"]?.integer == nil && json["o"]?.array == nil)
        #expect(json["n"]?.isString("7") == false && json.string == nil)
    }

    @Test("Writing keeps the order; canonical JSON sorts at every depth and writes no space")
    func writing() throws {
        let json = try JSON.parse(Bytes(text: #" { "b" : [ { "z" : 1 , "y" : -2 } ] , "a" : true , "aa" : null } "#))
        #expect(json.serialized().equals(#"{"b":[{"z":1,"y":-2}],"a":true,"aa":null}"#))
        #expect(try json.canonical().equals(#"{"a":true,"aa":null,"b":[{"y":-2,"z":1}]}"#))
    }

    @Test("The sorting example of RFC 8785 section 3.2.3 comes out in its order")
    func sorting() throws {
        let text = #"""
            {
              "\u20ac": "Euro Sign",
              "\r": "Carriage Return",
              "\ufb33": "Hebrew Letter Dalet With Dagesh",
              "1": "One",
              "\ud83d\ude00": "Emoji: Grinning Face",
              "\u0080": "Control",
              "\u00f6": "Latin Small Letter O With Diaeresis"
            }
            """#
        let canonical = try JSON.parse(Bytes(text: text)).canonical()
        let expected =
            #"{"\r":"Carriage Return","1":"One","\#u{80}":"Control","\#u{F6}":"Latin Small Letter O With Diaeresis","#
            + #""\#u{20AC}":"Euro Sign","\#u{1F600}":"Emoji: Grinning Face","#
            + #""\#u{FB33}":"Hebrew Letter Dalet With Dagesh"}"#
        #expect(canonical == Bytes(text: expected))
    }

    @Test("Names sort as UTF-16, in whatever order they come")
    func sortingAsUTF16() throws {
        let names = [
            "", "\u{0}", "\u{1F}", "A", "AA", "A\u{10000}", "A\u{FFFF}", "B", "a", "\u{7F}", "\u{7FF}", "\u{800}",
            "\u{D7FF}",
            "\u{10000}", "\u{1F600}", "\u{10FFFF}", "\u{E000}", "\u{FFFF}",
        ]
        #expect(names == names.sorted { Array($0.utf16).lexicographicallyPrecedes(Array($1.utf16)) })
        for shift in 0..<names.count {
            let turned = names[shift...] + names[..<shift]
            let object = JSON.members(turned.reversed().map { ($0, .null) })
            let sorted = try JSON.parse(object.canonical()).members?.map(\.name)
            #expect(sorted == names.map { Bytes(text: $0) })
        }
    }

    @Test("Strings are escaped as RFC 8785 section 3.2.2.2 says: shortest, lower case, nothing that need not be")
    func escaping() throws {
        let text = JSON.text("\u{20AC}$\u{F}\u{A}A'\u{42}\u{22}\u{5C}\\\"/\u{7F}\u{1F}\u{8}\u{C}\u{D}\u{9}")
        #expect(try text.canonical() == Bytes(text: #""€$\u000f\nA'B\"\\\\\"/\#u{7F}\u001f\b\f\r\t""#))
    }

    @Test(
        "Numbers that are not whole have no canonical form here, wherever they stand",
        arguments: ["1.5", "1.0", "1e3", "-0", "9007199254740992", "[1.5]", #"{"a":{"b":[0.1]}}"#]
    )
    func notCanonical(text: String) throws {
        let json = try JSON.parse(Bytes(text: text))
        #expect(throws: JSONError.notCanonical) { try json.canonical() }
        #expect(json.serialized() == Bytes(text: text))
    }

    @Test("An integer beyond the safe range has no canonical form", arguments: [JSON.safeInteger + 1, .max, .min])
    func unsafeIntegers(number: Int64) throws {
        #expect(throws: JSONError.notCanonical) { try JSON.integer(number).canonical() }
        #expect(throws: JSONError.notCanonical) { try JSON.integer(-JSON.safeInteger - 1).canonical() }
        #expect(try JSON.integer(-JSON.safeInteger).canonical().equals("-9007199254740991"))
    }
}
