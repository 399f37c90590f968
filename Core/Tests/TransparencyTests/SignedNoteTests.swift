import Encodings
import Testing
import Transparency

@Suite("Signed notes")
struct SignedNoteTests {
    let suite = QuickSuite()

    @Test(
        "a verifier key out of form is refused",
        arguments: [
            "", "+", "++", "example.com/log/testdata", "example.com/log/testdata+33d7b496",
            "example.com/log/testdata+33d7b496+", "+33d7b496+AeHTu4Q3hEIMHNqc6fASMsq3rKNx280NI+oO5xCFkkSx",
            "example.com/log/testdata+33D7B496+AeHTu4Q3hEIMHNqc6fASMsq3rKNx280NI+oO5xCFkkSx",
            "example.com/log/testdata+33d7b497+AeHTu4Q3hEIMHNqc6fASMsq3rKNx280NI+oO5xCFkkSx",
            "example.com/log/testdatb+33d7b496+AeHTu4Q3hEIMHNqc6fASMsq3rKNx280NI+oO5xCFkkSx",
            "example.com/log/testdata+033d7b496+AeHTu4Q3hEIMHNqc6fASMsq3rKNx280NI+oO5xCFkkSx",
            "example.com/log/testdata+33d7b496+AeHTu4Q3hEIMHNqc6fASMsq3rKNx280NI+oO5xCFkkSy",
            "example.com/log/testdata+33d7b496+AeHTu4Q3hEIMHNqc6fASMsq3rKNx280NI+oO5xCFkkSx\n\n",
            "example.com/log/testdata+33d7b496+AeHTu4Q3hEIMHNqc6fASMsq3rKNx280NI+oO5xCFkkSx ",
            "example.com/log test+33d7b496+AeHTu4Q3hEIMHNqc6fASMsq3rKNx280NI+oO5xCFkkSx",
            "example.com/log/testdata+33d7b496+AeHTu4Q3hEIMHNqc6fASMsq3rKNx280NI+oO5xCFkkQ=",
        ])
    func refusedKeys(text: String) {
        #expect(throws: TransparencyError.malformedKey) { try NoteVerifierKey.parse(Bytes(text: text)) }
    }

    @Test("a verifier key is read and written")
    func keys() throws {
        let key = try NoteVerifierKey.parse(Bytes(text: Fixture.key))
        #expect(key.name.text == "example.com/log/testdata")
        #expect(key.keyID == 0x33d7_b496)
        #expect(key.algorithm == .ed25519)
        #expect(key.encoded().text == Fixture.key)
        #expect(try NoteVerifierKey.parse(Bytes(text: Fixture.key + "\n")) == key)
        let witness = try NoteVerifierKey(name: key.name, publicKey: key.publicKey, algorithm: .cosignature)
        #expect(witness.keyID != key.keyID)
        #expect(try NoteVerifierKey.parse(witness.encoded()) == witness)
        #expect(throws: TransparencyError.unsupportedKey) {
            try NoteVerifierKey.parse(Bytes(text: "a+00000000+") + Base64.encode([2] + key.publicKey, .standard))
        }
        #expect(throws: TransparencyError.tooLarge) { try NoteVerifierKey.parse(Bytes(repeating: 0x61, count: 1025)) }
    }

    @Test(
        "a name with a space, a plus sign or a control character is no key name",
        arguments: [
            "", " ", "a b", "a+b", "a\u{1}", "a\u{7F}", "a\u{A0}b", "a\u{3000}b", "a\u{2028}", "a\u{85}",
        ])
    func names(name: String) {
        #expect(throws: TransparencyError.malformedKey) {
            try NoteVerifierKey(name: Bytes(text: name), publicKey: Bytes(repeating: 0, count: 32))
        }
    }

    @Test(
        "a note out of form is refused",
        arguments: [
            "", "\n", "\n\n", "text\n", "text\n\n", "text\n\n\n", "text\n\n— a AAAAAAA=", "text\n— a AAAAAAA=\n",
            "text\n\n- a AAAAAAA=\n", "text\n\n—a AAAAAAA=\n", "text\n\n— a\n", "text\n\n— AAAAAAA=\n",
            "text\n\n—  a AAAAAAA=\n", "text\n\n— a  AAAAAAA=\n", "text\n\n— a AAAAAAA= \n", "text\n\n— a AAAAAAA\n",
            "text\n\n— a AAAAAAB=\n", "text\n\n— a AAAAAA==\n", "text\n\n— a+b AAAAAAA=\n",
            "text\n\n— a\u{3000}b AAAAAAA=\n",
            "te\u{0}xt\n\n— a AAAAAAA=\n", "te\txt\n\n— a AAAAAAA=\n", "text\r\n\n— a AAAAAAA=\n",
            "text\n\n— a AAAAAAA=\r\n",
            "text\n\n— a AAAAAAA=\n\n", "text\n\n— a AAAAAAA=\nmore\n", "\n— a AAAAAAA=\n",
        ])
    func refusedNotes(text: String) {
        #expect(throws: TransparencyError.malformedNote) { try SignedNote.parse(Bytes(text: text)) }
    }

    @Test("bytes that are no UTF-8 are no note")
    func invalidUTF8() {
        let note = Bytes(text: "te") + [0xC3] + Bytes(text: "xt\n\n— a AAAAAAA=\n")
        #expect(throws: TransparencyError.malformedNote) { try SignedNote.parse(note) }
        #expect(throws: TransparencyError.malformedNote) { try SignedNote(text: Bytes(text: "no line feed")) }
        #expect(throws: TransparencyError.malformedNote) { try SignedNote(text: []) }
    }

    @Test("the text ends at the last empty line")
    func lastBlank() throws {
        let note = try SignedNote.parse(Bytes(text: "one\n\n— b AAAAAAA=\n\n— a AAAAAAA=\n"))
        #expect(note.text.text == "one\n\n— b AAAAAAA=\n")
        #expect(note.signatures.map(\.name.text) == ["a"])
        #expect(try SignedNote.parse(Bytes(text: "\n\n— a AAAAAAA=\n")).text == [0x0A])
    }

    @Test("more signatures than the limit, or a longer note, are refused")
    func limits() throws {
        let line = "— a AAAAAAA=\n"
        let most = String(repeating: line, count: SignedNote.maximumSignatures)
        #expect(try SignedNote.parse(Bytes(text: "text\n\n" + most)).signatures.count == 64)
        #expect(throws: TransparencyError.tooLarge) { try SignedNote.parse(Bytes(text: "text\n\n" + most + line)) }
        let long = String(repeating: "a", count: SignedNote.maximumLength)
        #expect(throws: TransparencyError.tooLarge) { try SignedNote.parse(Bytes(text: long + "\n\n" + line)) }
    }

    @Test("lines of unknown keys are ignored, a wrong line of a known key is not")
    func trust() throws {
        let log = try NoteVerifierKey(name: Bytes(text: "log"), publicKey: Bytes(repeating: 1, count: 32))
        let other = try NoteVerifierKey(name: Bytes(text: "other"), publicKey: Bytes(repeating: 2, count: 32))
        let sameName = try NoteVerifierKey(name: Bytes(text: "log"), publicKey: Bytes(repeating: 3, count: 32))
        let text = Bytes(text: "text\n")
        var note = try SignedNote(text: text)
        note.add(try other.line(QuickSuite.sign(text, other.publicKey)))
        note.add(try sameName.line(Bytes(repeating: 0, count: 64)))
        #expect(throws: TransparencyError.unsigned) { try note.verify(trusting: [log], suite: suite) }
        #expect(throws: TransparencyError.unsigned) { try note.verify(trusting: [], suite: suite) }
        note.add(try log.line(QuickSuite.sign(text, log.publicKey)))
        note.add(try log.line(QuickSuite.sign(text, log.publicKey)))
        #expect(try SignedNote.parse(note.encoded()) == note)
        #expect(try note.verify(trusting: [log], suite: suite).signers.map(\.key) == [log])
        #expect(try note.verify(trusting: [log, other], suite: suite).signers.map(\.key) == [other, log])
        #expect(throws: TransparencyError.invalidSignature) {
            try note.verify(trusting: [log, sameName], suite: suite)
        }
        note.add(NoteSignature(name: log.name, keyID: log.keyID, signature: Bytes(repeating: 0, count: 63)))
        #expect(throws: TransparencyError.invalidSignature) { try note.verify(trusting: [log], suite: suite) }
    }

    @Test("a cosignature covers its time, and does not pass as a signature of the log")
    func cosignature() throws {
        let key = Bytes(repeating: 5, count: 32)
        let witness = try NoteVerifierKey(name: Bytes(text: "w"), publicKey: key, algorithm: .cosignature)
        let log = try NoteVerifierKey(name: Bytes(text: "w"), publicKey: key)
        let text = Bytes(text: "text\n")
        let message = SignedNote.message(for: .cosignature, text: text, time: 1_679_315_147)
        #expect(message.text == "cosignature/v1\ntime 1679315147\ntext\n")
        let signature = QuickSuite.sign(message, key)
        var note = try SignedNote(text: text)
        note.add(try witness.line(signature, time: 1_679_315_147))
        #expect(try note.verify(trusting: [witness], suite: suite).signers.map(\.time) == [1_679_315_147])
        #expect(throws: TransparencyError.unsigned) { try note.verify(trusting: [log], suite: suite) }
        var moved = try SignedNote(text: text)
        moved.add(try witness.line(signature, time: 1_679_315_148))
        #expect(throws: TransparencyError.invalidSignature) { try moved.verify(trusting: [witness], suite: suite) }
        var endless = try SignedNote(text: text)
        endless.add(
            NoteSignature(
                name: witness.name, keyID: witness.keyID,
                signature: bigEndianBytes(.max)
                    + QuickSuite.sign(SignedNote.message(for: .cosignature, text: text, time: .max), key)))
        #expect(throws: TransparencyError.invalidSignature) { try endless.verify(trusting: [witness], suite: suite) }
        #expect(throws: TransparencyError.invalidSignature) { try log.line(signature, time: 1) }
        #expect(throws: TransparencyError.invalidSignature) { try log.line(Array(signature.dropLast())) }
    }
}
