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

    /// What a file must hold.
    private struct Expected: Sendable {
        let tile: Tile
        let digest: Bytes
    }

    func run(_ deployment: Deployment) async throws -> [Finding] {
        guard let organisation = try await deployment.organisation() else { return [] }
        let files = LogFiles(store: deployment.stores.log)
        let origin = CountersignServer.origin(of: organisation.publicURL)
        let sealed = try await deployment.place.snapshot { try LogStore(transaction: $0).sealed() }
        let folder = KeyFolder(in: deployment.directory)
        guard let key = try folder.logKey(origin: origin, thatSigned: Bytes(text: sealed.checkpoint)) else {
            return [bad("its key is missing", "put keys/log back from a backup")]
        }
        // Published first: the database is never behind what is published.
        let published = try await files.read("checkpoint")
        do {
            // Files may be far away, and a snapshot should not wait for them: it gives what they must hold.
            let (checkpoint, expected) = try await deployment.place.snapshot { try rebuild($0, key) }
            let faults = try await compare(files, with: expected)
            if let first = faults.first {
                return [
                    bad(
                        "\(faults.count) of its files are missing or changed, such as \(first)",
                        "restore a backup into an empty place, and copy its folder log")
                ]
            }
            let trouble = try compare(published, with: checkpoint, folder.logKeys(origin: origin))
            return [trouble ?? good("\(checkpoint.size) entries, as signed")]
        } catch let error as BackupError {
            return [bad("\(error)", Self.restore)]
        }
    }

    private func rebuild(_ transaction: Transaction, _ key: NoteVerifierKey) throws -> (Checkpoint, [Expected]) {
        let store = LogStore(transaction: transaction)
        let suite = SwiftCryptoSuite()
        var log = try LogRebuild(sealed: try store.sealed(), key: key)
        var expected: [Expected] = []
        func expect(_ contents: [TileContent]) {
            expected += contents.map { Expected(tile: $0.tile, digest: suite.sha256($0.bytes)) }
        }
        var next: Int64 = 0
        while true {
            let entries = try store.pending(from: next, limit: 1_024)
            guard !entries.isEmpty else { break }
            next += Int64(entries.count)
            expect(try log.add(entries))
        }
        expect(try log.finish())
        return (log.checkpoint, expected)
    }

    /// - Returns: the names of files that are missing or hold something else.
    private func compare(_ files: LogFiles, with expected: [Expected]) async throws -> [String] {
        let suite = SwiftCryptoSuite()
        var faults: [String] = []
        for file in expected {
            do {
                guard suite.sha256(try await files.fetch(file.tile).bytes) != file.digest else { continue }
            } catch is TransparencyError {}
            faults.append(file.tile.path)
        }
        return faults
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
