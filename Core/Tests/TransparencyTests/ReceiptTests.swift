import EllipticCurves
import Encodings
import Testing
import Transparency

@Suite("Entries and receipts")
struct ReceiptTests {
    static let zeros = "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
    static let opening = Bytes(repeating: 3, count: 32)
    static let record = JSON.members([
        ("credential", .text(zeros)), ("status_index", .integer(17)), ("type", .text("document.issued")),
    ])
    let suite = QuickSuite()

    static func entry(_ record: JSON = ReceiptTests.record) throws -> LogEntry {
        try LogEntry(
            type: Bytes(text: "document.issued"), time: 1_790_000_000,
            label: LogEntry.label(account: Bytes(text: "account"), secret: Bytes(text: "secret")),
            commitment: LogEntry.commitment(record: record, opening: opening))
    }

    @Test(
        "an entry that is not ours to the letter is refused",
        arguments: [
            "", "{}", "[]", "null",
            #"{"commitment":"\#(zeros)","label":"\#(zeros)","time":1,"type":"a"}"#,
            #"{"commitment":"\#(zeros)","label":"\#(zeros)","time":1,"type":"a","v":2}"#,
            #"{"commitment":"\#(zeros)","label":"\#(zeros)","time":1,"type":"a","v":"1"}"#,
            #"{"commitment":"\#(zeros)","label":"\#(zeros)","time":1,"type":"a","v":1,"x":1}"#,
            #"{"commitment":"\#(zeros)","extra":1,"label":"\#(zeros)","time":1,"type":"a","v":1}"#,
            #"{"commitment":"\#(zeros)","label":"\#(zeros)","time":-1,"type":"a","v":1}"#,
            #"{"commitment":"\#(zeros)","label":"\#(zeros)","time":1.0,"type":"a","v":1}"#,
            #"{"commitment":"\#(zeros)","label":"\#(zeros)","time":1e3,"type":"a","v":1}"#,
            #"{"commitment":"\#(zeros)","label":"\#(zeros)","time":1,"type":"","v":1}"#,
            #"{"commitment":"\#(zeros)","label":"\#(zeros)","time":1,"type":"A","v":1}"#,
            #"{"commitment":"\#(zeros)","label":"\#(zeros)","time":1,"type":"Anna Maria","v":1}"#,
            #"{"commitment":"\#(zeros)","label":"\#(zeros)","time":1,"type":null,"v":1}"#,
            #"{"commitment":"\#(zeros)=","label":"\#(zeros)","time":1,"type":"a","v":1}"#,
            #"{"commitment":"AAAA","label":"\#(zeros)","time":1,"type":"a","v":1}"#,
            #"{"commitment":"\#(zeros)","label":"AAAA","time":1,"type":"a","v":1}"#,
            #"{"commitment":"\#(zeros)","label":"\#(zeros.dropLast())B","time":1,"type":"a","v":1}"#,
            #"{"v":1,"type":"a","time":1,"label":"\#(zeros)","commitment":"\#(zeros)"}"#,
            #"{"commitment":"\#(zeros)", "label":"\#(zeros)","time":1,"type":"a","v":1}"#,
            #"{"commitment":"\#(zeros)","label":"\#(zeros)","time":1,"type":"\u0061","v":1}"#,
            #"{"commitment":"\#(zeros)","label":"\#(zeros)","time":1,"type":"a","type":"a","v":1}"#,
            #"{"commitment":"\#(zeros)","label":"\#(zeros)","time":1,"type":"a","v":1} "#,
        ])
    func refusedEntries(text: String) {
        #expect(throws: TransparencyError.malformedEntry) { try LogEntry.parse(Bytes(text: text)) }
    }

    @Test("an entry is read and written")
    func entries() throws {
        let text = #"{"commitment":"\#(Self.zeros)","label":"\#(Self.zeros)","time":1,"type":"a.b_c-1","v":1}"#
        #expect(try LogEntry.parse(Bytes(text: text)).encoded().text == text)
        #expect(throws: TransparencyError.tooLarge) { try LogEntry.parse(Bytes(repeating: 0x20, count: 1025)) }
        #expect(throws: TransparencyError.malformedEntry) {
            try LogEntry(
                type: Bytes(repeating: 0x61, count: 65), time: 0, label: Self.opening, commitment: Self.opening)
        }
        let longest = try LogEntry(
            type: Bytes(repeating: 0x61, count: 64), time: JSON.safeInteger, label: Self.opening,
            commitment: Self.opening)
        #expect(longest.encoded().count <= LogEntry.maximumLength)
    }

    @Test("the order of a record's members does not matter to its commitment, everything else does")
    func commitments() throws {
        let commitment = try LogEntry.commitment(record: Self.record, opening: Self.opening)
        let members = try #require(Self.record.members)
        #expect(try LogEntry.commitment(record: .object(members.reversed()), opening: Self.opening) == commitment)
        #expect(try LogEntry.commitment(record: Self.record, opening: Self.opening.flipped(at: 0)) != commitment)
        #expect(
            try LogEntry.commitment(record: .object(Array(members.dropLast())), opening: Self.opening) != commitment)
        for record: JSON in [.null, .array([]), .text("a"), .members([("a", .decimal(Bytes(text: "1.5")))])] {
            #expect(throws: TransparencyError.malformedReceipt) {
                try LogEntry.commitment(record: record, opening: Self.opening)
            }
        }
        #expect(throws: TransparencyError.malformedReceipt) {
            try LogEntry.commitment(record: Self.record, opening: Array(Self.opening.dropLast()))
        }
    }

    @Test(
        "extra data that is not ours to the letter is refused",
        arguments: [
            "", "{}", #"{"entry":"AA","opening":"AA"}"#, #"{"entry":"AA","opening":"AA","record":1}"#,
            #"{"entry":"AA","opening":"AA","record":{},"x":1}"#, #"{"opening":"AA","entry":"AA","record":{}}"#,
            #"{"entry":"AA==","opening":"AA","record":{}}"#, #"{"entry":"AA","opening":"AA","record":{"b":1,"a":1}}"#,
            #"{"entry":"AA","opening":"AA","record":{"a":1.5}}"#,
            #"{"entry":"AA","opening":"AA","record":{"a":1,"a":1}}"#,
            #"{"entry":"AA","opening":"AA","record":{"a":[[[[[[[[[1]]]]]]]]]}}"#,
        ])
    func refusedExtra(text: String) {
        #expect(throws: TransparencyError.malformedReceipt) { try ReceiptExtra.parse(Bytes(text: text)) }
    }

    /// A log of 300 entries in which ours is number `index`, and the receipt for it.
    private func receipt(at index: Int = 258) throws -> (log: TestLog, receipt: Bytes) {
        var log = try TestLog(size: index)
        let entry = try Self.entry().encoded()
        try log.append([entry])
        try log.append((index + 1..<300).map { Bytes(text: "entry \($0)") })
        let extra = ReceiptExtra(entry: entry, opening: Self.opening, record: Self.record)
        let text = try Receipt.build(
            extra: extra, index: UInt64(index), hashes: try log.log.inclusionProof(UInt64(index)),
            checkpoint: try log.checkpoint())
        return (log, text)
    }

    @Test("a receipt proves its record", arguments: [0, 1, 255, 256, 299])
    func accepted(index: Int) throws {
        let (log, text) = try receipt(at: index)
        let verified = try Receipt.verify(text, policy: LogPolicy(logKey: log.key), suite: suite)
        #expect(verified.entry == (try Self.entry()))
        #expect(verified.record == Self.record)
        #expect(verified.index == UInt64(index))
        #expect(verified.checkpoint.checkpoint.size == 300)
    }

    @Test("a receipt with a real signature, which other programs accept, is accepted")
    func golden() throws {
        let text = try Fixture.bytes("256.tlog-proof", in: "receipt")
        let key = try NoteVerifierKey.parse(try Fixture.bytes("log.vkey", in: "receipt"))
        let verified = try Receipt.verify(text, policy: LogPolicy(logKey: key), suite: PureSuite())
        #expect(verified.index == 256)
        #expect(verified.checkpoint.checkpoint.size == 3000)
        #expect(verified.record["status_index"]?.integer == 256)
        #expect(try LogProof.parse(text).encoded() == text)
        let other = try NoteVerifierKey.parse(Bytes(text: Fixture.key))
        #expect(throws: TransparencyError.unsigned) {
            try Receipt.verify(text, policy: LogPolicy(logKey: other), suite: PureSuite())
        }
    }

    @Test("a receipt with one part exchanged is refused for the right reason")
    func forged() throws {
        let (log, text) = try receipt()
        let proof = try LogProof.parse(text)
        let extra = try ReceiptExtra.parse(try #require(proof.extra))
        func expect(
            _ error: TransparencyError, extra newExtra: ReceiptExtra? = nil, index: UInt64? = nil,
            hashes: [Bytes]? = nil, checkpoint: Bytes? = nil, key: NoteVerifierKey? = nil
        ) throws {
            let forged = try LogProof(
                extra: try (newExtra ?? extra).encoded(), index: index ?? proof.index, hashes: hashes ?? proof.hashes,
                checkpoint: checkpoint ?? proof.checkpoint)
            #expect(throws: error) {
                try Receipt.verify(forged.encoded(), policy: LogPolicy(logKey: key ?? log.key), suite: suite)
            }
        }
        let otherRecord = JSON.members([("credential", .text("other"))])
        try expect(
            .wrongCommitment, extra: ReceiptExtra(entry: extra.entry, opening: extra.opening, record: otherRecord))
        try expect(
            .wrongCommitment,
            extra: ReceiptExtra(entry: extra.entry, opening: extra.opening.flipped(at: 5), record: extra.record))
        let unlogged = ReceiptExtra(
            entry: try Self.entry(otherRecord).encoded(), opening: Self.opening, record: otherRecord)
        try expect(.invalidProof, extra: unlogged)
        try expect(
            .malformedEntry, extra: ReceiptExtra(entry: [0x7B, 0x7D], opening: extra.opening, record: extra.record))
        try expect(
            .malformedReceipt, extra: ReceiptExtra(entry: extra.entry, opening: [1], record: extra.record))
        try expect(.invalidProof, index: proof.index + 1)
        try expect(.outOfRange, index: 300)
        try expect(.invalidProof, hashes: Array(proof.hashes.dropLast()))
        try expect(.invalidProof, hashes: proof.hashes.reversed())
        try expect(
            .invalidProof, checkpoint: try log.checkpoint(root: Bytes(repeating: 0, count: 32)))
        try expect(.wrongOrigin, checkpoint: try log.checkpoint(origin: Bytes(text: "evil.example/log")))
        let text2 = proof.checkpoint.text.replacing("\n300\n", with: "\n301\n")
        try expect(.invalidSignature, checkpoint: Bytes(text: text2))
        try expect(
            .unsigned, key: try NoteVerifierKey(name: TestLog.origin, publicKey: Bytes(repeating: 8, count: 32)))
        try expect(
            .unsigned, key: try NoteVerifierKey(name: Bytes(text: "localhost:8081/log"), publicKey: log.key.publicKey))
        let bare = try LogProof(extra: nil, index: proof.index, hashes: proof.hashes, checkpoint: proof.checkpoint)
        #expect(throws: TransparencyError.malformedReceipt) {
            try Receipt.verify(bare.encoded(), policy: LogPolicy(logKey: log.key), suite: suite)
        }
    }

    @Test("a receipt cut anywhere, or with any byte changed, is refused")
    func everyByte() throws {
        let (log, text) = try receipt()
        for end in stride(from: 0, to: text.count, by: 7) {
            #expect(throws: TransparencyError.self) {
                try Receipt.verify(Array(text[..<end]), policy: LogPolicy(logKey: log.key), suite: suite)
            }
        }
        for index in text.indices {
            #expect(throws: TransparencyError.self, "byte \(index)") {
                try Receipt.verify(text.flipped(at: index), policy: LogPolicy(logKey: log.key), suite: suite)
            }
        }
    }

    @Test("a receipt is not built from parts that do not belong together")
    func build() throws {
        let extra = ReceiptExtra(entry: try Self.entry().encoded(), opening: Self.opening, record: .object([]))
        #expect(throws: TransparencyError.wrongCommitment) {
            try Receipt.build(extra: extra, index: 0, hashes: [], checkpoint: [])
        }
        let large = ReceiptExtra(
            entry: extra.entry, opening: Self.opening,
            record: .members([("a", .string(Bytes(repeating: 0x61, count: ReceiptExtra.maximumLength)))]))
        #expect(throws: TransparencyError.tooLarge) { try large.encoded() }
        #expect(throws: TransparencyError.tooLarge) {
            try ReceiptExtra.parse(Bytes(repeating: 0x20, count: ReceiptExtra.maximumLength + 1))
        }
    }
}
