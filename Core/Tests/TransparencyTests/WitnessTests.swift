import Encodings
import Testing
import Transparency

@Suite("Witnesses")
struct WitnessTests {
    private let suite = QuickSuite()

    private func request(_ log: TestLog, from oldSize: UInt64, root: Bytes? = nil) throws -> WitnessRequest {
        try WitnessRequest(
            oldSize: oldSize, proof: try log.log.consistencyProof(from: oldSize), note: try log.checkpoint(root: root))
    }

    private func decide(_ request: WitnessRequest, _ last: Checkpoint?, _ log: TestLog) throws -> Checkpoint {
        try WitnessRules.decide(request, last: last, keys: [log.key], suite: suite)
    }

    @Test("a log that grows is signed, step by step, and at the same size again")
    func grows() throws {
        var log = try TestLog(size: 0)
        var last: Checkpoint?
        for step in [0, 1, 1, 254, 1, 300, 0, 7] {
            let size = log.log.state.size
            try log.append((0..<step).map { Bytes(text: "\(size) \($0)") })
            let next = try request(log, from: size)
            #expect(try WitnessRequest.parse(next.encoded()) == next)
            last = try decide(next, last, log)
            #expect(last?.size == log.log.state.size)
        }
    }

    @Test("a forked, a truncated and a reordered log are not signed")
    func attacks() throws {
        let honest = try TestLog(size: 300)
        let last = try decide(try request(honest, from: 0), nil, honest)

        // Forked: entry 17 was another for this witness.
        var forked = try TestLog(size: 17)
        try forked.append([Bytes(text: "another")] + (18..<300).map { Bytes(text: "entry \($0)") })
        #expect(throws: WitnessRefusal.forked(size: 300)) { try decide(try request(forked, from: 300), last, honest) }
        try forked.append([Bytes(text: "more")])
        #expect(throws: WitnessRefusal.inconsistent) { try decide(try request(forked, from: 300), last, honest) }

        // Truncated: it ends earlier, regardless of the old size that it states.
        let short = try TestLog(size: 299)
        #expect(throws: WitnessRefusal.otherSize(300)) { try decide(try request(short, from: 0), last, honest) }
        #expect(throws: WitnessRefusal.otherSize(300)) { try decide(try request(short, from: 299), last, honest) }
        #expect(throws: WitnessRefusal.olderThanOld) {
            try decide(try WitnessRequest(oldSize: 300, proof: [], note: try short.checkpoint()), last, honest)
        }

        // Reordered: two entries have changed places, and it has grown since.
        var entries = (0..<300).map { Bytes(text: "entry \($0)") }
        entries.swapAt(3, 200)
        var reordered = try TestLog(size: 0)
        try reordered.append(entries + [Bytes(text: "entry 300")])
        #expect(throws: WitnessRefusal.inconsistent) { try decide(try request(reordered, from: 300), last, honest) }

        // What follows the honest tree still is.
        var grown = honest
        try grown.append([Bytes(text: "entry 300")])
        #expect(try decide(try request(grown, from: 300), last, honest).size == 301)
    }

    @Test("what the log did not sign is not signed, whoever else did")
    func unsigned() throws {
        let log = try TestLog(size: 5)
        let good = try request(log, from: 0)
        let stranger = try NoteVerifierKey(name: TestLog.origin, publicKey: Bytes(repeating: 8, count: 32))
        let elsewhere = try NoteVerifierKey(name: Bytes(text: "other/log"), publicKey: log.key.publicKey)
        for keys in [[], [stranger], [elsewhere]] {
            #expect(throws: WitnessRefusal.unsigned) {
                try WitnessRules.decide(good, last: nil, keys: keys, suite: suite)
            }
        }
        let text = try SignedNote.parse(good.note).text
        var bare = try SignedNote(text: text)
        bare.add(try stranger.line(QuickSuite.sign(text, stranger.publicKey)))
        #expect(throws: WitnessRefusal.unsigned) {
            try decide(try WitnessRequest(oldSize: 0, proof: [], note: bare.encoded()), nil, log)
        }
        // A second key of the log, and a stranger beside the log, do no harm.
        var both = try SignedNote.parse(good.note)
        both.add(try stranger.line(QuickSuite.sign(text, stranger.publicKey)))
        let request = try WitnessRequest(oldSize: 0, proof: [], note: both.encoded())
        #expect(try WitnessRules.decide(request, last: nil, keys: [stranger, log.key], suite: suite).size == 5)
    }

    @Test("proofs that do not prove are refused")
    func badProofs() throws {
        var log = try TestLog(size: 100)
        let last = try decide(try request(log, from: 0), nil, log)
        try log.append((0..<50).map { Bytes(text: "more \($0)") })
        let good = try request(log, from: 100)
        for proof in [[], Array(good.proof.dropLast()), good.proof + [good.proof[0]], good.proof.reversed()] {
            let bad = try WitnessRequest(oldSize: 100, proof: proof, note: good.note)
            #expect(throws: WitnessRefusal.inconsistent) { try decide(bad, last, log) }
        }
        // A proof from nothing must be empty.
        let padded = try WitnessRequest(oldSize: 0, proof: good.proof, note: good.note)
        #expect(throws: WitnessRefusal.inconsistent) { try decide(padded, nil, log) }
        // An empty tree has one root only.
        let hollow = try Checkpoint(origin: TestLog.origin, size: 0, root: Bytes(repeating: 1, count: 32)).encoded()
        #expect(throws: WitnessRefusal.inconsistent) {
            try decide(try WitnessRequest(oldSize: 0, proof: [], note: try log.note(hollow)), nil, log)
        }
    }

    @Test(
        "a body out of form is refused",
        arguments: [
            ("", ""), ("old 1\n", "old 01\n"), ("old 1\n", "old  1\n"), ("old 1\n", "Old 1\n"),
            ("old 1\n", "old -1\n"), ("old 1\n", "old 9223372036854775808\n"), ("old 1\n", "old 1\r\n"),
            ("old 1\n", "old 1\nAAAA\n"), ("old 1\n", "old 1\n\n"), ("old 1\n", "\nold 1\n"),
            ("old 1\n", "old 1\n" + String(repeating: "\(CheckpointTests.root)\n", count: 64)),
        ])
    func malformed(what: String, with: String) throws {
        let log = try TestLog(size: 1)
        let body = try request(log, from: 1).encoded().text
        let changed = what.isEmpty ? with : body.replacing(what, with: with)
        #expect(throws: TransparencyError.self) { try WitnessRequest.parse(Bytes(text: changed)) }
    }

    @Test("of an answer only the witness's own good line is taken")
    func answers() throws {
        let log = try TestLog(size: 4)
        let text = try SignedNote.parse(try log.checkpoint()).text
        let witness = try LogPolicyTests.key(1)
        let other = try LogPolicyTests.key(2)
        func line(_ key: NoteVerifierKey, time: Int64, over text: Bytes) throws -> Bytes {
            var note = try SignedNote(text: text)
            let message = SignedNote.message(for: .cosignature, text: text, time: UInt64(time))
            note.add(try key.line(QuickSuite.sign(message, key.publicKey), time: time))
            return Array(note.encoded().dropFirst(text.count + 1))
        }
        let good = try line(witness, time: 9, over: text)
        let foreign = try line(other, time: 9, over: text)
        let found = try WitnessAnswer.cosignature(in: foreign + good, by: witness, over: text, suite: suite)
        #expect(found.time == 9)
        #expect(found.line.name == witness.name)
        #expect(throws: TransparencyError.unsigned) {
            try WitnessAnswer.cosignature(in: foreign, by: witness, over: text, suite: suite)
        }
        let elsewhere = try line(witness, time: 9, over: text.flipped(at: 0))
        #expect(throws: TransparencyError.invalidSignature) {
            try WitnessAnswer.cosignature(in: elsewhere, by: witness, over: text, suite: suite)
        }
        // An answer cannot bring a text of its own.
        let smuggled = Bytes(text: "x\n\n") + good
        #expect(throws: TransparencyError.malformedNote) {
            try WitnessAnswer.cosignature(in: smuggled, by: witness, over: text, suite: suite)
        }
        for answer in [Bytes(text: ""), Bytes(text: "\n"), Bytes(text: "hello\n"), Array(good.dropLast())] {
            #expect(throws: TransparencyError.self) {
                try WitnessAnswer.cosignature(in: answer, by: witness, over: text, suite: suite)
            }
        }
    }
}
