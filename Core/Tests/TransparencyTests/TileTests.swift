import Encodings
import Testing
import Transparency

@Suite("Tiles")
struct TileTests {
    @Test(
        "a path that is not spelled the one way is refused",
        arguments: [
            "", "tile", "tile/", "tile/0", "tile/0/", "tile/0/0", "tile/0/00", "tile/0/0000", "tile/0/x000/001",
            "tile/0/x001", "tile/0/001/002", "tile/0/x001/x002", "tile/0/X001/002", "tile/0/x01/002", "tile/0/001/",
            "/tile/0/001", "tile//0/001", "tile/00/001", "tile/64/001", "tile/-1/001", "tile/+1/001", "tile/a/001",
            "tile/data/001", "tile/Entries/001", "tile/8/0/001", "tile/0/001.p/0", "tile/0/001.p/256",
            "tile/0/001.p/08",
            "tile/0/001.p/", "tile/0/001.p", "tile/0/001.p/1/", "tile/0/001/.p/1", "tile/0/001.p/-1", "tile/0/.p/1",
            "tile/0/x001.p/067/1", "tile/0/..", "tile/0/../001", "tile/0/0 1", "tile/0/001\n", "tile/0/001.p/1.p/1",
            "tile/0/x018/x446/x744/x073/x709/x551/616", "tile/0/x999/x999/x999/x999/x999/x999/x999/x999/x999/999",
            "tile/0/００１",
        ])
    func refusedPaths(path: String) {
        #expect(throws: TransparencyError.malformedPath) { try Tile.parse(Bytes(text: path)) }
    }

    @Test(
        "a path names a tile and a tile its path",
        arguments: [
            ("tile/0/000", Tile.Kind.hashes(level: 0), 0, 256),
            ("tile/0/067.p/8", .hashes(level: 0), 67, 8),
            ("tile/3/x001/x234/067", .hashes(level: 3), 1_234_067, 256),
            ("tile/63/x001/000.p/255", .hashes(level: 63), 1000, 255),
            ("tile/entries/x273/001.p/1", .entries, 273_001, 1),
            ("tile/0/x018/x446/x744/x073/x709/x551/615", .hashes(level: 0), UInt64.max, 256),
        ])
    func paths(path: String, kind: Tile.Kind, index: UInt64, width: Int) throws {
        let tile = try Tile.parse(Bytes(text: path))
        #expect(tile == Tile(kind, index: index, width: width))
        #expect(tile.path == path)
    }

    @Test(
        "a tile out of range does not exist",
        arguments: [
            (Tile.Kind.entries, 0), (.entries, 257), (.entries, -1), (.hashes(level: 64), 1), (.hashes(level: -1), 1),
        ])
    func impossible(kind: Tile.Kind, width: Int) {
        #expect(Tile(kind, index: 0, width: width) == nil)
    }

    @Test("a tree of 70,000 entries has the tiles of the document's example")
    func example() throws {
        let log = try MemoryLog(size: 70_000, batch: 70_000, suite: MixingSuite())
        func count(_ prefix: String, partial: Bool) -> [String] {
            log.files.keys.filter { $0.hasPrefix(prefix) && $0.contains(".p/") == partial }
        }
        #expect(count("tile/0/", partial: false).count == 273)
        #expect(count("tile/0/", partial: true) == ["tile/0/273.p/112"])
        #expect(count("tile/1/", partial: false) == ["tile/1/000"])
        #expect(count("tile/1/", partial: true) == ["tile/1/001.p/17"])
        #expect(count("tile/2/", partial: false).isEmpty)
        #expect(count("tile/2/", partial: true) == ["tile/2/000.p/1"])
        #expect(count("tile/3/", partial: true).isEmpty)
        #expect(
            Tile.partial(inTreeOf: 70_000).map(\.path) == [
                "tile/entries/273.p/112", "tile/0/273.p/112", "tile/1/001.p/17", "tile/2/000.p/1",
            ])
        let hashes = log.leafHashes
        #expect(MerkleTree.root(of: hashes, suite: log.suite) == log.state.root(suite: log.suite))
        for index: UInt64 in [0, 255, 256, 65_535, 65_536, 69_887, 69_888, 69_999] {
            let plan = try ProofPlan.inclusion(of: index, in: 70_000)
            #expect(plan.tiles.count <= 5)
            try MerkleTree.verifyInclusion(
                of: hashes[Int(index)], at: index, in: 70_000, root: log.state.root(suite: log.suite),
                proof: try plan.hashes(from: log, suite: log.suite), suite: log.suite)
        }
        for size: UInt64 in [1, 255, 256, 257, 65_535, 65_536, 65_537, 69_999] {
            try MerkleTree.verifyConsistency(
                from: size, oldRoot: MerkleTree.root(of: Array(hashes.prefix(Int(size))), suite: log.suite),
                to: 70_000, newRoot: log.state.root(suite: log.suite),
                proof: try log.consistencyProof(from: size), suite: log.suite)
        }
        #expect(
            try ProofPlan.root(of: 70_000).hashes(from: log, suite: log.suite) == [log.state.root(suite: log.suite)])
    }

    @Test(
        "a tile is as wide as the tree makes it",
        arguments: [
            (0, 0, 1, 1), (0, 0, 256, 256), (1, 0, 256, 1), (0, 1, 257, 1), (1, 0, 70_000, 256), (1, 1, 70_000, 17),
        ])
    func widths(level: Int, index: UInt64, size: UInt64, width: Int) {
        #expect(Tile(.hashes(level: level), index: index, inTreeOf: size)?.width == width)
    }

    @Test(
        "a tree has no tiles behind its end",
        arguments: [
            (0, 0, 0), (1, 0, 255), (0, 1, 256), (0, 2, 300), (8, 0, 300), (-1, 0, 300), (64, 0, 300),
        ])
    func noTile(level: Int, index: UInt64, size: UInt64) {
        #expect(Tile(.hashes(level: level), index: index, inTreeOf: size) == nil)
    }

    @Test("a proof is built from exactly the tiles that its plan lists", arguments: [(0, 300), (299, 300), (255, 300)])
    func plannedTiles(index: UInt64, size: UInt64) throws {
        let log = try MemoryLog(size: Int(size), suite: MixingSuite())
        let plan = try ProofPlan.inclusion(of: index, in: size)
        let tiles = plan.tiles
        var fetched = FetchedTiles()
        for (number, tile) in tiles.enumerated() {
            #expect(throws: TransparencyError.missing(tiles[number])) {
                try plan.hashes(from: fetched, suite: log.suite)
            }
            try fetched.add(tile, try #require(log.files[tile.path]))
        }
        #expect(try plan.hashes(from: fetched, suite: log.suite) == log.inclusionProof(index))
    }

    @Test("a full tile serves where a partial one is gone, a narrower or cut one does not")
    func widerTile() throws {
        let log = try MemoryLog(size: 256, suite: MixingSuite())
        let plan = try ProofPlan.inclusion(of: 3, in: 100)
        let full = try #require(Tile(.hashes(level: 0), index: 0))
        let bytes = try #require(log.files[full.path])
        var fetched = FetchedTiles()
        let narrow = try #require(Tile(.hashes(level: 0), index: 0, width: 99))
        try fetched.add(narrow, Array(bytes.prefix(99 * 32)))
        #expect(throws: TransparencyError.missing(plan.tiles[0])) { try plan.hashes(from: fetched, suite: log.suite) }
        #expect(throws: TransparencyError.malformedTile) { try fetched.add(full, Array(bytes.dropLast())) }
        let bundle = try #require(Tile(.entries, index: 0, width: 1))
        #expect(throws: TransparencyError.malformedTile) { try fetched.add(bundle, Array(bytes.prefix(32))) }
        try fetched.add(full, bytes)
        let proof = try plan.hashes(from: fetched, suite: log.suite)
        try MerkleTree.verifyInclusion(
            of: log.leafHashes[3], at: 3, in: 100,
            root: MerkleTree.root(of: Array(log.leafHashes.prefix(100)), suite: log.suite), proof: proof,
            suite: log.suite)
    }
}
