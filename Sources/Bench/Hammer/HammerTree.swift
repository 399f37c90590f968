import CryptoProvider
import Encodings
import Storage
import Transparency

/// The published log in a folder: its entries, and proofs into its newest checkpoint.
struct HammerTree: TileSource {
    private let folder: String
    let checkpoint: Checkpoint
    private let suite = SwiftCryptoSuite()

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
        let proof = try ProofPlan.inclusion(of: index, in: checkpoint.size).hashes(from: self, suite: suite)
        try MerkleTree.verifyInclusion(
            of: MerkleTree.leafHash(entry, suite: suite), at: index, in: checkpoint.size, root: checkpoint.root,
            proof: proof, suite: suite)
    }

    func tile(level: Int, index: UInt64, width: Int) throws(TransparencyError) -> Bytes {
        guard let tile = Tile(.hashes(level: level), index: index, width: width) else { throw .outOfRange }
        guard let bytes = try? read(tile) else { throw .missing(tile) }
        return Array(bytes.prefix(width * MerkleTree.hashLength))
    }

    private func read(_ tile: Tile) throws -> Bytes? { try DurableFile.read("\(folder)/\(tile.path)") }
}
