public import Encodings

/// The state that a log needs to go on: the partial tile at the right of each level and the partial bundle of entries.
///
/// At most 16 KiB for each level, so that it can be copied, kept in memory and read back from the files at start. The
/// nodes above the hashes of a partial tile are kept with it: each node of the tree is hashed once.
public struct TreeState: Sendable, Equatable {
    /// The number of entries.
    public private(set) var size: UInt64
    /// For each level the partial tile at its right; empty behind a full tile.
    private var tiles: [TileNodes]
    /// The partial bundle at the right; empty behind a full one.
    public private(set) var entries: Bytes

    /// The state of the empty log.
    public init() {
        size = 0
        tiles = []
        entries = []
    }

    /// For each level the hashes of the partial tile at its right, one behind the other; empty behind a full tile.
    public var levels: [Bytes] { tiles.map { $0.tile } }

    /// The nodes of a partial tile at the right, so that a log need not hash them again for its receipts.
    ///
    /// - Returns: `nil` for any other tile.
    public func nodes(of tile: Tile) -> TileNodes? {
        guard case .hashes(let level) = tile.kind, tiles.indices.contains(level),
            tile == Tile(tile.kind, index: tile.index, inTreeOf: size), !tile.isFull
        else { return nil }
        return tiles[level]
    }

    /// Reads a state back from the files that a log of `size` entries has written: `Tile.partial(inTreeOf:)`.
    ///
    /// The entries of the partial bundle are hashed again. Whether the rest is right shows in `root(suite:)`, which
    /// must be that of the signed checkpoint.
    /// - Parameters:
    ///   - source: of the partial tiles.
    ///   - entries: the partial bundle; empty when `size` is a multiple of 256.
    /// - Throws: what the source throws, `malformedTile`, `malformedBundle`, or `wrongTile` when the entries and their
    ///   hashes differ.
    public init(
        size: UInt64, source: some TileSource, entries: Bytes, suite: some CryptoSuite
    ) throws(TransparencyError) {
        guard size <= MerkleTree.maximumSize else { throw .outOfRange }
        self.init()
        self.size = size
        self.entries = entries
        var count = size
        while count > 0 {
            let width = Int(count & 255)
            var tile: Bytes = []
            if width > 0 { tile = try source.tile(level: tiles.count, index: count >> 8, width: width) }
            guard tile.count == width * MerkleTree.hashLength else { throw .malformedTile }
            tiles.append(tile.isEmpty ? TileNodes() : try TileNodes(tile: tile, suite: suite))
            count >>= 8
        }
        var hashes: Bytes = []
        for entry in try EntryBundle.parse(entries, width: Int(size & 255)) {
            hashes.append(contentsOf: MerkleTree.leafHash(entry, suite: suite))
        }
        guard hashes == tiles.first?.tile ?? [] else {
            throw .wrongTile(Tile(unchecked: .hashes(level: 0), index: size >> 8, width: Int(size & 255)))
        }
    }

    /// The compact right edge, from the nodes of the partial tiles.
    public var edge: RightEdge {
        var hashes: [Bytes] = []
        for tile in tiles.reversed() {
            let width = tile.count
            var start = 0
            for height in (0..<8).reversed() where width & 1 << height != 0 {
                if let hash = tile.hash(height: height, index: start >> height) { hashes.append(hash) }
                start += 1 << height
            }
        }
        return RightEdge(size: size, perfectSubtrees: hashes)
    }

    /// The root of the tree; the hash of nothing for the empty tree.
    public func root(suite: some CryptoSuite) -> Bytes { edge.root(suite: suite) }

    /// Appends entries and says which files change.
    ///
    /// Files are listed level by level in the order in which their content depends on each other: bundles of entries,
    /// leaf hashes, upper levels. Full tiles never change again; partial ones are written for the new size only. The
    /// caller makes all of them durable before it signs a checkpoint of the new size.
    /// - Returns: the files to write.
    /// - Throws: `tooLarge` for an entry longer than 65,535 bytes, or too many of them; the state is then unchanged.
    public mutating func append(
        _ newEntries: [Bytes], suite: some CryptoSuite
    ) throws(TransparencyError) -> [TileContent] {
        guard newEntries.allSatisfy({ $0.count <= EntryBundle.maximumEntryLength }),
            UInt64(newEntries.count) <= MerkleTree.maximumSize - size
        else { throw .tooLarge }
        guard !newEntries.isEmpty else { return [] }
        var writes = try appendBundles(newEntries)
        var hashes: [Bytes] = []
        hashes.reserveCapacity(newEntries.count)
        for entry in newEntries { hashes.append(MerkleTree.leafHash(entry, suite: suite)) }
        var level = 0
        while !hashes.isEmpty {
            hashes = appendHashes(hashes, level: level, &writes, suite)
            level += 1
        }
        size += UInt64(newEntries.count)
        return writes
    }

    /// Appends to the bundles and lists those that change.
    private mutating func appendBundles(_ newEntries: [Bytes]) throws(TransparencyError) -> [TileContent] {
        var writes: [TileContent] = []
        var count = size
        for entry in newEntries {
            try EntryBundle.append(entry, to: &entries)
            count += 1
            if count & 255 == 0 {
                let tile = Tile(unchecked: .entries, index: count >> 8 - 1, width: Tile.fullWidth)
                writes.append(TileContent(tile: tile, bytes: entries))
                entries = []
            }
        }
        if count & 255 > 0 {
            let tile = Tile(unchecked: .entries, index: count >> 8, width: Int(count & 255))
            writes.append(TileContent(tile: tile, bytes: entries))
        }
        return writes
    }

    /// Appends hashes to one level and returns those of the tiles that became full, for the level above.
    private mutating func appendHashes(
        _ hashes: [Bytes], level: Int, _ writes: inout [TileContent], _ suite: some CryptoSuite
    ) -> [Bytes] {
        if tiles.count == level { tiles.append(TileNodes()) }
        var index = size >> UInt64(8 * level + 8)
        var above: [Bytes] = []
        for hash in hashes {
            tiles[level].append(hash, suite: suite)
            guard tiles[level].count == Tile.fullWidth, let root = tiles[level].hash(height: 8, index: 0) else {
                continue
            }
            above.append(root)
            let name = Tile(unchecked: .hashes(level: level), index: index, width: Tile.fullWidth)
            writes.append(TileContent(tile: name, bytes: tiles[level].tile))
            tiles[level] = TileNodes()
            index += 1
        }
        let width = tiles[level].count
        if width > 0 {
            let name = Tile(unchecked: .hashes(level: level), index: index, width: width)
            writes.append(TileContent(tile: name, bytes: tiles[level].tile))
        }
        return above
    }
}
