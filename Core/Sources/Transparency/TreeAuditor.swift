public import Encodings

/// Hashes a log again, bundle by bundle, and says what every other file must hold.
///
/// It reads nothing itself: the caller feeds it the bundles that `nextBundle(inTreeOf:)` names and compares each file
/// that `add` and `finish` expect with what is stored. It keeps a few KiB, however large the log is, and `state` can be
/// stored to go on with the next checkpoint.
public struct TreeAuditor: Sendable {
    /// What a bundle of entries has shown.
    public struct Step: Sendable, Equatable {
        /// The number of the first of `entries`.
        public let firstIndex: UInt64
        /// The entries that are new to the auditor.
        public let entries: [Bytes]
        /// The full tiles that they complete, with what these must hold.
        public let tiles: [TileContent]
    }

    /// What has been hashed so far.
    public private(set) var state: TreeState
    private var edge: RightEdge
    /// Checkpoints that are still ahead, smallest first.
    private var ahead: [Checkpoint]

    /// An auditor that begins at the first entry, or goes on from an earlier audit.
    ///
    /// - Parameters:
    ///   - state: where the earlier audit ended.
    ///   - earlier: checkpoints seen before, with which the log must agree. Those that `state` is already past are not
    ///     looked at.
    public init(resuming state: TreeState = TreeState(), earlier: [Checkpoint] = []) {
        self.state = state
        edge = state.edge
        ahead = earlier.filter { $0.size >= state.size }.sorted { $0.size < $1.size }
    }

    /// The bundle to feed next for a tree of `size` entries; `nil` when all are hashed.
    public func nextBundle(inTreeOf size: UInt64) -> Tile? {
        guard state.size < size else { return nil }
        return Tile(.entries, index: state.size >> 8, inTreeOf: size)
    }

    /// Hashes a bundle.
    ///
    /// If a tile was fed before, while it was partial, its known entries must be the same.
    ///
    /// - Throws: `outOfRange` when it is not the next bundle, `malformedBundle`, `wrongTile` when entries seen before
    ///   have changed, `inconsistent` when the tree has another root than an earlier checkpoint.
    public mutating func add(
        _ tile: Tile, _ bytes: Bytes, suite: some CryptoSuite
    ) throws(TransparencyError) -> Step {
        guard tile.kind == .entries, tile.index == state.size >> 8 else { throw .outOfRange }
        let entries = try EntryBundle.parse(bytes, width: tile.width)
        guard bytes.starts(with: state.entries), tile.width >= Int(state.size & 255) else { throw .wrongTile(tile) }
        let fresh = Array(entries.dropFirst(Int(state.size & 255)))
        let firstIndex = state.size
        var newEdge = edge
        var newAhead = ahead
        try Self.compare(newEdge, &newAhead, suite)
        for entry in fresh {
            newEdge.append(MerkleTree.leafHash(entry, suite: suite), suite: suite)
            try Self.compare(newEdge, &newAhead, suite)
        }
        let written = try state.append(fresh, suite: suite)
        (edge, ahead) = (newEdge, newAhead)
        return Step(
            firstIndex: firstIndex, entries: fresh,
            tiles: written.filter { $0.tile.isFull && $0.tile.kind != .entries })
    }

    /// Ends the audit at a signed checkpoint.
    ///
    /// - Returns: the partial tiles of hashes at the right of the tree, with what they must hold.
    /// - Throws: `outOfRange` when the entries fed are not those of the checkpoint, `inconsistent` when an earlier
    ///   checkpoint has more entries or another root, `wrongRoot`.
    public func finish(_ checkpoint: Checkpoint, suite: some CryptoSuite) throws(TransparencyError) -> [TileContent] {
        guard state.size == checkpoint.size else { throw .outOfRange }
        var left = ahead
        try Self.compare(edge, &left, suite)
        guard left.isEmpty else { throw .inconsistent }
        guard edge.root(suite: suite) == checkpoint.root, state.root(suite: suite) == checkpoint.root else {
            throw .wrongRoot
        }
        var expected: [TileContent] = []
        for tile in Tile.partial(inTreeOf: state.size) {
            guard case .hashes(let level) = tile.kind else { continue }
            expected.append(TileContent(tile: tile, bytes: state.levels[level]))
        }
        return expected
    }

    /// Compares the tree with the earlier checkpoints of exactly its size and takes them off the list.
    private static func compare(
        _ edge: RightEdge, _ ahead: inout [Checkpoint], _ suite: some CryptoSuite
    ) throws(TransparencyError) {
        while let next = ahead.first, next.size == edge.size {
            guard next.root == edge.root(suite: suite) else { throw .inconsistent }
            ahead.removeFirst()
        }
    }
}
