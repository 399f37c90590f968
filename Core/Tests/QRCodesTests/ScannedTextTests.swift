import Testing

@testable import QRCodes

@Suite("The text of a code")
struct ScannedTextTests {
    private func code(_ parts: [(ScannedCode.CharacterSet, [UInt8])]) -> ScannedCode {
        ScannedCode(
            parts: parts.map { ScannedCode.Part(bytes: $0.1, characterSet: $0.0) }, version: 1, errorCorrection: .low,
            mask: 0, isMirrored: false, errorCount: 0)
    }

    @Test("is UTF-8 where the code says so or says nothing, and ASCII in every character set")
    func texts() {
        let umlaut: [UInt8] = [0xC3, 0xBC]
        #expect(code([(.unsaid, umlaut)]).text == umlaut)
        #expect(code([(.interpretation(26), umlaut)]).text == umlaut)
        #expect(code([(.shiftJIS, [0x41]), (.interpretation(3), [0x42])]).text == [0x41, 0x42])
        #expect(code([]).text == [])
    }

    @Test("is nothing where the bytes are no such text")
    func noTexts() {
        #expect(code([(.unsaid, [0xFF])]).text == nil)
        #expect(code([(.interpretation(26), [0xC3])]).text == nil)
        #expect(code([(.shiftJIS, [0x82, 0xA0])]).text == nil)
        #expect(code([(.interpretation(3), [0xFC])]).text == nil)
    }
}
