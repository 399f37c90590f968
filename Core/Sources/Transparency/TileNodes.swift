public import Encodings

/// A tile of hashes with all nodes above them that lie inside the tile, each hashed once.
///
/// A log that gives many receipts keeps these for its latest tiles: every proof is then a few look-ups.
public struct TileNodes: Sendable, Equatable {
    /// For each height the hashes of the perfect subtrees, one behind the other; the tile itself first.
    private var rows: [Bytes]

    /// A tile that has no hashes yet.
    init() { rows = [[]] }

    /// The tile itself: 32 bytes for each hash.
    var tile: Bytes { rows[0] }
    /// How many hashes the tile has.
    var count: Int { rows[0].count / MerkleTree.hashLength }

    /// Appends a hash to a tile that is not full, and hashes the nodes that it completes.
    mutating func append(_ hash: Bytes, suite: some CryptoSuite) {
        let length = MerkleTree.hashLength
        var node = hash
        var height = 0
        while true {
            if height == rows.count { rows.append([]) }
            rows[height].append(contentsOf: node)
            let end = rows[height].count
            // A node with an odd number waits for its partner.
            guard end / length % 2 == 0 else { return }
            node = MerkleTree.nodeHash(
                Array(rows[height][end - 2 * length..<end - length]), Array(rows[height][end - length..<end]),
                suite: suite)
            height += 1
        }
    }

    /// Hashes a tile's nodes.
    ///
    /// - Parameter tile: 32 bytes for each of 1 to 256 hashes.
    /// - Throws: `malformedTile` for any other number of bytes.
    public init(tile: Bytes, suite: some CryptoSuite) throws(TransparencyError) {
        let length = MerkleTree.hashLength
        guard tile.count % length == 0, (1...Tile.fullWidth).contains(tile.count / length) else {
            throw .malformedTile
        }
        var rows = [tile]
        while let row = rows.last, row.count >= 2 * length {
            var above: Bytes = []
            above.reserveCapacity(row.count / 2)
            var start = 0
            while start + 2 * length <= row.count {
                let middle = start + length
                above.append(
                    contentsOf: MerkleTree.nodeHash(
                        Array(row[start..<middle]), Array(row[middle..<middle + length]), suite: suite))
                start = middle + length
            }
            rows.append(above)
        }
        self.rows = rows
    }

    /// The hash of the perfect subtree over `1 << height` hashes of the tile, the `index`th of its height, or `nil` when
    /// the tile does not hold all of it.
    func hash(height: Int, index: Int) -> Bytes? {
        let length = MerkleTree.hashLength
        guard height < rows.count, (index + 1) * length <= rows[height].count else { return nil }
        return Array(rows[height][index * length..<(index + 1) * length])
    }
}
