public import Encodings

/// Which nodes of a tree make up a proof, and which tiles must be read to know them.
///
/// Asking first and reading afterwards lets a client fetch all tiles at once, and keeps reading out of `Core`.
public struct ProofPlan: Sendable {
    /// A perfect subtree: it covers the entries from `index << level` to `(index + 1) << level`.
    struct Subtree: Sendable, Equatable {
        let level: Int
        let index: UInt64
    }

    let size: UInt64
    /// For each hash of the proof the neighbouring perfect subtrees that it covers, left to right.
    let steps: [[Subtree]]

    /// The proof that the entry at `index` is in the tree of `size` entries (RFC 9162 section 2.1.3.1).
    ///
    /// - Throws: `outOfRange` when it is not.
    public static func inclusion(of index: UInt64, in size: UInt64) throws(TransparencyError) -> ProofPlan {
        guard size <= MerkleTree.maximumSize, index < size else { throw .outOfRange }
        var steps: [[Subtree]] = []
        var range = 0..<size
        while range.count > 1 {
            let middle = split(range)
            if index < middle {
                steps.append(cover(middle..<range.upperBound))
                range = range.lowerBound..<middle
            } else {
                steps.append(cover(range.lowerBound..<middle))
                range = middle..<range.upperBound
            }
        }
        return ProofPlan(size: size, steps: steps.reversed())
    }

    /// The proof that the tree of `oldSize` entries is the beginning of that of `newSize` (RFC 9162 section 2.1.4.1).
    ///
    /// - Throws: `outOfRange` when the first size is above the second.
    public static func consistency(
        from oldSize: UInt64, to newSize: UInt64
    ) throws(TransparencyError) -> ProofPlan {
        guard newSize <= MerkleTree.maximumSize, oldSize <= newSize else { throw .outOfRange }
        guard oldSize > 0, oldSize < newSize else { return ProofPlan(size: newSize, steps: []) }
        var steps: [[Subtree]] = []
        var range = 0..<newSize
        while range.upperBound != oldSize {
            let middle = split(range)
            if oldSize <= middle {
                steps.append(cover(middle..<range.upperBound))
                range = range.lowerBound..<middle
            } else {
                steps.append(cover(range.lowerBound..<middle))
                range = middle..<range.upperBound
            }
        }
        // The rest is the whole old tree (which the caller knows) or its last part, with which the proof begins.
        if range.lowerBound > 0 { steps.append(cover(range)) }
        return ProofPlan(size: newSize, steps: steps.reversed())
    }

    /// The root of a tree of `size` entries, as the only hash; nothing for the empty tree.
    ///
    /// - Throws: `outOfRange` for an impossible size.
    public static func root(of size: UInt64) throws(TransparencyError) -> ProofPlan {
        guard size <= MerkleTree.maximumSize else { throw .outOfRange }
        return ProofPlan(size: size, steps: size == 0 ? [] : [cover(0..<size)])
    }

    /// The tiles to read, each once, as wide as the tree makes them.
    public var tiles: [Tile] {
        var tiles: [Tile] = []
        for step in steps {
            for subtree in step {
                let tile = place(of: subtree).tile
                if !tiles.contains(tile) { tiles.append(tile) }
            }
        }
        return tiles
    }

    /// Reads the hashes of the proof.
    ///
    /// - Throws: what the source throws, or `malformedTile` when it answers with a wrong number of bytes.
    public func hashes(
        from source: some TileSource, suite: some CryptoSuite
    ) throws(TransparencyError) -> [Bytes] {
        var read: [(tile: Tile, nodes: TileNodes)] = []
        return try hashes(suite: suite) { (tile) throws(TransparencyError) in
            for known in read where known.tile == tile { return known.nodes }
            guard case .hashes(let level) = tile.kind else { throw .malformedTile }
            let bytes = try source.tile(level: level, index: tile.index, width: tile.width)
            guard bytes.count == tile.width * MerkleTree.hashLength else { throw .malformedTile }
            let nodes = try TileNodes(tile: bytes, suite: suite)
            read.append((tile, nodes))
            return nodes
        }
    }

    /// Reads the hashes of the proof from tiles whose nodes are known already.
    ///
    /// - Parameter nodes: gives the nodes of one of `tiles`.
    /// - Throws: what `nodes` throws, or `malformedTile` when it gives those of a narrower tile.
    public func hashes(
        suite: some CryptoSuite, nodes: (Tile) throws(TransparencyError) -> TileNodes
    ) throws(TransparencyError) -> [Bytes] {
        var hashes: [Bytes] = []
        for step in steps {
            var parts: [Bytes] = []
            for subtree in step {
                let (tile, height, index) = place(of: subtree)
                guard let hash = try nodes(tile).hash(height: height, index: index) else { throw .malformedTile }
                parts.append(hash)
            }
            if let hash = MerkleTree.joined(parts, suite: suite) { hashes.append(hash) }
        }
        return hashes
    }

    /// The tile that knows a subtree, and where in that tile it is: its height over the tile's hashes, and which of the
    /// subtrees of that height.
    private func place(of subtree: Subtree) -> (tile: Tile, height: Int, index: Int) {
        let level = subtree.level / 8
        let height = subtree.level % 8
        let count = size >> UInt64(8 * level)
        let index = (subtree.index << UInt64(height)) >> 8
        let tile = Tile(
            unchecked: .hashes(level: level), index: index, width: Int(min(count - index << 8, 256)))
        return (tile, height, Int(subtree.index & ((256 >> UInt64(height)) - 1)))
    }

    /// Where the tree over a range of more than one entry divides: behind the largest power of two inside.
    private static func split(_ range: Range<UInt64>) -> UInt64 {
        let count = range.upperBound - range.lowerBound
        return range.lowerBound + 1 << UInt64(63 - (count - 1).leadingZeroBitCount)
    }

    /// The perfect subtrees that make up a range which begins where a tree of its size may begin.
    private static func cover(_ range: Range<UInt64>) -> [Subtree] {
        var subtrees: [Subtree] = []
        var start = range.lowerBound
        while start < range.upperBound {
            let level = 63 - (range.upperBound - start).leadingZeroBitCount
            subtrees.append(Subtree(level: level, index: start >> UInt64(level)))
            start += 1 << UInt64(level)
        }
        return subtrees
    }
}
