/// The journal of vaults held against what the server has: tries at PINs, and ways in, of which one undoes another.
struct HammerVaultLedger {
    private let tables: HammerVaultTables
    /// The ids of accounts, by username.
    private let accounts: [String: String]

    init(_ tables: HammerTables) {
        self.tables = tables.vault
        accounts = Dictionary(tables.accounts.map { ($0.username, $0.id) }) { first, _ in first }
    }

    /// Tries that are not counted, or counted more often than they were made; slots that are not as they were left.
    func losses(_ acts: [HammerAct]) -> [String] {
        // A member does one act after the other.
        var members: [String: HammerVaultMemory] = [:]
        for act in acts where act.act.slice == "vault" {
            members[act.by, default: HammerVaultMemory()].take(act)
        }
        return members.sorted { $0.key < $1.key }.flatMap { name, memory in
            pins(memory, name) + slots(memory, name)
        }
    }

    /// Without a file of the guard the rules say so.
    private func pins(_ memory: HammerVaultMemory, _ name: String) -> [String] {
        guard let found = accounts[name].flatMap({ tables.guards[$0] }) else { return [] }
        return zip(memory.pins, zip(found.counts, found.sealed)).enumerated().flatMap { slot, pair -> [String] in
            let (pin, kept) = pair
            let words = "PIN slot \(slot) of \(name)"
            guard let count = kept.0, let sealed = kept.1 else { return ["\(words) is destroyed"] }
            return (pin.tries.contains(count) ? [] : ["\(words) counts \(count) tries, not \(Self.words(pin.tries))"])
                + (pin.contents.fault(of: sealed).map { ["\(words) \($0)"] } ?? [])
        }
    }

    private func slots(_ memory: HammerVaultMemory, _ name: String) -> [String] {
        memory.slots.sorted { $0.key < $1.key }.flatMap { id, slot -> [String] in
            let words = "set-slot of \(id) by \(name)"
            guard let stored = tables.slots[id] else {
                return slot.mayBeGone ? [] : ["\(words) is not there"]
            }
            guard stored.account == accounts[name] else { return ["\(words) is another account's"] }
            return slot.contents.fault(of: stored.sealed).map { ["\(words) \($0)"] } ?? []
        }
    }

    private static func words(_ tries: ClosedRange<Int>) -> String {
        tries.count == 1 ? "\(tries.lowerBound)" : "\(tries.lowerBound) to \(tries.upperBound)"
    }
}
