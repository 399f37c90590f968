import Encodings
import Testing

@Suite("Quick ways through long texts")
struct FastPathTests {
    @Test("find every byte that needs an escape, wherever it stands in a word of eight")
    func escapes() throws {
        for byte in UInt8.min...UInt8.max where byte < 0x80 {
            for position in 0..<20 {
                var text = Bytes(repeating: 0x61, count: 20)
                text[position] = byte
                let written = JSON.string(text).serialized()
                #expect(try JSON.parse(written) == .string(text))
                let isEscaped = byte < 0x20 || byte == 0x22 || byte == 0x5C
                #expect((written.count > 22) == isEscaped)
            }
        }
    }

    @Test("refuse bare control characters and broken UTF-8 wherever they stand")
    func refusals() throws {
        for byte in UInt8.min...UInt8.max where byte < 0x20 || byte >= 0x80 {
            for position in 0..<20 {
                var text = Bytes(repeating: 0x61, count: 20)
                text[position] = byte
                #expect(throws: JSONError.self) { try JSON.parse([0x22] + text + [0x22]) }
            }
        }
    }

    @Test("carry characters of every length", arguments: ["é", "€", "🎓", "a€b🎓c", "\u{7F}", "\u{FFFF}"])
    func unicode(piece: String) throws {
        for count in 0..<12 {
            let text = Bytes(repeating: 0x78, count: count) + Bytes(text: piece) + Bytes(repeating: 0x79, count: 9)
            #expect(try JSON.parse(JSON.string(text).serialized()) == .string(text))
        }
    }

    @Test("give every length of bytes back from base64, and refuse every change of form")
    func base64() throws {
        for variant in [Base64.Variant.standard, .url] {
            for count in 0..<70 {
                let bytes = Bytes((0..<count).map { UInt8(truncatingIfNeeded: $0 * 37 + count) })
                let text = Base64.encode(bytes, variant)
                #expect(Base64.decode(text, variant) == bytes)
                #expect(Base64.decode(text + [0x0A], variant) == nil)
                #expect(Base64.decode(text + [0x3D], variant) == nil)
                for position in 0..<text.count {
                    for foreign in [0x20, 0x0A, 0x3D, 0x80, 0xFF, 0x2E, variant == .url ? 0x2B : 0x2D] as Bytes {
                        var changed = text
                        changed[position] = foreign
                        guard changed != text else { continue }
                        // Padding in place of the last characters may be another, shorter text.
                        let decoded = Base64.decode(changed, variant)
                        #expect(foreign == 0x3D ? decoded != bytes : decoded == nil)
                    }
                }
            }
        }
    }

    @Test("refuse stray bits behind the last byte", arguments: ["QQ==", "QUI="])
    func strayBits(text: String) {
        var changed = Bytes(text: text)
        let last = changed.lastIndex { $0 != 0x3D } ?? 0
        for value in changed[last] + 1..<changed[last] + 4 {
            changed[last] = value
            #expect(Base64.decode(changed, .standard) == nil)
        }
    }

    @Test("tell any two different arrays apart")
    func sameBytes() {
        for count in 0..<20 {
            let bytes = Bytes(repeating: 7, count: count)
            #expect(bytes.hasSameBytes(as: Bytes(repeating: 7, count: count)))
            #expect(!bytes.hasSameBytes(as: bytes + [0]))
            for position in 0..<count {
                var other = bytes
                other[position] = 8
                #expect(!bytes.hasSameBytes(as: other))
            }
        }
    }
}
