import CryptoProvider
import Encodings
import Storage
import Transparency

/// Makes the log's files again from its entries, holds them against the signed checkpoint, and each entry against its
/// record.
///
/// Tiles are not copied into a backup: they follow from the entries, which are rows; and what is computed twice and
/// signed once cannot disagree with itself unnoticed.
struct LogRebuild {
    /// The signed checkpoint.
    let checkpoint: Checkpoint
    /// Its note, as it was published.
    let note: Bytes
    private(set) var waiting: UInt64 = 0
    private(set) var forgotten: UInt64 = 0
    private var auditor: TreeAuditor
    private var bundle: [Bytes] = []
    private var position: Int64 = 0
    private let suite = SwiftCryptoSuite()

    /// - Parameters:
    ///   - earlier: a checkpoint that others saw, of at most as many entries.
    /// - Throws: `BackupError.logDamaged` when the checkpoint is not signed by the log's key.
    init(sealed: LogStore.Sealed, key: NoteVerifierKey, earlier: Checkpoint? = nil) throws(BackupError) {
        note = Bytes(text: sealed.checkpoint)
        do {
            checkpoint = try VerifiedCheckpoint.verify(note, policy: LogPolicy(logKey: key), suite: suite).checkpoint
        } catch {
            throw .logDamaged("its checkpoint is refused (\(error))")
        }
        guard Int64(checkpoint.size) == sealed.size else { throw .logDamaged("its checkpoint is of another size") }
        auditor = TreeAuditor(earlier: [earlier].compactMap(\.self))
    }

    /// Adds the next entries.
    ///
    /// - Returns: files that are full now.
    mutating func add(_ entries: [LogStore.Stored]) throws(BackupError) -> [TileContent] {
        var files: [TileContent] = []
        for entry in entries {
            guard entry.position == position else { throw .logDamaged("entry \(position) is missing") }
            try check(entry)
            position += 1
            guard UInt64(position) <= checkpoint.size else {
                waiting += 1
                continue
            }
            bundle.append(Bytes(text: entry.entry))
            if let tile = auditor.nextBundle(inTreeOf: checkpoint.size), bundle.count == tile.width {
                files += try flush(tile)
            }
        }
        return files
    }

    /// Ends the tree.
    ///
    /// - Returns: the partial tiles of hashes.
    /// - Throws: `BackupError.logDamaged` when the entries do not give the signed root.
    func finish() throws(BackupError) -> [TileContent] {
        do {
            return try auditor.finish(checkpoint, suite: suite)
        } catch TransparencyError.inconsistent {
            throw .rewritten
        } catch {
            throw .logDamaged("its entries do not give the signed root")
        }
    }

    private mutating func flush(_ tile: Tile) throws(BackupError) -> [TileContent] {
        do {
            let bytes = try EntryBundle.encode(bundle)
            let step = try auditor.add(tile, bytes, suite: suite)
            bundle = []
            return [TileContent(tile: tile, bytes: bytes)] + step.tiles
        } catch TransparencyError.inconsistent {
            throw .rewritten
        } catch {
            throw .logDamaged("\(tile.path) cannot be made (\(error))")
        }
    }

    /// The row says what the entry commits to; for a forgotten client it says nothing.
    private mutating func check(_ stored: LogStore.Stored) throws(BackupError) {
        let fault = BackupError.logDamaged("entry \(stored.position) is not what its row says")
        guard let entry = try? LogEntry.parse(Bytes(text: stored.entry)), entry.time == stored.time,
            entry.type.equals(text: stored.type)
        else { throw fault }
        if stored.opening.isEmpty, stored.record.isEmpty {
            forgotten += 1
            return
        }
        guard let opening = Base64.decode(Bytes(text: stored.opening), .url),
            let record = try? JSON.parse(Bytes(text: stored.record)),
            let commitment = try? LogEntry.commitment(record: record, opening: opening),
            commitment == entry.commitment
        else { throw fault }
    }
}
