import CryptoProvider
import Encodings
import Storage
import Transparency

/// The log: the database's entries give the signed root, every file holds what they hash to, and nothing was published
/// beyond them.
struct LogCheck: DoctorCheck {
    let name = "log"
    private static let restore =
        "do not start the server on it; keep a copy, and read \"After restoring\" in docs/operations.md"

    func run(_ deployment: Deployment) async throws -> [Finding] {
        guard let organisation = try await deployment.organisation() else { return [] }
        let files = LogFolder(path: deployment.directory + "/log")
        let origin = CountersignServer.origin(of: organisation.publicURL)
        let sealed = try await deployment.place.snapshot { try LogStore(transaction: $0).sealed() }
        let folder = KeyFolder(in: deployment.directory)
        guard let key = try folder.logKey(origin: origin, thatSigned: Bytes(text: sealed.checkpoint)) else {
            return [bad("its key is missing", "put keys/log back from a backup")]
        }
        // Published first: the database is never behind what is published.
        let published = try files.read("checkpoint")
        do {
            let (checkpoint, faults) = try await deployment.place.snapshot { transaction in
                try rebuild(transaction, key, files)
            }
            if let first = faults.first {
                return [
                    bad(
                        "\(faults.count) of its files are missing or changed, such as \(first)",
                        "restore the folder log from a backup into an empty place, and copy its files")
                ]
            }
            let trouble = try compare(published, with: checkpoint, folder.logKeys(origin: origin))
            return [trouble ?? good("\(checkpoint.size) entries, as signed")]
        } catch let error as BackupError {
            return [bad("\(error)", Self.restore)]
        }
    }

    private func rebuild(
        _ transaction: Transaction, _ key: NoteVerifierKey, _ files: LogFolder
    ) throws -> (Checkpoint, [String]) {
        let store = LogStore(transaction: transaction)
        var log = try LogRebuild(sealed: try store.sealed(), key: key)
        var faults: [String] = []
        func compare(_ contents: [TileContent]) throws {
            for content in contents where try files.content(of: content.tile) != content.bytes {
                faults.append(content.tile.path)
            }
        }
        var next: Int64 = 0
        while true {
            let entries = try store.pending(from: next, limit: 1_024)
            guard !entries.isEmpty else { break }
            next += Int64(entries.count)
            try compare(try log.add(entries))
        }
        try compare(try log.finish())
        return (log.checkpoint, faults)
    }

    private func compare(_ published: Bytes?, with sealed: Checkpoint, _ keys: [NoteVerifierKey]) throws -> Finding? {
        guard let published else { return bad("no checkpoint is published", "the server's next start publishes it") }
        guard
            let found = try? VerifiedCheckpoint.verify(
                published, policy: LogPolicy(logKeys: keys), suite: SwiftCryptoSuite()
            ).checkpoint
        else { return bad("the published checkpoint is not signed by keys/log", Self.restore) }
        guard found.size <= sealed.size else {
            return bad("\(found.size) entries are published, the database has \(sealed.size)", Self.restore)
        }
        if found.size == sealed.size, found.root != sealed.root {
            return bad("the published root is another than the database's", Self.restore)
        }
        return nil
    }
}

/// The log's files in the data directory.
private struct LogFolder {
    let path: String

    func read(_ name: String) throws -> Bytes? { try DurableFile.read("\(path)/\(name)") }

    /// The content of a tile; of a partial one that was replaced, the beginning of the full one.
    func content(of tile: Tile) throws -> Bytes? {
        if let bytes = try read(tile.path) { return bytes }
        guard !tile.isFull, let full = Tile(tile.kind, index: tile.index), let bytes = try read(full.path) else {
            return nil
        }
        guard tile.kind == .entries else { return Array(bytes.prefix(tile.width * MerkleTree.hashLength)) }
        let entries = try EntryBundle.parse(bytes, width: full.width)
        return try EntryBundle.encode(Array(entries.prefix(tile.width)))
    }
}
