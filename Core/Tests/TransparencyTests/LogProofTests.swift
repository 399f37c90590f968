import Encodings
import Testing
import Transparency

@Suite("Proofs as text")
struct LogProofTests {
    static let hash = "rKbDipCvhuX1GZ7g5BBe8sA6BbJ7ja/1nk427v383cs="
    static let note = "a\n1\n\(hash)\n\n— a AAAAAAA=\n"
    static let header = "c2sp.org/tlog-proof@v1\n"

    @Test(
        "a text out of form is refused",
        arguments: [
            "", "\n\n", header, header + "\n" + note, header + "index 0\n" + note, "index 0\n\n" + note,
            "c2sp.org/tlog-proof@v2\nindex 0\n\n" + note, " " + header + "index 0\n\n" + note,
            header + "\nindex 0\n\n" + note, header + "index\n\n" + note, header + "index \n\n" + note,
            header + "index 01\n\n" + note, header + "index -1\n\n" + note, header + "index 1 \n\n" + note,
            header + "Index 1\n\n" + note, header + "index 9223372036854775808\n\n" + note,
            header + "extra \nindex 1\n\n" + note, header + "extra\nindex 1\n\n" + note,
            header + "extra A\nindex 1\n\n" + note,
            header + "extra AB==\nindex 1\n\n" + note, header + "extra AA==\nextra AA==\nindex 1\n\n" + note,
            header + "index 1\nextra AA==\n\n" + note, header + "extra AA==\n\n" + note,
            header + "index 1\nAAAA\n\n" + note, header + "index 1\n\(hash) \n\n" + note,
            header + "index 1\n\(hash)\(hash)\n\n" + note, header + "index 1\r\n\n" + note,
        ])
    func refused(text: String) {
        #expect(throws: TransparencyError.malformedProof) { try LogProof.parse(Bytes(text: text)) }
    }

    @Test(
        "a proof with something else than a checkpoint at its end is refused",
        arguments: [
            ("", .malformedNote), ("a\n", .malformedNote), ("a\n1\n\(hash)\n", .malformedNote),
            ("a\n1\n\(hash)\n\n", .malformedNote), (note + "\n", .malformedNote), ("\n" + note, .malformedCheckpoint),
            ("a\n\n— a AAAAAAA=\n", .malformedCheckpoint),
        ] as [(String, TransparencyError)])
    func noCheckpoint(checkpoint: String, error: TransparencyError) {
        #expect(throws: error) {
            try LogProof.parse(Bytes(text: Self.header + "index 0\n\n" + checkpoint))
        }
    }

    @Test(
        "a proof is read and written",
        arguments: [
            "index 0\n\n", "extra AA==\nindex 0\n\n", "index 7\n\(hash)\n\(hash)\n\n",
        ])
    func roundTrip(middle: String) throws {
        let text = Self.header + middle + Self.note
        #expect(try LogProof.parse(Bytes(text: text)).encoded().text == text)
    }

    @Test("more hashes than a tree is high, or a longer text, are refused")
    func limits() throws {
        let lines = String(repeating: Self.hash + "\n", count: 63)
        #expect(try LogProof.parse(Bytes(text: Self.header + "index 0\n\(lines)\n" + Self.note)).hashes.count == 63)
        #expect(throws: TransparencyError.tooLarge) {
            try LogProof.parse(Bytes(text: Self.header + "index 0\n\(lines)\(Self.hash)\n\n" + Self.note))
        }
        #expect(throws: TransparencyError.tooLarge) {
            try LogProof.parse(Bytes(repeating: 0x61, count: LogProof.maximumLength + 1))
        }
    }
}
