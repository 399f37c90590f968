import CryptoProvider
package import Encodings
package import Transparency

/// An entry that a monitor has read and verified.
package struct MonitoredEntry: Sendable {
    /// Its number in the log.
    package let index: UInt64
    /// The entry, or `nil` when it is not of our format.
    package let entry: LogEntry?
}

/// Follows a log from checkpoint to checkpoint and reads every new entry.
///
/// So the log has nothing that the monitor has not seen, and nothing that it saw has changed.
package struct LogMonitor: Sendable {
    private let files: LogFiles
    private let policy: LogPolicy
    private let suite = SwiftCryptoSuite()

    /// A monitor of these files, for checkpoints that the policy accepts.
    package init(_ files: LogFiles, policy: LogPolicy) {
        self.files = files
        self.policy = policy
    }

    /// Reads what has been added since a checkpoint.
    ///
    /// - Parameters:
    ///   - note: the checkpoint of the last look, which was verified then; `nil` at the first.
    ///   - each: gets every new entry, in order, after the batch that holds it was verified as far as possible. An
    ///     entry is final only when the call returns.
    /// - Returns: the newest checkpoint, to be kept for the next look.
    /// - Throws: `AuditFault`.
    package func follow(from note: Bytes?, each: (MonitoredEntry) throws -> Void) async throws -> VerifiedCheckpoint {
        let last = try note.map(read)
        guard let bytes = try await files.read("checkpoint", limit: SignedNote.maximumLength) else {
            throw AuditFault.noCheckpoint
        }
        let newest: VerifiedCheckpoint
        do {
            newest = try VerifiedCheckpoint.verify(bytes, policy: policy, suite: suite)
        } catch {
            throw AuditFault.badCheckpoint(error)
        }
        if let last, last.origin != newest.checkpoint.origin { throw AuditFault.badCheckpoint(.wrongOrigin) }
        let size = newest.checkpoint.size
        guard last?.size ?? 0 <= size else { throw AuditFault.rewritten }
        var state = try await edge(last)
        var found: [MonitoredEntry] = []
        while state.size < size {
            let bundle = state.size >> 8
            let width = Int(min(size - bundle << 8, 256))
            guard let tile = Tile(.entries, index: bundle, width: width), let bytes = try await files.read(tile) else {
                throw AuditFault.missing(path: Tile(.entries, index: bundle, width: width)?.path ?? "")
            }
            let entries: [Bytes]
            do {
                entries = try EntryBundle.parse(bytes, width: width)
                // The beginning of the bundle was seen before.
                let new = Array(entries.dropFirst(Int(state.size & 255)))
                for (offset, entry) in new.enumerated() {
                    found.append(
                        MonitoredEntry(index: state.size + UInt64(offset), entry: try? LogEntry.parse(entry)))
                }
                _ = try state.append(new, suite: suite)
            } catch {
                throw AuditFault.wrong(path: tile.path)
            }
        }
        // Old root, new entries, new root: that is both that the log only grew and that these are all that came.
        guard state.root(suite: suite) == newest.checkpoint.root else {
            throw last == nil ? AuditFault.wrongRoot(.wrongRoot) : AuditFault.rewritten
        }
        for entry in found { try each(entry) }
        return newest
    }

    /// The right edge of the tree that was seen last, as its signed root proves.
    private func edge(_ last: Checkpoint?) async throws -> TreeState {
        guard let last, last.size > 0 else { return TreeState() }
        var tiles = FetchedTiles()
        var bundle: Bytes = []
        do {
            var count = last.size
            var level = 0
            while count > 0 {
                if let tile = Tile(.hashes(level: level), index: count >> 8, width: Int(count & 255)) {
                    guard let bytes = try await files.read(tile) else { throw AuditFault.missing(path: tile.path) }
                    try tiles.add(tile, bytes)
                }
                count >>= 8
                level += 1
            }
            if let tile = Tile(.entries, index: last.size >> 8, width: Int(last.size & 255)) {
                guard let bytes = try await files.read(tile) else { throw AuditFault.missing(path: tile.path) }
                bundle = bytes
            }
            let state = try TreeState(size: last.size, source: tiles, entries: bundle, suite: suite)
            guard state.root(suite: suite) == last.root else { throw AuditFault.rewritten }
            return state
        } catch is TransparencyError {
            throw AuditFault.rewritten
        }
    }

    private func read(_ note: Bytes) throws -> Checkpoint {
        do {
            return try Checkpoint.parse(try SignedNote.parse(note).text)
        } catch {
            throw AuditFault.badCheckpoint(error)
        }
    }
}

extension LogMonitor {
    /// Compares a checkpoint that someone else holds, for example a witness, with what this monitor has seen.
    ///
    /// - Throws: `AuditFault.rewritten` when the two cannot both be true of one log.
    package func compare(_ other: Bytes, with seen: VerifiedCheckpoint) async throws -> Checkpoint {
        let foreign: Checkpoint
        do {
            // Signed by the log: by whom else does not matter for a contradiction.
            foreign = try VerifiedCheckpoint.verify(
                other, policy: LogPolicy(logKeys: policy.logs.map(\.key)), suite: suite
            ).checkpoint
        } catch {
            throw AuditFault.badCheckpoint(error)
        }
        let (smaller, larger) =
            foreign.size < seen.checkpoint.size ? (foreign, seen.checkpoint) : (seen.checkpoint, foreign)
        do {
            let plan = try ProofPlan.consistency(from: smaller.size, to: larger.size)
            var tiles = FetchedTiles()
            for tile in plan.tiles {
                guard let bytes = try await files.read(tile) else { throw AuditFault.missing(path: tile.path) }
                try tiles.add(tile, bytes)
            }
            try larger.verifyExtends(smaller, proof: try plan.hashes(from: tiles, suite: suite), suite: suite)
        } catch is TransparencyError {
            throw AuditFault.rewritten
        }
        return foreign
    }
}
