import Storage

/// Wraps the keys of live rows under the key of this week, then destroys keys of weeks that are over.
///
/// What was deleted before is then under destroyed keys in every copy of the database, its write-ahead log and its
/// backups. Any number of processes may do it at once, and any of them may be killed at any moment.
struct VaultShredding: Sendable {
    let environment: Environment
    let epochs: VaultEpochs

    /// Rows of one transaction.
    static let together = 500
    /// The same for things in inboxes: all that is sealed of one is wrapped, and not a key alone.
    static let dropsTogether = 50

    init(environment: Environment) { self.init(environment: environment, epochs: VaultEpochs(environment)) }

    init(environment: Environment, epochs: VaultEpochs) { (self.environment, self.epochs) = (environment, epochs) }

    /// Wraps some rows of earlier weeks again.
    ///
    /// A row whose key is not there is set aside as it is: an old backup was restored, or the folder is still to be
    /// brought.
    ///
    /// - Returns: how many.
    func wrap() async throws -> Int {
        let current = try await epochs.current()
        var count = 0
        for table in VaultEpochStore.Table.allCases {
            let limit = table == .drops ? Self.dropsTogether : Self.together
            let needed = try await environment.database.read { transaction in
                Set(
                    try VaultEpochStore(transaction: transaction).before(current.number, in: table, limit: limit)
                        .map(\.epoch))
            }
            guard !needed.isEmpty else { continue }
            let known = try await epochs.find(needed)
            count += try await environment.database.write { transaction in
                let store = VaultEpochStore(transaction: transaction)
                // Read again: others may have wrapped or removed them. Those of further weeks wait for the next turn.
                let rows = try store.before(current.number, in: table, limit: limit)
                    .filter { needed.contains($0.epoch) }
                for row in rows { try store.set(Self.wrap(row, of: table, known, current), in: table) }
                return rows.count
            }
        }
        return count
    }

    private static func wrap(
        _ row: VaultEpochStore.Wrapped, of table: VaultEpochStore.Table, _ known: [Int64: VaultEpoch],
        _ current: VaultEpoch
    ) throws -> VaultEpochStore.Wrapped {
        let place: VaultEpoch.Place =
            switch table {
            case .nodes: .node(row.id, compartment: row.compartment)
            case .versions: .version(row.id, compartment: row.compartment)
            case .drops: .drop(row.id, compartment: row.compartment)
            }
        var next = row
        if let key = known[row.epoch]?.unwrap(row.wrapped, of: place) {
            (next.wrapped, next.epoch) = (try current.wrap(key, of: place), current.number)
        } else {
            next.epoch = -1 - row.epoch
        }
        return next
    }

    /// Destroys the keys of weeks that are over and that no row needs.
    ///
    /// - Returns: their weeks.
    @discardableResult
    func destroy() async throws -> [Int64] {
        let now = environment.now()
        var destroyed: [Int64] = []
        for number in try await epochs.numbers() where VaultEpochs.isOver(number, at: now) {
            let isUsed = try await environment.database.read {
                try VaultEpochStore(transaction: $0).isUsed(number)
            }
            guard !isUsed else { continue }
            try await epochs.destroy(number)
            destroyed.append(number)
        }
        return destroyed
    }

    /// Brings back what was set aside and whose key is there by now: at a start, and before keys are destroyed.
    func bringBack() async throws {
        let aside = try await environment.database.read { try VaultEpochStore(transaction: $0).setAside() }
        let known = try await epochs.find(aside)
        guard !known.isEmpty else { return }
        try await environment.database.write { transaction in
            for number in known.keys { try VaultEpochStore(transaction: transaction).bringBack(number) }
        }
    }
}
