public import Encodings

/// Where tiles of hashes come from: files on a server, or what a client has fetched.
///
/// A source need not be trusted: everything built from it is checked against a signed root.
public protocol TileSource {
    /// The bytes of a tile, 32 for each hash.
    ///
    /// - Parameters:
    ///   - level: 0 for leaf hashes.
    ///   - index: of the tile within the level.
    ///   - width: how many hashes are asked for. A source may answer with a wider tile's beginning.
    /// - Throws: `missing` when the source does not have it.
    func tile(level: Int, index: UInt64, width: Int) throws(TransparencyError) -> Bytes
}

/// Tiles held in memory: what a client fetched after asking `ProofPlan` for the list.
///
/// It is searched from one end to the other, and meant for the few tiles of a proof.
public struct FetchedTiles: TileSource, Sendable {
    private var tiles: [TileContent] = []

    /// No tiles yet.
    public init() {}

    /// Adds a tile of hashes as it was fetched.
    ///
    /// A full tile also serves where a partial one is asked for.
    ///
    /// - Throws: `malformedTile` when the length does not fit the width, or it is a bundle of entries.
    public mutating func add(_ tile: Tile, _ bytes: Bytes) throws(TransparencyError) {
        guard tile.kind != .entries, bytes.count == tile.width * MerkleTree.hashLength else { throw .malformedTile }
        tiles.append(TileContent(tile: tile, bytes: bytes))
    }

    /// The bytes of a tile that was added, or the beginning of a wider one.
    public func tile(level: Int, index: UInt64, width: Int) throws(TransparencyError) -> Bytes {
        for content in tiles
        where content.tile.kind == .hashes(level: level) && content.tile.index == index && content.tile.width >= width {
            return Array(content.bytes.prefix(width * MerkleTree.hashLength))
        }
        guard let tile = Tile(.hashes(level: level), index: index, width: width) else { throw .outOfRange }
        throw .missing(tile)
    }
}

/// A file of the log and what it holds.
public struct TileContent: Sendable, Equatable {
    /// The name of the file.
    public let tile: Tile
    /// All of its bytes.
    public let bytes: Bytes

    /// A file and what it holds.
    public init(tile: Tile, bytes: Bytes) {
        self.tile = tile
        self.bytes = bytes
    }
}
