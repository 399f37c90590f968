package import CryptoProvider
import Encodings
import Foundation
package import Interface
package import Storage
import Transparency

/// The log's writer: takes what committed transactions have queued, seals it in durable batches, gives receipts.
///
/// An entry is queued in the transaction of the act it records; so there is no act without its entry and no entry
/// without its act. A batch is: tiles durable, then the new size and signed checkpoint in the database, then the
/// published checkpoint file. A process that dies anywhere in between leaves the old checkpoint true, and the next start
/// goes on from it. The next batch begins when the last is durable, not by a timer.
///
/// Processes that share a database and tiles may seal at once: entries have one order, so they write the same tiles,
/// and the database takes the checkpoint of the first. The others read it and go on from there.
package actor TransparencyLog {
    /// Why the log cannot go on.
    package enum LogError: Error, Equatable {
        /// Tiles, checkpoint and database do not belong together; serving them could show two histories.
        case damaged(String)
    }

    /// The verifier key of the log's checkpoints (C2SP signed-note).
    nonisolated package let verifierKey: String
    nonisolated private let labelSecret: Bytes
    nonisolated private let random: RandomSource
    nonisolated private let files: LogFiles
    nonisolated private let database: any Database
    private let signer: CheckpointSigner
    private let suite = SwiftCryptoSuite()
    private var state: TreeState
    /// What the database says of `state`.
    private var sealed: LogStore.Sealed
    private var checkpoint: Bytes { Bytes(text: sealed.checkpoint) }
    /// The size that callers are waiting for.
    private var wanted: UInt64 = 0
    private var sealing = false
    private var waiters: [(size: UInt64, continuation: CheckedContinuation<Void, any Error>)] = []
    private var recent = RecentEntries()

    /// How many entries one batch takes at the most.
    private static let batch = 4_096

    /// Opens the log and checks that what is published is what was signed.
    ///
    /// - Parameters:
    ///   - folder: of checkpoint and tiles.
    ///   - origin: the log's name.
    package init(
        folder: String, origin: String, key: LogSigningKey, labelSecret: [UInt8], database: any Database,
        random: RandomSource
    ) async throws {
        signer = try CheckpointSigner(origin: Bytes(text: origin), key: key)
        verifierKey = String(decoding: signer.verifierKey.encoded(), as: UTF8.self)
        files = LogFiles(folder: folder)
        self.labelSecret = labelSecret
        self.random = random
        self.database = database
        // In this order: a checkpoint is in the database before it is published.
        let published = try files.read("checkpoint")
        sealed = try await database.read { try LogStore(transaction: $0).sealed() }
        state = try files.state(of: sealed, signer: signer, suite: suite)
        try files.check(published, isNotBeyond: sealed, signer: signer, suite: suite)
        if let published, !sealed.checkpoint.isEmpty, published != Bytes(text: sealed.checkpoint) {
            try await files.publish(Bytes(text: sealed.checkpoint))
        }
        try await seal(upTo: UInt64(try await database.read { try LogStore(transaction: $0).count() }))
        if sealed.checkpoint.isEmpty, try await !publish(state) { try await reload() }
    }

    /// Queues the entry of an act, in the act's own transaction.
    ///
    /// - Returns: the entry's index. Once the transaction is durable, `receipt` seals it.
    nonisolated package func record(_ event: TrustEvent, in transaction: Transaction, now: Int64) throws -> Int64 {
        let opening = random.bytes(LogEntry.openingLength)
        let record = try event.record.canonical()
        let entry = try LogEntry(
            type: Bytes(text: event.kind.rawValue), time: now,
            label: LogEntry.label(account: Bytes(text: event.account), secret: labelSecret),
            commitment: LogEntry.commitment(record: event.record, opening: opening)
        ).encoded()
        return try LogStore(transaction: transaction).append(account: event.account) { position in
            LogStore.Stored(
                position: position, type: event.kind.rawValue, time: now, entry: String(decoding: entry, as: UTF8.self),
                opening: opening.base64URL, record: String(decoding: record, as: UTF8.self))
        }
    }

    /// The receipt of an entry whose transaction is durable, under a checkpoint that covers it.
    package func receipt(_ index: Int64) async throws -> Interface.Receipt {
        try await seal(upTo: UInt64(index) + 1)
        let size = state.size
        let note = checkpoint
        var entry = recent.find(index)
        if entry == nil {
            entry = try await database.read { try LogStore(transaction: $0).find(position: index) }
        }
        guard let entry else { throw LogError.damaged("entry \(index) is gone") }
        return try await files.makeReceipt(entry, size: size, checkpoint: note, suite: suite)
    }

    /// Everything recorded about an account, with receipts.
    func entries(account: String) async throws -> [LoggedEntry] {
        let stored = try await database.read { transaction in
            try LogStore(transaction: transaction).list(account: account, limit: Limits.listing)
        }
        guard let last = stored.last else { return [] }
        try await seal(upTo: UInt64(last.position) + 1)
        return try stored.map { entry in
            LoggedEntry(
                index: entry.position, type: entry.type, time: entry.time,
                receipt: Interface.Receipt(
                    proof: try files.receipt(entry, size: state.size, checkpoint: checkpoint, suite: suite)))
        }
    }

    /// The newest checkpoint, whichever process has signed it.
    nonisolated func newestCheckpoint() async throws -> [UInt8] {
        Bytes(
            text: try await database.pointRead("log checkpoint") { try LogStore(transaction: $0).sealed() }.checkpoint)
    }

    /// A file of the log, or `nil` when there is none.
    nonisolated func file(_ path: String) throws -> [UInt8]? { try files.read(path) }

    /// Lets go of the entries that are remembered for their receipts: some were just deleted.
    func forget() { recent = RecentEntries() }

    /// How many entries are sealed.
    package var size: UInt64 { state.size }

    /// Waits until a checkpoint covers `size` entries.
    ///
    /// The sealing is nobody's request: one that is cancelled does not take the others with it.
    private func seal(upTo size: UInt64) async throws {
        guard state.size < size else { return }
        wanted = max(wanted, size)
        if !sealing {
            sealing = true
            Task { await drive() }
        }
        try await withCheckedThrowingContinuation { waiters.append((size, $0)) }
    }

    /// Seals batch after batch until nobody waits.
    ///
    /// A failure is told to all who wait; the next caller tries again.
    private func drive() async {
        defer { sealing = false }
        do {
            while state.size < wanted { try await sealBatch() }
        } catch {
            wanted = state.size
            let failed = waiters
            waiters = []
            failed.forEach { $0.continuation.resume(throwing: error) }
        }
    }

    private func sealBatch() async throws {
        let from = Int64(state.size)
        let (current, batch) = try await database.read { transaction in
            let store = LogStore(transaction: transaction)
            return (try store.sealed(), try store.pending(from: from, limit: Self.batch))
        }
        if current == sealed {
            guard !batch.isEmpty else { throw LogError.damaged("entry \(from) is not queued") }
            var next = state
            let writes = try next.append(batch.map { Bytes(text: $0.entry) }, suite: suite)
            try await files.write(writes)
            if try await publish(next) { recent.add(batch) } else { try await reload() }
        } else {
            try await reload()
        }
        let size = state.size
        let ready = waiters.filter { $0.size <= size }
        waiters.removeAll { $0.size <= size }
        ready.forEach { $0.continuation.resume() }
    }

    /// Signs and publishes a checkpoint of a state whose tiles are durable.
    ///
    /// - Returns: false if another process was first; then nothing is published.
    private func publish(_ next: TreeState) async throws -> Bool {
        let note = try signer.sign(size: next.size, root: next.root(suite: suite))
        let following = LogStore.Sealed(size: Int64(next.size), checkpoint: String(decoding: note, as: UTF8.self))
        let known = sealed
        guard try await database.write({ try LogStore(transaction: $0).advance(from: known, to: following) }) else {
            return false
        }
        try await files.publish(note)
        state = next
        sealed = following
        return true
    }

    /// Goes on from what another process has sealed.
    private func reload() async throws {
        let current = try await database.read { try LogStore(transaction: $0).sealed() }
        guard current.size >= sealed.size else { throw LogError.damaged("the database's log became shorter") }
        state = try files.state(of: current, signer: signer, suite: suite)
        sealed = current
        recent = RecentEntries()
    }
}

/// The entries sealed last, so that their receipts need no query.
private struct RecentEntries {
    private static let limit = 16_384
    private var entries: [LogStore.Stored] = []

    mutating func add(_ batch: [LogStore.Stored]) {
        if entries.count + batch.count > Self.limit { entries.removeFirst(min(entries.count, Self.limit / 2)) }
        entries += batch
    }

    /// Positions have no gaps, so that a position is a place.
    func find(_ position: Int64) -> LogStore.Stored? {
        guard let first = entries.first?.position, position >= first, position - first < Int64(entries.count) else {
            return nil
        }
        return entries[Int(position - first)]
    }
}
