import CryptoProvider
package import Encodings
package import Transparency

/// The findings of an audit.
package struct AuditReport: Sendable {
    /// The checkpoint that the log was audited at.
    package let checkpoint: Checkpoint
    /// The signed note, to be given to the next audit.
    package let note: Bytes
    /// Whether the signature was checked against a key that was given.
    package let isSigned: Bool
    /// How many entries the log had when it was audited before; `nil` at the first time.
    package let previousSize: UInt64?
    /// How many entries of each type, sorted by type.
    package let types: [(type: String, count: Int)]
    /// How many entries are not of our format: 0 in a log of ours.
    package let foreign: Int
    /// How many tiles of hashes were compared.
    package let tiles: Int
}

/// What is wrong with a log.
package enum AuditFault: Error, Equatable, Sendable {
    /// There is no checkpoint.
    case noCheckpoint
    /// The checkpoint is refused: not signed by this key, or of another log.
    case badCheckpoint(TransparencyError)
    /// A file is not there.
    case missing(path: String)
    /// A file holds something else than the entries hash to.
    case wrong(path: String)
    /// The log does not begin as it did when it was audited before.
    case rewritten
    /// The entries do not lead to the signed root.
    case wrongRoot(TransparencyError)
}

/// Hashes a log again from its first entry, compares every file with what it must hold, and the whole with the
/// checkpoint that was seen before.
package struct LogAudit: Sendable {
    private let files: LogFiles
    private let policy: LogPolicy?
    private let previous: Bytes?
    private let suite = SwiftCryptoSuite()

    /// An audit of these files.
    ///
    /// - Parameters:
    ///   - policy: from anywhere but the log; without it signatures are not checked.
    ///   - previous: the note that an earlier audit ended with.
    package init(_ files: LogFiles, policy: LogPolicy?, previous: Bytes?) {
        self.files = files
        self.policy = policy
        self.previous = previous
    }

    /// Runs the audit.
    ///
    /// - Parameter progress: is told how many of how many entries are done.
    /// - Throws: `AuditFault` for the first thing that is wrong.
    package func run(progress: (UInt64, UInt64) -> Void) async throws -> AuditReport {
        guard let note = try await files.read("checkpoint", limit: SignedNote.maximumLength) else {
            throw AuditFault.noCheckpoint
        }
        let checkpoint = try read(note, policy: policy)
        // The result of an earlier audit was checked at that time, by the policy of that time.
        let earlier = try previous.map { try read($0, policy: nil) }
        if let earlier, earlier.origin != checkpoint.origin { throw AuditFault.badCheckpoint(.wrongOrigin) }
        if let earlier, earlier.size > checkpoint.size { throw AuditFault.rewritten }
        var auditor = TreeAuditor(earlier: [earlier].compactMap(\.self))
        var counts: [String: Int] = [:]
        var foreign = 0
        var tiles = 0
        while let tile = auditor.nextBundle(inTreeOf: checkpoint.size) {
            guard let bytes = try await files.read(tile) else { throw AuditFault.missing(path: tile.path) }
            let step = try add(tile, bytes, to: &auditor)
            for entry in step.entries {
                if let entry = try? LogEntry.parse(entry) {
                    counts[entry.type.text, default: 0] += 1
                } else {
                    foreign += 1
                }
            }
            for content in step.tiles { try await compare(content) }
            tiles += step.tiles.count
            progress(auditor.state.size, checkpoint.size)
        }
        let last = try finish(auditor, checkpoint)
        for content in last { try await compare(content) }
        return AuditReport(
            checkpoint: checkpoint, note: note, isSigned: policy != nil, previousSize: earlier?.size,
            types: counts.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }, foreign: foreign,
            tiles: tiles + last.count)
    }

    private func read(_ note: Bytes, policy: LogPolicy?) throws -> Checkpoint {
        do {
            guard let policy else { return try Checkpoint.parse(SignedNote.parse(note).text) }
            return try VerifiedCheckpoint.verify(note, policy: policy, suite: suite).checkpoint
        } catch {
            throw AuditFault.badCheckpoint(error)
        }
    }

    private func add(_ tile: Tile, _ bytes: Bytes, to auditor: inout TreeAuditor) throws -> TreeAuditor.Step {
        do {
            return try auditor.add(tile, bytes, suite: suite)
        } catch TransparencyError.inconsistent {
            throw AuditFault.rewritten
        } catch {
            throw AuditFault.wrong(path: tile.path)
        }
    }

    private func finish(_ auditor: TreeAuditor, _ checkpoint: Checkpoint) throws -> [TileContent] {
        do {
            return try auditor.finish(checkpoint, suite: suite)
        } catch TransparencyError.inconsistent {
            throw AuditFault.rewritten
        } catch {
            throw AuditFault.wrongRoot(error)
        }
    }

    private func compare(_ content: TileContent) async throws {
        guard let bytes = try await files.read(content.tile) else {
            throw AuditFault.missing(path: content.tile.path)
        }
        guard bytes == content.bytes else { throw AuditFault.wrong(path: content.tile.path) }
    }
}
