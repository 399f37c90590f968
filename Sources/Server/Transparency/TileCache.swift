import CryptoProvider
import Encodings
import Synchronization
import Transparency

/// Tiles of hashes that were written or used lately, so that proofs need neither read nor hash them again.
///
/// Bounded in bytes. A tile that was not asked for while half of the bound was refilled is forgotten.
final class TileCache: Sendable {
    private enum Known {
        /// As it was written: hashed when it is first asked for.
        case bytes(Bytes)
        case nodes(TileNodes)
    }

    private struct Generations {
        var young: [Tile.Place: Known] = [:]
        var old: [Tile.Place: Known] = [:]
        /// Of the young.
        var cost = 0
    }

    private let bound: Int
    private let generations = Mutex(Generations())

    /// - Parameter bound: bytes; a full tile with its nodes takes 16 KiB.
    init(bound: Int = 8 << 20) { self.bound = bound }

    /// Remembers a tile of hashes; bundles of entries are no part of proofs.
    ///
    /// - Parameter nodes: the tile's, if they are known.
    func remember(_ content: TileContent, nodes: TileNodes? = nil) {
        guard let place = Tile.Place(content.tile) else { return }
        let known: Known = if let nodes { .nodes(nodes) } else { .bytes(content.bytes) }
        generations.withLock { insert(known, place, &$0) }
    }

    /// The nodes of a tile, or `nil` when it is not known.
    func nodes(of tile: Tile, suite: SwiftCryptoSuite) throws(TransparencyError) -> TileNodes? {
        guard let place = Tile.Place(tile), let known = find(place) else { return nil }
        switch known {
        case .nodes(let nodes): return nodes
        case .bytes(let bytes):
            let nodes = try TileNodes(tile: bytes, suite: suite)
            generations.withLock { insert(.nodes(nodes), place, &$0) }
            return nodes
        }
    }

    private func find(_ place: Tile.Place) -> Known? {
        generations.withLock { generations in
            if let known = generations.young[place] { return known }
            guard let known = generations.old[place] else { return nil }
            insert(known, place, &generations)
            return known
        }
    }

    private func insert(_ known: Known, _ place: Tile.Place, _ generations: inout Generations) {
        let cost = 2 * MerkleTree.hashLength * place.width
        if generations.cost + cost > bound / 2 {
            generations = Generations(old: generations.young)
        }
        if generations.young.updateValue(known, forKey: place) == nil { generations.cost += cost }
    }
}

extension Tile {
    /// What tells one tile of hashes from another.
    struct Place: Hashable {
        let level: Int
        let index: UInt64
        let width: Int

        /// `nil` for a bundle of entries.
        init?(_ tile: Tile) {
            guard case .hashes(let level) = tile.kind else { return nil }
            self.level = level
            index = tile.index
            width = tile.width
        }
    }
}
