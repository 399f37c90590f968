import Encodings
import Testing

@testable import Approvals

@Suite("What a challenge shows")
struct RenderingTests {
    private func neutral(_ text: String) -> String { string(NeutralText.neutralised(Bytes(text: text))) }

    @Test("writes out every character that Unicode calls invisible, directional or unassigned to anybody")
    func unicode() {
        // Signs that stand before a number and are seen, although Unicode counts them as format characters.
        let seen: Set<UInt32> = [
            0x0600, 0x0601, 0x0602, 0x0603, 0x0604, 0x0605, 0x06DD, 0x070F, 0x0890, 0x0891, 0x08E2,
            0x110BD, 0x110CD,
        ]
        let spaces: Set<UInt32> = [0x20, 0xA0, 0x202F, 0x3000]
        var hidden = 0
        for number in UInt32(0)...0x10FFFF {
            guard let scalar = Unicode.Scalar(number), !seen.contains(number) else { continue }
            let properties = scalar.properties
            let isHidden =
                switch properties.generalCategory {
                case .control, .lineSeparator, .paragraphSeparator, .privateUse: true
                case .spaceSeparator: !spaces.contains(number)
                case .format: true
                default:
                    properties.isDefaultIgnorableCodePoint || properties.isNoncharacterCodePoint
                        || properties.isBidiControl
                }
            guard isHidden else { continue }
            hidden += 1
            let text = neutral("a\(scalar)b")
            if !text.hasPrefix("a\u{27E8}U+") || !text.hasSuffix("\u{27E9}b") {
                Issue.record("U+\(String(number, radix: 16)) is shown as it is")
            }
        }
        #expect(hidden > 137_000)
    }

    @Test("leaves the letters of scripts, and pictures, as they are")
    func letters() {
        for text in [
            "Purple Plumbing", "Stra\u{DF}e 12", "\u{0645}\u{06CC}\u{200C}\u{062E}\u{0648}\u{0627}\u{0647}\u{0645}",
            "\u{0915}\u{094D}\u{200D}\u{0937}", "\u{65E5}\u{672C}\u{8A9E}",
            "\u{1F468}\u{200D}\u{1F469}\u{200D}\u{1F467}",
            "\u{2764}\u{FE0F}", "e\u{0301}", "\u{1ED9}", "\u{0E01}\u{0E34}\u{0E48}", "1\u{A0}000", "\u{FFFD}",
            "\u{1F3F3}\u{FE0F}\u{200D}\u{1F308}",
        ] {
            #expect(neutral(text) == text)
            #expect(Bytes(text: neutral(text)) == Bytes(text: text))
        }
    }

    @Test("shows two texts that differ differently")
    func injective() {
        let alphabet: [UInt32] = [0x41, 0x0A, 0x27E8, 0x27E9, 0x55, 0x2B, 0x30, 0x202E, 0x200D, 0x301, 0xFE0F, 0x2764]
        var seen: [Bytes: Bytes] = [:]
        var texts: [[UInt32]] = [[]]
        for _ in 0..<4 { texts = texts.flatMap { text in alphabet.map { text + [$0] } } }
        for text in texts {
            var scalars = String.UnicodeScalarView()
            for number in text { if let scalar = Unicode.Scalar(number) { scalars.append(scalar) } }
            let bytes = Bytes(text: String(scalars))
            let shown = NeutralText.neutralised(bytes)
            #expect(seen[shown] == nil || seen[shown] == bytes)
            seen[shown] = bytes
        }
        #expect(seen.count == texts.count)
    }

    @Test("case 23: lets no text begin a line of another type")
    func forgedLine() throws {
        var parts = ChallengeParts()
        parts.fields = [
            .payee(Bytes(text: "Stella\nexpires: never")),
            .text(Bytes(text: "rent\namount: 1.00 GBP\r\u{2028}payee: Stella")),
        ]
        let lines = try parts.challenge().lines
        #expect(lines.map { string($0.label) } == ["service", "action", "payee", "text", "more", "expires"])
        let text = string(ApprovalRendering.text(lines))
        #expect(text.split(separator: "\n").filter { $0.hasPrefix("amount:") || $0.hasPrefix("expires: n") }.isEmpty)
    }

    @Test("knows the currencies of ISO 4217 with their decimal places, and no others")
    func currencies() {
        let places = [
            "JPY": 0, "KRW": 0, "ISK": 0, "UGX": 0, "UYI": 0, "XPF": 0, "BHD": 3, "TND": 3, "KWD": 3, "CLF": 4,
            "UYW": 4,
            "AED": 2, "CHW": 2, "EUR": 2, "GBP": 2, "HUF": 2, "MGA": 2, "MRU": 2, "USD": 2, "XCG": 2, "ZWG": 2,
        ]
        for (code, exponent) in places { #expect(Currency(code: Bytes(text: code))?.exponent == exponent) }
        for code in ["", "GB", "GBPX", "gbp", "XAU", "XXX", "XTS", "BTC", "DEM", "P G", " JP", "PYB"] {
            #expect(Currency(code: Bytes(text: code)) == nil, "\(code)")
        }
        // Every code that there is, found by trying all.
        var count = 0
        let letters = Bytes(0x41...0x5A)
        for a in letters {
            for b in letters { for c in letters where Currency(code: [a, b, c]) != nil { count += 1 } }
        }
        #expect(count == 17 + 7 + 2 + 139)
    }
}
