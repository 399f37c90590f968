import EllipticCurves
import Encodings
import Testing
import Transparency

@Suite("Auditing a log")
struct TreeAuditorTests {
    /// Everything that a caller does around the auditor: feeds bundles and compares files.
    static func audit<Suite: CryptoSuite>(
        _ auditor: inout TreeAuditor, to checkpoint: Checkpoint, suite: Suite, file: (Tile) -> Bytes?
    ) throws -> [Bytes] {
        var entries: [Bytes] = []
        var expected: [TileContent] = []
        while let bundle = auditor.nextBundle(inTreeOf: checkpoint.size) {
            guard let bytes = file(bundle) else { throw TransparencyError.missing(bundle) }
            let step = try auditor.add(bundle, bytes, suite: suite)
            entries += step.entries
            expected += step.tiles
        }
        expected += try auditor.finish(checkpoint, suite: suite)
        for content in expected where file(content.tile) != content.bytes {
            throw TransparencyError.wrongTile(content.tile)
        }
        return entries
    }

    @Test("the shared log is what its checkpoints say", arguments: [0, 1, 8, 15])
    func shared(size: Int) throws {
        let suite = PureSuite()
        let checkpoints = try (0...15).map {
            try Checkpoint.parse(try SignedNote.parse(try Fixture.bytes("checkpoint.\($0)")).text)
        }
        var auditor = TreeAuditor(earlier: Array(checkpoints[...size]))
        let entries = try Self.audit(&auditor, to: checkpoints[size], suite: suite) { try? Fixture.bytes($0.path) }
        #expect(entries.count == size)
        #expect(size == 0 || entries[0].text == "one")
        // Going on from there to the end sees the rest only.
        var next = TreeAuditor(resuming: auditor.state, earlier: checkpoints)
        let rest = try Self.audit(&next, to: checkpoints[15], suite: suite) { try? Fixture.bytes($0.path) }
        #expect(rest.count == 15 - size)
    }

    let suite = MixingSuite()

    private func checkpoint(_ log: MemoryLog<MixingSuite>) throws -> Checkpoint {
        try Checkpoint(origin: [0x61], size: log.state.size, root: log.state.root(suite: suite))
    }

    @Test("a whole log passes, from any point on", arguments: [0, 1, 255, 256, 300, 600, 1000])
    func passes(first: Int) throws {
        var log = try MemoryLog(size: first, suite: suite)
        let earlier = try checkpoint(log)
        var auditor = TreeAuditor()
        #expect(try Self.audit(&auditor, to: earlier, suite: suite) { log.files[$0.path] } == log.entries)
        try log.append((0..<700).map { Bytes(text: "more \($0)") })
        var next = TreeAuditor(resuming: auditor.state, earlier: [earlier])
        let rest = try Self.audit(&next, to: try checkpoint(log), suite: suite) { log.files[$0.path] }
        #expect(rest == Array(log.entries.dropFirst(first)))
        #expect(next.state == log.state)
        var whole = TreeAuditor(earlier: [earlier])
        #expect(try Self.audit(&whole, to: try checkpoint(log), suite: suite) { log.files[$0.path] } == log.entries)
    }

    @Test(
        "a file with one byte changed is found",
        arguments: [
            "tile/entries/000", "tile/entries/002.p/88", "tile/0/000", "tile/0/001", "tile/0/002.p/88",
            "tile/1/000.p/2",
        ])
    func changedFile(path: String) throws {
        let log = try MemoryLog(size: 600, batch: 600, suite: suite)
        let bytes = try #require(log.files[path])
        for index in [0, bytes.count / 2, bytes.count - 1] {
            var auditor = TreeAuditor()
            #expect(throws: TransparencyError.self, "byte \(index)") {
                try Self.audit(&auditor, to: try checkpoint(log), suite: suite) {
                    $0.path == path ? bytes.flipped(at: index) : log.files[$0.path]
                }
            }
        }
        var auditor = TreeAuditor()
        #expect(throws: TransparencyError.self) {
            try Self.audit(&auditor, to: try checkpoint(log), suite: suite) {
                $0.path == path ? nil : log.files[$0.path]
            }
        }
    }

    @Test("a history rewritten since an earlier checkpoint is found, even when all files agree", arguments: [0, 99])
    func rewritten(index: Int) throws {
        let honest = try MemoryLog(size: 100, suite: suite)
        var entries = honest.entries + (0..<200).map { Bytes(text: "more \($0)") }
        entries[index] = Bytes(text: "something else")
        var forged = try MemoryLog(size: 0, suite: suite)
        try forged.append(entries)
        var auditor = TreeAuditor(earlier: [try checkpoint(honest)])
        #expect(throws: TransparencyError.inconsistent) {
            try Self.audit(&auditor, to: try checkpoint(forged), suite: suite) { forged.files[$0.path] }
        }
        var seen = TreeAuditor()
        _ = try Self.audit(&seen, to: try checkpoint(honest), suite: suite) { honest.files[$0.path] }
        var resumed = TreeAuditor(resuming: seen.state)
        #expect(throws: TransparencyError.self) {
            try Self.audit(&resumed, to: try checkpoint(forged), suite: suite) { forged.files[$0.path] }
        }
    }

    @Test("a log that has become shorter, or a checkpoint with another root, is found")
    func shorter() throws {
        let log = try MemoryLog(size: 300, suite: suite)
        let short = try MemoryLog(size: 200, suite: suite)
        var auditor = TreeAuditor(earlier: [try checkpoint(log)])
        #expect(throws: TransparencyError.inconsistent) {
            try Self.audit(&auditor, to: try checkpoint(short), suite: suite) { short.files[$0.path] }
        }
        var other = TreeAuditor()
        let wrong = try Checkpoint(origin: [0x61], size: 200, root: Bytes(repeating: 1, count: 32))
        #expect(throws: TransparencyError.wrongRoot) {
            try Self.audit(&other, to: wrong, suite: suite) { short.files[$0.path] }
        }
        #expect(throws: TransparencyError.outOfRange) { try other.finish(try checkpoint(log), suite: suite) }
        let elsewhere = try #require(Tile(.entries, index: 5, width: 1))
        #expect(throws: TransparencyError.outOfRange) { try other.add(elsewhere, [0, 0], suite: suite) }
    }
}
