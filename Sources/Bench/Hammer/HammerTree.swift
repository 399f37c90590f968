import CryptoProvider
import Encodings
import Storage
import Synchronization
import Transparency

/// The published log in a folder: its entries, and proofs into its newest checkpoint.
struct HammerTree {
    private let folder: String
    let checkpoint: Checkpoint
    private let suite = SwiftCryptoSuite()
    private let known = Known()

    /// The nodes of the tiles that proofs needed, by paths: receipts lie close together.
    private final class Known: Sendable {
        let nodes = Mutex<[String: TileNodes]>([:])
    }

    /// Reads the checkpoint and checks its signature.
    init(folder: String, policy: LogPolicy) throws {
        self.folder = folder
        guard let note = try DurableFile.read("\(folder)/checkpoint") else {
            throw BenchError("there is no log in \(folder)")
        }
        checkpoint = try VerifiedCheckpoint.verify(note, policy: policy, suite: suite).checkpoint
    }

    /// All entries, in order.
    func entries() throws -> [Bytes] {
        var entries: [Bytes] = []
        while let tile = Tile(.entries, index: UInt64(entries.count) >> 8, inTreeOf: checkpoint.size), tile.width > 0,
            entries.count < checkpoint.size
        {
            guard let bytes = try read(tile) else { throw BenchError("\(tile.path) is missing") }
            entries += try EntryBundle.parse(bytes, width: tile.width)
        }
        return entries
    }

    /// Proves that an entry is under the checkpoint.
    func proveInclusion(of entry: Bytes, at index: UInt64) throws {
        let proof = try ProofPlan.inclusion(of: index, in: checkpoint.size).hashes(suite: suite, nodes: nodes)
        try MerkleTree.verifyInclusion(
            of: MerkleTree.leafHash(entry, suite: suite), at: index, in: checkpoint.size, root: checkpoint.root,
            proof: proof, suite: suite)
    }

    private func nodes(of tile: Tile) throws(TransparencyError) -> TileNodes {
        if let nodes = known.nodes.withLock({ $0[tile.path] }) { return nodes }
        guard let bytes = try? read(tile) else { throw .missing(tile) }
        let nodes = try TileNodes(tile: Array(bytes.prefix(tile.width * MerkleTree.hashLength)), suite: suite)
        known.nodes.withLock { $0[tile.path] = nodes }
        return nodes
    }

    private func read(_ tile: Tile) throws -> Bytes? { try DurableFile.read("\(folder)/\(tile.path)") }
}
