import Encodings
import Testing
import Transparency

@Suite("Appending to a log")
struct TreeStateTests {
    let suite = MixingSuite()

    @Test(
        "a bundle that does not hold what its name says is refused",
        arguments: [
            ([], 1), ([0], 1), ([0, 1], 1), ([0, 0], 0), ([0, 0], 2), ([0, 2, 1], 1), ([0, 0, 0], 1),
            ([0, 1, 1, 0], 1),
            ([255, 255, 1], 1),
        ] as [(Bytes, Int)])
    func malformedBundle(bytes: Bytes, width: Int) {
        #expect(throws: TransparencyError.malformedBundle) { try EntryBundle.parse(bytes, width: width) }
    }

    @Test("a bundle gives back its entries")
    func bundle() throws {
        let entries = [Bytes(), [1], Bytes(repeating: 7, count: 65_535)]
        let bytes = try EntryBundle.encode(entries)
        #expect(try EntryBundle.parse(bytes, width: 3) == entries)
        #expect(throws: TransparencyError.tooLarge) { try EntryBundle.encode([Bytes(repeating: 7, count: 65_536)]) }
    }

    @Test("however the entries are batched, tree and files are the same", arguments: [1, 3, 255, 256, 257, 600])
    func batches(batch: Int) throws {
        let reference = try MemoryLog(size: 600, batch: 600, suite: suite)
        let log = try MemoryLog(size: 600, batch: batch, suite: suite)
        #expect(log.state == reference.state)
        for (path, bytes) in reference.files { #expect(log.files[path] == bytes, "\(path)") }
        #expect(log.state.root(suite: suite) == MerkleTree.root(of: log.leafHashes, suite: suite))
    }

    @Test("the nodes of the tiles at the right are those that are hashed anew", arguments: [1, 2, 255, 256, 257, 600])
    func nodes(size: Int) throws {
        let log = try MemoryLog(size: size, batch: 7, suite: suite)
        for tile in Tile.partial(inTreeOf: UInt64(size)) where tile.kind != .entries {
            let bytes = try #require(log.files[tile.path])
            let anew = try TileNodes(tile: bytes, suite: suite)
            #expect(log.state.nodes(of: tile) == anew)
        }
        let others = [
            Tile(.hashes(level: 0), index: 9, width: 3), Tile(.entries, index: 0), Tile(.hashes(level: 0), index: 0),
        ]
        for other in others {
            let tile = try #require(other)
            #expect(log.state.nodes(of: tile) == nil)
        }
    }

    @Test("only the files that change are written")
    func writes() throws {
        var log = try MemoryLog(size: 255, suite: suite)
        #expect(try log.state.append([], suite: suite).isEmpty)
        let writes = try log.state.append([[1], [2]], suite: suite)
        #expect(
            writes.map(\.tile.path) == [
                "tile/entries/000", "tile/entries/001.p/1", "tile/0/000", "tile/0/001.p/1", "tile/1/000.p/1",
            ])
        #expect(
            try log.state.append([[3]], suite: suite).map(\.tile.path) == ["tile/entries/001.p/2", "tile/0/001.p/2"])
    }

    @Test("an entry too long leaves the state as it was")
    func tooLong() throws {
        var log = try MemoryLog(size: 255, suite: suite)
        let before = log.state
        #expect(throws: TransparencyError.tooLarge) {
            try log.append([[1], [2], Bytes(repeating: 0, count: 65_536)])
        }
        #expect(log.state == before)
    }

    @Test("the state is read back from the files", arguments: [0, 1, 255, 256, 257, 512, 600, 65_536, 65_537])
    func restored(size: Int) throws {
        var log = try MemoryLog(size: size, batch: 5000, suite: suite)
        let partial = Tile.partial(inTreeOf: UInt64(size))
        let bundle = partial.first.flatMap { $0.kind == .entries ? log.files[$0.path] : nil } ?? []
        var state = try TreeState(size: UInt64(size), source: log, entries: bundle, suite: suite)
        #expect(state == log.state)
        let writes = try state.append([[1]], suite: suite)
        #expect(try log.state.append([[1]], suite: suite) == writes)
        if size % 256 > 0 {
            #expect(throws: (any Error).self) {
                try TreeState(size: UInt64(size), source: log, entries: [], suite: suite)
            }
            #expect(throws: TransparencyError.self) {
                try TreeState(
                    size: UInt64(size), source: log, entries: bundle.flipped(at: bundle.count - 1), suite: suite)
            }
        } else {
            #expect(throws: TransparencyError.malformedBundle) {
                try TreeState(size: UInt64(size), source: log, entries: [0, 0], suite: suite)
            }
        }
    }
}
