import Encodings
import Testing

@Suite("Writing DER")
struct DERWriterTests {
    private func hex(_ bytes: Bytes) -> String { String(decoding: Hex.encode(bytes), as: UTF8.self) }

    @Test(
        "Every length has its shortest form, as the reader demands",
        arguments: [0, 1, 127, 128, 255, 256, 65_535, 65_536])
    func lengths(count: Int) throws {
        let content = Bytes(repeating: 0xA5, count: count)
        var reader = DERReader(DERWriter.octetString(content))
        #expect(try reader.element(DERTag.octetString).content == content)
        try reader.finish()
    }

    @Test(
        "Numbers are positive and shortest",
        arguments: [
            (Bytes(), "020100"), ([0], "020100"), ([0, 0], "020100"), ([1], "020101"), ([0x7F], "02017f"),
            ([0x80], "02020080"), ([0, 0x80], "02020080"), ([0, 0x7F], "02017f"), ([0xFF, 0], "020300ff00"),
        ])
    func integers(bytes: Bytes, written: String) throws {
        let element = DERWriter.unsignedInteger(bytes)
        #expect(hex(element) == written)
        var reader = DERReader(element)
        _ = try reader.integer()
    }

    @Test("The other types are written as X.690 shows them")
    func others() {
        #expect(hex(DERWriter.boolean(true)) == "0101ff")
        #expect(hex(DERWriter.boolean(false)) == "010100")
        #expect(hex(DERWriter.bitString([0x80], unused: 7)) == "03020780")
        #expect(hex(DERWriter.objectIdentifier([0x55, 4, 3])) == "0603550403")
        #expect(hex(DERWriter.sequence(DERWriter.boolean(true))) == "30030101ff")
        #expect(hex(DERWriter.element(DERTag.context(3, constructed: true), [])) == "a300")
    }

    @Test("Signatures go from r and s to DER and back")
    func signatures() throws {
        for pattern in [Bytes([1]), [0x80], [0xFF], [0x7F]] {
            for zeros in [0, 1, 31] {
                let number = Bytes(repeating: 0, count: zeros) + Bytes(repeating: pattern[0], count: 32 - zeros)
                let raw = number + Array(number.reversed())
                let der = try #require(ECDSASignature.der(fromRaw: raw))
                #expect(try ECDSASignature.raw(fromDER: der) == raw)
            }
        }
        let zero = Bytes(repeating: 0, count: 32)
        let one = Bytes(repeating: 1, count: 32)
        for raw in [Bytes(), one, zero + one, one + zero, one + one + [0]] {
            #expect(ECDSASignature.der(fromRaw: raw) == nil)
        }
    }

    @Test("White space is taken from both ends and from nowhere else")
    func trimming() {
        #expect(Bytes(text: " \t\r\n\u{B}\u{C}").trimmingSpace() == [])
        #expect(Bytes(text: "  a b\n").trimmingSpace() == Bytes(text: "a b"))
        #expect(Bytes(text: "\u{0}a\u{A0}").trimmingSpace() == Bytes(text: "\u{0}a\u{A0}"))
    }
}
