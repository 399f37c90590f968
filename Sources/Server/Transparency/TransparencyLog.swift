package import CryptoProvider
import Encodings
package import Interface
package import Storage
import Transparency

/// The log: takes entries in the transactions of the acts they record, and gives receipts.
///
/// An entry is queued in the transaction of the act it records; so there is no act without its entry and no entry
/// without its act. Then a batch is sealed (`Sealer`), signed by witnesses if the policy asks for them (`Cosigner`),
/// and published (`Publisher`). The next batch begins when the last is done, not by a timer. Without witnesses it is
/// done when it is published: so what comes before that shares one batch, one signature and one publication.
package final class TransparencyLog: Sendable {
    /// Why the log cannot go on.
    package enum LogError: Error, Equatable {
        /// Tiles, checkpoint and database do not belong together; serving them could show two histories.
        case damaged(String)
        /// Fewer witnesses than the policy asks for have signed: each one that has not, and why.
        case unwitnessed([String])
        /// The entry is stored with its act, but the storage that its receipt needs is full or failing.
        case unsealed(StorageError)
        /// No slice says that it writes entries of this type.
        case unclaimed(String)

        /// What a failure of the storage means once an act is durable: that of the act would say that nothing is stored.
        fileprivate static func afterAct(_ error: StorageError) -> any Error {
            switch error {
            case .busy, .full, .readOnly, .ioError, .objectStoreRefuses: LogError.unsealed(error)
            default: error
            }
        }
    }

    private let random: RandomSource
    private let files: LogFiles
    let database: any Database
    private let suite = SwiftCryptoSuite()
    let signer: CheckpointSigner
    /// What it was opened with.
    let parts: Parts
    private let sealer: Sealer
    private let cosigner: Cosigner
    private let publisher: Publisher
    private let sealing: Advance
    private let cosigning: Advance
    private let publishing: Advance

    /// What the log is opened with.
    package struct Parts: Sendable {
        /// Of checkpoint and tiles.
        let store: any BlobStore
        /// The log's name.
        let origin: String
        /// The keys that sign checkpoints, the oldest first.
        let keys: [LogSigningKey]
        /// Makes pseudonyms of accounts, 32 bytes: the secret in force.
        let labelSecret: @Sendable () -> [UInt8]
        let database: any Database
        let random: RandomSource
        let transport: any WitnessTransport
        let clock: ServerClock
        /// What may be written into the log.
        let events: Set<TrustEvent.Kind>

        /// The same with other keys.
        func with(keys: [LogSigningKey]) -> Parts {
            Parts(
                store: store, origin: origin, keys: keys, labelSecret: labelSecret, database: database, random: random,
                transport: transport, clock: clock, events: events)
        }

        /// The parts of a log.
        package init(
            store: any BlobStore, origin: String, keys: [LogSigningKey],
            labelSecret: @escaping @Sendable () -> [UInt8], database: any Database,
            random: RandomSource, transport: (any WitnessTransport)? = nil, clock: ServerClock = .system,
            events: Set<TrustEvent.Kind> = Set(Slice.all.events)
        ) {
            self.store = store
            self.origin = origin
            self.keys = keys
            self.labelSecret = labelSecret
            self.database = database
            self.random = random
            self.transport = transport ?? HTTPWitnessTransport()
            self.clock = clock
            self.events = events
        }
    }

    /// Opens the log, checks that what is published is what was signed, and seals what a crash left unsealed.
    package init(_ parts: Parts) async throws {
        self.parts = parts
        signer = try CheckpointSigner(origin: Bytes(text: parts.origin), keys: parts.keys)
        files = LogFiles(store: parts.store)
        random = parts.random
        database = parts.database
        // In this order: a checkpoint is in the database before it is published.
        let published = try await files.read("checkpoint")
        let (sealed, cosigned) = try await database.read { transaction in
            (try LogStore(transaction: transaction).sealed(), try LogPolicyStore(transaction: transaction).cosigned())
        }
        try files.check(published, isNotBeyond: sealed, signer: signer, suite: suite)
        let sealer = try await Sealer(signer: signer, files: files, database: database)
        let cosigner = Cosigner(
            signer: signer, files: files, database: database, transport: parts.transport, clock: parts.clock,
            cosigned: cosigned)
        let publisher = Publisher(signer: signer, files: files, database: database, published: published)
        self.sealer = sealer
        self.cosigner = cosigner
        self.publisher = publisher
        // The differences that a crash left between database and folder.
        let publishing = Advance(from: try await publisher.publish()) { try await publisher.publish() }
        self.publishing = publishing
        cosigning = Advance(from: UInt64(cosigned.size)) { try await cosigner.advance() }
        sealing = Advance(from: UInt64(await sealer.sealed.size)) {
            let size = try await sealer.seal()
            if let ready = await sealer.ready {
                await publisher.expect(ready)
                // If it fails, those who wait for the publication have it tried again, and hear why.
                try? await publishing.reach(UInt64(ready.size))
            }
            return size
        }
        let count = try await database.read { try LogStore(transaction: $0).count() }
        try await sealing.reach(UInt64(count))
        // That of witnesses who are away may come later.
        try await publisher.publish()
    }

    /// The key that signs checkpoints (C2SP signed-note): of a log without a policy the only one.
    package var verifierKey: String { String(decoding: signer.verifierKey.encoded(), as: UTF8.self) }

    /// Queues the entry of an act, in the act's own transaction.
    ///
    /// - Returns: the entry's index. Once the transaction is durable, `receipt` seals it.
    /// - Throws: `LogError.unclaimed` when no slice says that it writes such entries.
    package func record(_ event: TrustEvent, in transaction: Transaction, now: Int64) throws -> Int64 {
        try record(prepared(event, now: now), in: transaction)
    }

    /// An entry whose place in the log is still to be found.
    struct PreparedEntry: Sendable {
        fileprivate let account: String
        fileprivate let stored: LogStore.Stored
    }

    /// Makes the entry of an act before the act's transaction, while nobody waits for that.
    ///
    /// - Throws: as `record`.
    func prepared(_ event: TrustEvent, now: Int64) throws -> PreparedEntry {
        guard parts.events.contains(event.kind) else { throw LogError.unclaimed(event.kind.rawValue) }
        let opening = random.bytes(LogEntry.openingLength)
        let record = try event.record.canonical()
        let entry = try LogEntry(
            type: Bytes(text: event.kind.rawValue), time: now,
            label: LogEntry.label(account: event.subject, secret: parts.labelSecret(), suite: suite),
            commitment: LogEntry.commitment(record: event.record, opening: opening, suite: suite)
        ).encoded()
        return PreparedEntry(
            account: event.account,
            stored: LogStore.Stored(
                position: 0, type: event.kind.rawValue, time: now, entry: String(decoding: entry, as: UTF8.self),
                opening: opening.base64URL, record: String(decoding: record, as: UTF8.self)))
    }

    /// Queues an entry that was prepared, in the transaction of its act.
    ///
    /// - Returns: as `record`.
    func record(_ entry: PreparedEntry, in transaction: Transaction) throws -> Int64 {
        try LogStore(transaction: transaction).append(account: entry.account) { position in
            var stored = entry.stored
            stored.position = position
            return stored
        }
    }

    /// The receipt of an entry whose transaction is durable, under a checkpoint that covers it.
    ///
    /// - Parameter isNew: whether the entry was stored for this very request: then every checkpoint that covers it is
    ///   newer than the request, and no newer one need be looked for.
    /// - Throws: `LogError.unwitnessed` when too few witnesses sign, `LogError.unsealed` when the storage fails: the act
    ///   is done, its receipt comes later.
    package func receipt(_ index: Int64, isNew: Bool = false) async throws -> Interface.Receipt {
        do {
            return try await sealedReceipt(index, isNew: isNew)
        } catch let error as StorageError {
            throw LogError.afterAct(error)
        }
    }

    private func sealedReceipt(_ index: Int64, isNew: Bool) async throws -> Interface.Receipt {
        let head = try await head(covering: UInt64(index) + 1, isNew: isNew)
        var entry = sealer.find(index)
        if entry == nil {
            entry = try await database.read { try LogStore(transaction: $0).find(position: index) }
        }
        guard let entry else { throw LogError.damaged("entry \(index) is gone") }
        return try await files.receipt(
            entry, size: UInt64(head.size), checkpoint: Bytes(text: head.checkpoint), suite: suite)
    }

    /// Begins to seal an entry whose transaction is durable, and waits until the batch that is then under way is done.
    ///
    /// What is stored before that is sealed after it all the same. So those who store many entries store them together
    /// then, in one batch. A batch that hangs, as with a bucket that does not answer, keeps nobody from storing.
    func sealNext(_ index: Int64, atMost patience: Duration = TransparencyLog.patience) async {
        await sealing.awaitStep(towards: UInt64(index) + 1, atMost: patience)
    }

    /// How long at most those wait who would store more together: under load a batch takes much less.
    static let patience: Duration = .seconds(1)

    /// The receipts of entries whose transactions are durable, by index, all under one checkpoint.
    ///
    /// They are for lists: no act has just been stored for them.
    ///
    /// - Throws: `LogError.unwitnessed`, `StorageError`.
    func receipts(_ positions: [Int64]) async throws -> [Int64: Interface.Receipt] {
        guard let last = positions.max() else { return [:] }
        let head = try await head(covering: UInt64(last) + 1)
        let stored = try await database.read { try LogStore(transaction: $0).find(positions: positions) }
        return try await receipts(stored, head)
    }

    private func receipts(
        _ stored: [LogStore.Stored], _ head: LogStore.Sealed
    ) async throws -> [Int64: Interface.Receipt] {
        var receipts: [Int64: Interface.Receipt] = [:]
        for entry in stored {
            receipts[entry.position] = try await files.receipt(
                entry, size: UInt64(head.size), checkpoint: Bytes(text: head.checkpoint), suite: suite)
        }
        return receipts
    }

    /// The newest records of one kind about an account: where each is in the log, and its canonical JSON.
    func records(
        of kind: TrustEvent.Kind, account: String, limit: Int, in transaction: Transaction
    ) throws -> [(position: Int64, record: String)] {
        try LogStore(transaction: transaction).list(account: account, type: kind.rawValue, limit: limit)
            .map { ($0.position, $0.record) }
    }

    /// The records about an account, with receipts, newest first.
    ///
    /// - Parameter kinds: those of the entries, at least one; `nil` for all.
    func entries(
        account: String, kinds: [TrustEvent.Kind]? = nil, _ request: ListRequest = ListRequest(limit: Limits.listing)
    ) async throws -> Listing<LoggedEntry> {
        let (stored, next, counts) = try await database.read { transaction in
            try LogListStore(transaction: transaction).page(account: account, types: kinds?.map(\.rawValue), request)
        }
        var listing = Listing<LoggedEntry>([], next: next?.text, counts: counts)
        guard let first = stored.first else { return listing }
        let receipts = try await self.receipts(stored, try await head(covering: UInt64(first.position) + 1))
        listing.items = stored.compactMap { entry in
            receipts[entry.position].map {
                LoggedEntry(index: entry.position, type: entry.type, time: entry.time, receipt: $0)
            }
        }
        return listing
    }

    /// The newest checkpoint that may be shown, whichever process has signed it.
    func newestCheckpoint() async throws -> [UInt8] {
        Bytes(text: try await shown().checkpoint)
    }

    /// A file of the log, or `nil` when there is none.
    func file(_ path: String) async throws -> [UInt8]? { try await files.read(path) }

    /// Lets go of the entries that are remembered for their receipts: some were just deleted.
    func forget() async { sealer.forget() }

    /// How many entries are sealed.
    package var size: UInt64 { get async { UInt64(await sealer.sealed.size) } }

    /// How many entries are in the checkpoint that this process published last.
    var publishedSize: UInt64 { get async { UInt64(publisher.shown.size) } }

    /// The first key that signs as the text of a policy says.
    func verifierKey(named policy: String?) -> String {
        guard let policy, let parsed = try? LogPolicy.read(Bytes(text: policy)) else { return verifierKey }
        let key = signer.verifierKeys.first { key in parsed.logs.contains { $0.key == key } }
        return key.map { String(decoding: $0.encoded(), as: UTF8.self) } ?? verifierKey
    }

    /// The verifier keys that this server can sign with, the oldest first.
    var verifierKeys: [String] { signer.verifierKeys.map { String(decoding: $0.encoded(), as: UTF8.self) } }

    /// Tries a policy on the newest checkpoint.
    ///
    /// - Returns: the checkpoint as it would be shown, `nil` when the policy asks for no witness.
    /// - Throws: `LogError.unwitnessed`.
    func preview(_ policy: LogPolicy) async throws -> Bytes? {
        guard policy.needsWitnesses else { return nil }
        let sealed = try await database.read { try LogStore(transaction: $0).sealed() }
        return try await cosigner.cosign(sealed, policy)
    }

    /// Has the witnesses sign what they have not signed yet: when some were away, nobody else would ask again.
    func catchUp() async throws {
        let size = try await database.read { try LogStore(transaction: $0).count() }
        _ = try await head(covering: UInt64(size))
    }

    /// The newest checkpoint that may be shown.
    private func shown() async throws -> LogStore.Sealed {
        try await database.pointRead("log checkpoint") { [signer] in
            try LogPolicyStore(transaction: $0).shown(signer)
        }
    }

    /// A published checkpoint that covers `size` entries.
    ///
    /// - Parameter isNew: as of `receipt`.
    private func head(covering size: UInt64, isNew: Bool = false) async throws -> LogStore.Sealed {
        var wasSealed = false
        if !isNew { wasSealed = UInt64(await sealer.sealed.size) >= size }
        try await sealing.reach(size)
        if sealer.policy.policy.needsWitnesses { try await cosigning.reach(size) }
        try await publishing.reach(size)
        if wasSealed {
            // Another process may have got a later one signed since, or for another policy.
            let newest = try await shown()
            if UInt64(newest.size) >= size { return newest }
        }
        return publisher.shown
    }
}
