import CryptoProvider
import Encodings
import Storage
import Synchronization
import Transparency

/// Seals what committed transactions have queued: tiles durable, then size and signed checkpoint in the database.
///
/// A process that dies anywhere in between leaves the old checkpoint true, and the next start goes on from it.
/// Processes that share a database and tiles may seal at once. Entries have one order, so they write the same tiles,
/// and the database takes the checkpoint of the first. The others read it and go on from there.
actor Sealer {
    private let signer: CheckpointSigner
    private let files: LogFiles
    private let database: any Database
    private let suite = SwiftCryptoSuite()
    private var state: TreeState
    /// What the database says of `state`.
    private(set) var sealed: LogStore.Sealed
    private let inForce: Visible<CurrentPolicy>
    /// The policy that was in force at the last look.
    nonisolated var policy: CurrentPolicy { inForce.value }
    private let recent = RecentEntries()
    /// What is sealed, if it may be published as it is: the policy that it was sealed under asks for no witness.
    var ready: LogStore.Sealed? { policy.policy.needsWitnesses ? nil : sealed }

    /// The most entries in one batch.
    private static let batch = 4_096

    /// Reads the right edge back and checks that it is what was signed.
    init(signer: CheckpointSigner, files: LogFiles, database: any Database) async throws {
        self.signer = signer
        self.files = files
        self.database = database
        let (sealed, policy) = try await database.read { transaction in
            try LogStore(transaction: transaction).standing(or: signer)
        }
        self.sealed = sealed
        inForce = Visible(policy)
        state = try await files.state(of: sealed, signer: signer, suite: suite)
        // Of an empty log too there is a checkpoint.
        if sealed.checkpoint.isEmpty, try await !advance(to: state) { try await reload() }
    }

    /// Seals the next batch, or takes over what another process has sealed.
    ///
    /// - Returns: how many entries are sealed then.
    func seal() async throws -> UInt64 {
        let from = Int64(state.size)
        let signer = signer
        let (current, batch, policy) = try await database.read { transaction in
            let store = LogStore(transaction: transaction)
            let (sealed, policy) = try store.standing(or: signer)
            return (sealed, try store.pending(from: from, limit: Self.batch), policy)
        }
        inForce.value = policy
        if current == sealed {
            guard !batch.isEmpty else { throw TransparencyLog.LogError.damaged("entry \(from) is not queued") }
            var next = state
            let writes = try next.append(batch.map { Bytes(text: $0.entry) }, suite: suite)
            try await files.write(writes, of: next)
            if try await advance(to: next) {
                recent.add(batch)
                files.removePartialForms(of: writes, inTreeOf: UInt64(from))
            } else {
                try await reload()
            }
        } else {
            try await reload()
        }
        return state.size
    }

    /// Lets go of the entries sealed last: some were just deleted.
    nonisolated func forget() { recent.forget() }

    /// One of the entries sealed last.
    nonisolated func find(_ position: Int64) -> LogStore.Stored? { recent.find(position) }

    /// Signs the checkpoint of a state whose tiles are durable, and puts it in the database.
    ///
    /// - Returns: false if another process was first, or the policy has changed; then nothing has.
    private func advance(to next: TreeState) async throws -> Bool {
        let (known, policy) = (sealed, policy)
        let note = try signer.sign(size: next.size, root: next.root(suite: suite), policy: policy.policy)
        let following = LogStore.Sealed(size: Int64(next.size), checkpoint: String(decoding: note, as: UTF8.self))
        let isTaken = try await database.write { transaction in
            try LogStore(transaction: transaction).advance(from: known, to: following, policy: policy.version)
        }
        guard isTaken else { return false }
        state = next
        sealed = following
        return true
    }

    /// Goes on from what another process has sealed.
    private func reload() async throws {
        let signer = signer
        let (current, policy) = try await database.read { try LogStore(transaction: $0).standing(or: signer) }
        guard current.size >= sealed.size else {
            throw TransparencyLog.LogError.damaged("the database's log became shorter")
        }
        state = try await files.state(of: current, signer: signer, suite: suite)
        sealed = current
        inForce.value = policy
        recent.forget()
    }
}

/// The entries sealed last, so that their receipts need no query.
private final class RecentEntries: Sendable {
    private static let limit = 16_384
    private let entries = Mutex<[LogStore.Stored]>([])

    func add(_ batch: [LogStore.Stored]) {
        entries.withLock { entries in
            if entries.count + batch.count > Self.limit { entries.removeFirst(min(entries.count, Self.limit / 2)) }
            entries += batch
        }
    }

    func forget() { entries.withLock { $0 = [] } }

    /// Positions have no gaps, so that a position is a place.
    func find(_ position: Int64) -> LogStore.Stored? {
        entries.withLock { entries in
            guard let first = entries.first?.position, position >= first, position - first < Int64(entries.count) else {
                return nil
            }
            return entries[Int(position - first)]
        }
    }
}
