package import Encodings
import Interface
import Transparency

/// Where a log's files are: a folder, or a server.
package enum LogFiles: Sendable {
    /// A folder with `checkpoint` and `tile/`.
    case folder(String)
    /// A server's `/log/`.
    case server(ServerClient)

    /// A folder by its path, or a server by its address, with or without `/log` behind it.
    package static func at(_ place: String) throws(WalletError) -> LogFiles {
        guard place.contains("://") else { return .folder(place) }
        var address = place
        if address.hasSuffix("/") { address.removeLast() }
        if address.hasSuffix("/log") { address.removeLast(4) }
        return .server(ServerClient(address: try ServerAddress(address)))
    }

    /// The newest signed checkpoint, as it is published; `nil` when there is none.
    package func checkpoint() async throws -> Bytes? {
        try await read("checkpoint", limit: SignedNote.maximumLength)
    }

    /// A file's bytes.
    ///
    /// - Returns: `nil` when there is none.
    func read(_ path: String, limit: Int) async throws -> Bytes? {
        switch self {
        case .folder(let folder): return try AtomicFile.read("\(folder)/\(path)", limit: limit)
        case .server(let client):
            do {
                return try await client.bytes("/log/\(path)", limit: limit)
            } catch let error as ProblemError where error.problem.status == 404 {
                return nil
            }
        }
    }

    /// The content of a tile.
    ///
    /// A partial one may be gone once the full one is there, whose beginning it was.
    func read(_ tile: Tile) async throws -> Bytes? {
        let limit = tile.kind == .entries ? 256 * (EntryBundle.maximumEntryLength + 2) : 256 * MerkleTree.hashLength
        if let bytes = try await read(tile.path, limit: limit) { return bytes }
        guard !tile.isFull, let full = Tile(tile.kind, index: tile.index),
            let bytes = try await read(full.path, limit: limit)
        else { return nil }
        guard tile.kind == .entries else { return Array(bytes.prefix(tile.width * MerkleTree.hashLength)) }
        let entries = try EntryBundle.parse(bytes, width: full.width)
        return try EntryBundle.encode(Array(entries.prefix(tile.width)))
    }
}
