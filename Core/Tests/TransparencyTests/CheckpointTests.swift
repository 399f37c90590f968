import EllipticCurves
import Encodings
import Testing
import Transparency

@Suite("Checkpoints")
struct CheckpointTests {
    static let root = "rKbDipCvhuX1GZ7g5BBe8sA6BbJ7ja/1nk427v383cs="

    @Test(
        "a text out of form is refused",
        arguments: [
            "", "\n", "\n\n\n", "a\n", "a\n1\n", "a\n1\n\(root)", "\n1\n\(root)\n", "a\n\n\(root)\n",
            "a\n01\n\(root)\n",
            "a\n+1\n\(root)\n", "a\n-1\n\(root)\n", "a\n1 \n\(root)\n", "a\n0x1\n\(root)\n",
            "a\n9223372036854775808\n\(root)\n",
            "a\n18446744073709551616\n\(root)\n", "a\n1\n\(root.dropLast())\n", "a\n1\n\(root)=\n", "a\n1\n\(root) \n",
            "a\n1\n\n", "a\n1\nAAAA\n", "a\n1\n\(root.replacing("/", with: "_"))\n", "a\n1\n\(root)\n\n",
            "a\n1\n\(root)\n\nb\n", "a\n1\r\n\(root)\n", "a\n1\n\(root.dropLast(2))t=\n",
        ])
    func refused(text: String) {
        #expect(throws: TransparencyError.malformedCheckpoint) { try Checkpoint.parse(Bytes(text: text)) }
    }

    @Test(
        "a checkpoint is read and written",
        arguments: [
            "a\n0\n\(root)\n", "example.com/log\n9223372036854775807\n\(root)\n",
            "a b+c\n1\n\(root)\nextension\nanother\n",
        ])
    func roundTrip(text: String) throws {
        #expect(try Checkpoint.parse(Bytes(text: text)).encoded().text == text)
    }

    @Test("every checkpoint of the shared log verifies, and its tree is the one of the tiles", arguments: 0...15)
    func shared(size: Int) throws {
        let suite = PureSuite()
        let key = try NoteVerifierKey.parse(Bytes(text: Fixture.key))
        let note = try Fixture.bytes("checkpoint.\(size)")
        let verified = try VerifiedCheckpoint.verify(note, policy: LogPolicy(logKey: key), suite: suite)
        #expect(verified.checkpoint.size == UInt64(size))
        #expect(verified.note == note)
        let plan = try ProofPlan.root(of: UInt64(size))
        #expect(
            try plan.hashes(from: Fixture.Source(), suite: suite).first ?? suite.sha256([]) == verified.checkpoint.root)
        for old in 0...size {
            let earlier = try Checkpoint.parse(try SignedNote.parse(try Fixture.bytes("checkpoint.\(old)")).text)
            let proof = try ProofPlan.consistency(from: UInt64(old), to: UInt64(size))
                .hashes(from: Fixture.Source(), suite: suite)
            try verified.checkpoint.verifyExtends(earlier, proof: proof, suite: suite)
        }
        guard size > 0 else { return }
        let entries = try EntryBundle.parse(try Fixture.bytes("tile/entries/000.p/\(size)"), width: size)
        for (index, entry) in entries.enumerated() {
            let proof = try ProofPlan.inclusion(of: UInt64(index), in: UInt64(size))
                .hashes(from: Fixture.Source(), suite: suite)
            let text = try LogProof(extra: nil, index: UInt64(index), hashes: proof, checkpoint: note)
            #expect(try LogProof.parse(text.encoded()) == text)
            try MerkleTree.verifyInclusion(
                of: MerkleTree.leafHash(entry, suite: suite), at: UInt64(index), in: UInt64(size),
                root: verified.checkpoint.root, proof: proof, suite: suite)
        }
    }

    @Test(
        "an altered checkpoint of the shared log is refused",
        arguments: [
            ("\n15\n", "\n14\n"), ("example.com/log/testdata\n15", "example.com/log/testdatb\n15"),
            ("383cs=", "383cw="),
            ("74ewI=", "74ewM="), ("M9e0luh4", "M9e0luh5"),
        ])
    func altered(old: String, new: String) throws {
        let key = try NoteVerifierKey.parse(Bytes(text: Fixture.key))
        let note = try Fixture.bytes("checkpoint").text
        let forged = note.replacing(old, with: new)
        try #require(forged != note)
        #expect(throws: TransparencyError.self) {
            try VerifiedCheckpoint.verify(Bytes(text: forged), policy: LogPolicy(logKey: key), suite: PureSuite())
        }
    }

    @Test("the signed checkpoint of another log is refused, even under the same key")
    func origin() throws {
        let log = try TestLog(size: 3)
        let suite = QuickSuite()
        let foreign = try log.checkpoint(origin: Bytes(text: "evil.example/log"))
        #expect(throws: TransparencyError.wrongOrigin) {
            try VerifiedCheckpoint.verify(foreign, policy: LogPolicy(logKey: log.key), suite: suite)
        }
        let verified = try VerifiedCheckpoint.verify(
            try log.checkpoint(), policy: LogPolicy(logKey: log.key), suite: suite)
        let other = try Checkpoint.parse(try SignedNote.parse(foreign).text)
        #expect(throws: TransparencyError.wrongOrigin) {
            try verified.checkpoint.verifyExtends(other, proof: [], suite: suite)
        }
        #expect(throws: TransparencyError.malformedCheckpoint) {
            try VerifiedCheckpoint.verify(
                try log.note(Bytes(text: "pay the bearer\n")), policy: LogPolicy(logKey: log.key), suite: suite)
        }
    }

    @Test("witnesses do not stand in for the log, and are named when both sign")
    func witnesses() throws {
        let log = try TestLog(size: 3)
        let suite = QuickSuite()
        let witness = try NoteVerifierKey(
            name: Bytes(text: "witness.example"), publicKey: Bytes(repeating: 9, count: 32), algorithm: .cosignature)
        let signed = try SignedNote.parse(try log.checkpoint())
        let message = SignedNote.message(for: .cosignature, text: signed.text, time: 77)
        let line = try witness.line(QuickSuite.sign(message, witness.publicKey), time: 77)
        let policy = try LogPolicy.read(
            Bytes(text: "log \(log.key.encoded().text)\nwitness w \(witness.encoded().text)\nquorum w\n"))
        #expect(throws: TransparencyError.unwitnessed) {
            try VerifiedCheckpoint.verify(signed.encoded(), policy: policy, suite: suite)
        }
        var alone = try SignedNote(text: signed.text)
        alone.add(line)
        #expect(throws: TransparencyError.unsigned) {
            try VerifiedCheckpoint.verify(alone.encoded(), policy: policy, suite: suite)
        }
        var both = signed
        both.add(line)
        let verified = try VerifiedCheckpoint.verify(both.encoded(), policy: policy, suite: suite)
        #expect(verified.witnesses.map(\.time) == [77])
        #expect(verified.witnesses.map(\.key) == [witness])
    }
}
