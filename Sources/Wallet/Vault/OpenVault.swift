import CryptoProvider
import Encodings
import Interface
package import Vault

/// A compartment that is open: what is in it, as the server has it and as this device has checked it.
///
/// Nothing is believed before the head vouches for it, and nothing older than this device has seen.
package actor OpenVault {
    /// The compartment's keys.
    package nonisolated let compartment: Compartment
    nonisolated let server: any VaultServer
    nonisolated let suite = SwiftCryptoSuite()
    /// Seconds since 1970.
    nonisolated let now: @Sendable () -> Int64
    /// Where this device remembers what it has seen.
    nonisolated let folder: VaultFolder
    /// How long to wait before something is asked again of a server that was away.
    nonisolated let pauses: [Duration]
    /// Whether others may have written here: then no folder in it stands for another compartment.
    nonisolated let isInner: Bool

    /// All records, those in the trash too.
    var records: [NodeID: KeptRecord] = [:]
    /// All nodes that open.
    var tree: VaultTree
    /// The locks of items that are open.
    var locks: [ItemLock] = []
    private(set) var head = VaultHead()
    private var seen: SeenState
    /// Bytes of contents and metadata, as the server counts them.
    package private(set) var bytes: Int64 = 0
    /// The most that there may be.
    package private(set) var quota: Int64 = 0
    /// What is in each folder; made when it is asked for.
    private var byFolder: [NodeID: [NodeID]]?

    /// How often a change is made again when other devices are quicker.
    static let tries = 8
    /// The most records of a compartment, removed ones too, before a server is believed to go on for ever.
    private static let mostRecords = 1_000_000

    /// Two minutes in all.
    package static let usualPauses: [Duration] =
        [.milliseconds(500), .seconds(2), .seconds(5)]
        + Array(repeating: .seconds(15), count: 8)

    /// Reads a compartment whole, and checks it.
    ///
    /// - Parameter isInner: whether others may have written there, because it is a shared folder.
    package init(
        _ compartment: Compartment, server: any VaultServer, folder: VaultFolder, isInner: Bool = false,
        pauses: [Duration] = OpenVault.usualPauses, now: @escaping @Sendable () -> Int64 = systemTime
    ) async throws {
        self.isInner = isInner
        self.compartment = compartment
        self.server = server
        self.folder = folder
        self.pauses = pauses
        self.now = now
        seen = try folder.seen(compartment)
        tree = try VaultTree([], of: compartment, suite: suite)
        try await read(after: nil)
    }

    /// How often the compartment was changed.
    package var sequence: UInt64 { head.sequence }

    /// Reads what other devices have changed.
    package func refresh() async throws { try await read(after: head.sequence) }

    private func read(after sequence: UInt64?) async throws {
        let id = compartment.id.text
        var after = String(sequence ?? 0)
        var found: [NodeID: KeptRecord?] = [:]
        var lost = 0
        while true {
            let page = try await server.vaultNodes(of: id, after: after)
            for node in page.items {
                guard let name = NodeID(text: node.id) else { throw VaultFault.broken }
                do {
                    found[name] =
                        node.removed != nil
                        ? .some(nil) : KeptRecord(record: try NodeRecord(node), trashed: node.trashed)
                } catch VaultFault.lost {
                    lost += 1
                }
            }
            guard let next = page.next else {
                guard lost == 0 else { throw VaultFault.lost(lost) }
                return try take(found, page, isWhole: sequence == nil)
            }
            guard next != after, !page.items.isEmpty, found.count + lost < Self.mostRecords else {
                throw VaultFault.broken
            }
            after = next
        }
    }

    /// Checks an answer as a whole, and only then remembers it.
    private func take(_ found: [NodeID: KeptRecord?], _ page: VaultNodes, isWhole: Bool) throws {
        var next = isWhole ? [:] : records
        for (id, record) in found {
            if let record { next[id] = record } else { next[id] = nil }
        }
        let all = next.values.map(\.record)
        let live = next.values.filter { $0.trashed == nil }.map(\.record)
        let head: VaultHead
        do {
            head = try VaultHead(page.head.fromBase64URL ?? [], of: compartment, suite: suite)
        } catch {
            throw VaultFault.broken
        }
        guard head.sequence == UInt64(exactly: page.sequence) else { throw VaultFault.broken }
        guard head.sequence >= seen.sequence else { throw VaultFault.rolledBack }
        do {
            try head.check(live, in: compartment, suite: suite)
        } catch {
            throw VaultFault.broken
        }
        try remember(head, all)
        let isSame = !isWhole && found.isEmpty
        records = next
        (bytes, quota) = (page.bytes, page.quota)
        if !isSame { try grow() }
    }

    private func remember(_ head: VaultHead, _ all: [NodeRecord]) throws {
        do throws(VaultError) {
            try seen.check(head, all)
        } catch .rolledBack {
            throw VaultFault.rolledBack
        }
        try folder.remember(seen, of: compartment)
        self.head = head
    }

    /// Opens all records, from the root down.
    private func grow() throws {
        tree = try VaultTree(records.values.map(\.record), of: compartment, with: locks, suite: suite)
        byFolder = nil
    }

    /// Opens the items that these locks are before.
    package func unlock(_ opened: [ItemLock]) throws {
        locks += opened
        try grow()
    }

    /// Changes the compartment.
    ///
    /// - Parameter make: gives what is to be done in the present state; it is called again if another device was quicker.
    package func change(_ make: @Sendable (isolated OpenVault) throws -> VaultEdit) async throws {
        for attempt in 0..<Self.tries {
            let edit = try make(self)
            guard !edit.isEmpty else { return }
            let (change, next) = try prepared(edit)
            do {
                let answer = try await server.changeVault(compartment.id.text, change)
                return try apply(edit, next, answer)
            } catch let error as ProblemError where error.problem.error == "sequence" {
                if attempt > 1 { try await Task.sleep(for: .milliseconds(Int.random(in: 10...100) << attempt)) }
                try await refresh()
            } catch  where Self.isUncertain(error) {
                guard try await isDone(edit) else { throw error }
                return
            }
        }
        throw VaultFault.contended
    }

    /// A change as the server takes it, and the head that the compartment then has.
    func prepared(_ edit: VaultEdit) throws -> (change: VaultChange, head: VaultHead) {
        let next = try head(after: edit)
        let change = VaultChange(
            sequence: Int64(clamping: head.sequence),
            head: try next.sealed(of: compartment, suite: suite).base64URL, put: edit.records.map(\.put),
            trash: edit.trash.map(\.text), restore: edit.restore.map(\.text), remove: edit.remove.map(\.text))
        return (change, next)
    }

    private func head(after edit: VaultEdit) throws -> VaultHead {
        func live(_ id: NodeID) -> NodeRecord? { records[id].flatMap { $0.trashed == nil ? $0.record : nil } }
        let stored = edit.records
        let removed = (stored.map(\.id) + edit.trash + edit.remove).compactMap(live)
        // What is in the trash stays there when it is changed.
        let added =
            stored.filter { records[$0.id]?.trashed == nil } + edit.restore.compactMap { records[$0]?.record }
        return try head.changed(removing: removed, adding: added, in: compartment, suite: suite)
    }

    /// Takes over what the server has done.
    ///
    /// - Throws: `broken` if it is at another sequence than this change leads to.
    func apply(_ edit: VaultEdit, _ next: VaultHead, _ answer: VaultChanged) throws {
        guard UInt64(exactly: answer.sequence) == next.sequence else { throw VaultFault.broken }
        for record in edit.records {
            records[record.id] = KeptRecord(record: record, trashed: records[record.id]?.trashed)
        }
        for id in edit.trash { records[id]?.trashed = now() }
        for id in edit.restore { records[id]?.trashed = nil }
        for id in edit.remove { records[id] = nil }
        (bytes, quota) = (answer.bytes, answer.quota)
        try remember(next, records.values.map(\.record))
        guard edit.wrapped.isEmpty, edit.put.allSatisfy({ $0.locks.isEmpty }) else { return try grow() }
        for node in edit.put { tree.put(node) }
        for id in edit.remove { tree.remove(id) }
        byFolder = nil
    }

    /// Whether nobody knows if the server has done what was asked.
    static func isUncertain(_ error: any Error) -> Bool {
        switch error {
        case WalletError.unreachable: true
        case let error as ProblemError: error.problem.status >= 500 || error.problem.status == 408
        default: false
        }
    }

    /// Whether a change whose answer was lost is there.
    func isDone(_ edit: VaultEdit) async throws -> Bool {
        let before = head.sequence
        for wait in [200, 1_000, 3_000] {
            try await Task.sleep(for: .milliseconds(wait))
            guard (try? await refresh()) != nil else { continue }
            guard head.sequence > before else { return false }
            return edit.records.allSatisfy { records[$0.id]?.record == $0 }
                && edit.trash.allSatisfy { records[$0].map { $0.trashed != nil } ?? true }
                && edit.restore.allSatisfy { records[$0].map { $0.trashed == nil } ?? false }
                && edit.remove.allSatisfy { records[$0] == nil }
        }
        return false
    }

    /// The ids of what is in a folder, those in the trash too.
    func children(_ folder: NodeID) -> [NodeID] {
        if let byFolder { return byFolder[folder] ?? [] }
        var made: [NodeID: [NodeID]] = [:]
        for node in tree.nodes { made[node.parent, default: []].append(node.id) }
        for node in tree.locked { made[node.parent, default: []].append(node.record.id) }
        byFolder = made
        return made[folder] ?? []
    }
}
