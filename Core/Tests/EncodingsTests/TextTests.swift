import Encodings
import Testing

@Suite("Hexadecimal, base64, decimal numbers, UTF-8 and byte arrays")
struct TextTests {
    @Test(
        "Hexadecimal refuses odd lengths and foreign characters",
        arguments: ["0", "abc", "0g", "g0", "0x", " 0", "0 ", "--", "0\n", "é", "/0", ":0", "@0", "G0", "`0"]
    )
    func badHex(text: String) {
        #expect(Hex.decode(Bytes(text: text)) == nil)
    }

    @Test("Hexadecimal gives every byte back, in either case")
    func hex() {
        let all = (UInt8.min...UInt8.max).map { $0 }
        let text = Hex.encode(all)
        #expect(text.count == 512)
        #expect(Hex.encode([0x00, 0x9F, 0xA0, 0xFF]).equals("009fa0ff"))
        #expect(Hex.decode(text) == all)
        #expect(Hex.decode(Bytes(text: String(decoding: text, as: UTF8.self).uppercased())) == all)
        #expect(Hex.decode([]) == [])
    }

    @Test(
        "Base64 with padding refuses everything but its one form",
        arguments: [
            "Z", "Zg", "Zg=", "Zm9", "Zg===", "Zg==Zg==", "Zm9vYg=", "=", "==", "===", "====", "Zm9v=", "Zm9v====",
            "Zh==", "Zm9=", "Zm-_", "Zm9v\n", " Zm9v", "Zm 9v", "Zm9v\r\n", "Z===", "=Zg=", "Zg=A", "Zm9v*A==", "éZm9",
        ]
    )
    func badBase64(text: String) {
        #expect(Base64.decode(Bytes(text: text), .standard) == nil)
    }

    @Test(
        "Base64url refuses padding, the other alphabet, stray bits and impossible lengths",
        arguments: [
            "Z", "Zg==", "Zm9=", "Zm8=", "Zh", "Zm9", "Zm+/", "Zm9vY", "Zm9v\n", " Zg", "Zg ", "Z.g", "=", "Zg%3D",
        ]
    )
    func badBase64URL(text: String) {
        #expect(Base64.decode(Bytes(text: text), .url) == nil)
    }

    @Test(
        "The examples of RFC 4648 section 10 go both ways",
        arguments: [
            ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="), ("fooba", "Zm9vYmE="),
            ("foobar", "Zm9vYmFy"), ("\u{3FF}\u{3FF}", "z7/Pvw=="), ("~~~???", "fn5+Pz8/"),
        ]
    )
    func base64(plain: String, encoded: String) {
        let bytes = Bytes(text: plain)
        let standard = Bytes(text: encoded)
        #expect(Base64.encode(bytes, .standard) == standard)
        #expect(Base64.decode(standard, .standard) == bytes)
        let url = standard.filter { $0 != 0x3D }.map { $0 == 0x2B ? 0x2D : $0 == 0x2F ? 0x5F : $0 }
        #expect(Base64.encode(bytes, .url) == url)
        #expect(Base64.decode(url, .url) == bytes)
    }

    @Test(
        "Decimal numbers have one form and fit 64 bits",
        arguments: [
            "", "00", "01", "-1", "+1", " 1", "1 ", "1.0", "1e1", "0x1", "18446744073709551616",
            "99999999999999999999", "100000000000000000000", "١",
        ]
    )
    func badDecimal(text: String) {
        #expect(parseDecimal(Bytes(text: text)) == nil)
    }

    @Test("Decimal numbers go both ways", arguments: [0, 1, 9, 10, 4_294_967_296, UInt64.max])
    func decimal(number: UInt64) {
        #expect(decimalBytes(number) == Bytes(text: "\(number)"))
        #expect(parseDecimal(decimalBytes(number)) == number)
    }

    @Test(
        "UTF-8 refuses overlong forms, surrogates, strays, cut sequences and numbers too large",
        arguments: [
            [0x80], [0xBF], [0xC0, 0x80], [0xC1, 0xBF], [0xC2], [0xC2, 0x41], [0xE0, 0x80, 0x80], [0xE0, 0x9F, 0xBF],
            [0xE2, 0x82], [0xED, 0xA0, 0x80], [0xED, 0xBF, 0xBF], [0xF0, 0x80, 0x80, 0x80], [0xF0, 0x8F, 0xBF, 0xBF],
            [0xF4, 0x90, 0x80, 0x80], [0xF5, 0x80, 0x80, 0x80], [0xF0, 0x9F, 0x98], [0xFF], [0xFE], [0x41, 0x80],
            [0xF8, 0x88, 0x80, 0x80, 0x80],
        ] as [Bytes]
    )
    func badUTF8(bytes: Bytes) {
        #expect(!UTF8Text.isValid(bytes))
    }

    @Test("UTF-8 accepts the edges of each length")
    func utf8() {
        #expect(UTF8Text.isValid([]))
        for scalar in ["\u{0}", "\u{7F}", "\u{80}", "\u{7FF}", "\u{800}", "\u{D7FF}", "\u{E000}", "\u{FFFF}"] {
            #expect(UTF8Text.isValid(Bytes(text: scalar)))
        }
        #expect(UTF8Text.isValid(Bytes(text: "\u{10000}\u{10FFFF}")))
        #expect(UTF8Text.scalar(in: Bytes(text: "€"), at: 0)?.scalar == 0x20AC)
        #expect(UTF8Text.scalar(in: Bytes(text: "x😀"), at: 1)?.length == 4)
    }

    @Test("Bytes compare with text, with each other and in order as octets")
    func comparing() {
        #expect(Bytes(text: "typ").equals("typ"))
        #expect(
            !Bytes(text: "typ").equals("ty") && !Bytes(text: "typ").equals("type") && !Bytes(text: "typ").equals("tyP")
        )
        // One letter as two scalars: the same text for `String`, other bytes for us.
        #expect(!Bytes(text: "e\u{301}").equals(text: "\u{E9}"))
        #expect(Bytes([1, 2, 3]).equalsInConstantTime([1, 2, 3]))
        for other in [[], [1, 2], [1, 2, 4], [9, 2, 3], [1, 2, 3, 0]] as [Bytes] {
            #expect(!Bytes([1, 2, 3]).equalsInConstantTime(other))
        }
        let ordered: [Bytes] = [[], [0], [0, 255], [1], [127], [128], [255], [255, 0]]
        for (left, a) in ordered.enumerated() {
            for (right, b) in ordered.enumerated() { #expect(a.precedes(b) == (left < right)) }
        }
    }

    @Test("Splitting keeps empty parts")
    func splitting() {
        #expect(Bytes(text: "a.b.c").split(at: 0x2E) == [[0x61], [0x62], [0x63]])
        #expect(Bytes(text: ".a..").split(at: 0x2E) == [[], [0x61], [], []])
        #expect(Bytes().split(at: 0x2E) == [[]])
        #expect(Bytes(text: "a.b").split(at: 0x2E, maximum: 2) == [[0x61], [0x62]])
        #expect(Bytes(text: "a.b.").split(at: 0x2E, maximum: 2) == nil)
        #expect(Bytes().split(at: 0x2E, maximum: 1) == [[]])
        #expect(bigEndianBytes(0x0102_0304_0506_0708) == [1, 2, 3, 4, 5, 6, 7, 8])
    }
}
