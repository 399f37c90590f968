import CryptoProvider
import Encodings
import Interface
import Transparency

/// Fetches the tiles of proofs from a server, each once.
///
/// What it fetches need not be trusted.
struct TileFetcher {
    let server: ServerClient
    private var fetched: [Tile] = []
    private var tiles = FetchedTiles()

    init(server: ServerClient) { self.server = server }

    /// Checks that a checkpoint goes on where an earlier one ended.
    ///
    /// - Throws: `logRewritten` when it does not.
    mutating func verify(_ latest: Checkpoint, extends earlier: Checkpoint) async throws {
        let suite = SwiftCryptoSuite()
        do {
            let plan = try ProofPlan.consistency(from: earlier.size, to: latest.size)
            for tile in plan.tiles where !fetched.contains(tile) {
                try await fetch(tile)
                fetched.append(tile)
            }
            try latest.verifyExtends(earlier, proof: try plan.hashes(from: tiles, suite: suite), suite: suite)
        } catch is TransparencyError {
            throw WalletError.logRewritten
        }
    }

    /// A partial tile may be gone once the full one is there, whose beginning it was.
    private mutating func fetch(_ tile: Tile) async throws {
        do {
            try tiles.add(tile, try await bytes(tile))
        } catch let error as ProblemError where error.problem.status == 404 && !tile.isFull {
            guard let full = Tile(tile.kind, index: tile.index) else { throw error }
            try tiles.add(full, try await bytes(full))
        }
    }

    private func bytes(_ tile: Tile) async throws -> Bytes {
        try await server.bytes("/log/\(tile.path)", limit: 1 << 14)
    }
}
