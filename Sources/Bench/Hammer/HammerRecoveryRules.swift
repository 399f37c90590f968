/// The rules that waits of accounts whose approvers are said to be lost must meet with the log: see ``HammerRules``.
struct HammerRecoveryRules {
    private let tables: HammerApprovalTables
    /// The ids of the accounts' devices, by account.
    private let devices: [String: [String]]

    init(_ tables: HammerTables) {
        self.tables = tables.approvals
        devices = Dictionary(grouping: tables.devices) { $0.account }.mapValues { $0.map(\.id) }
    }

    /// Everything that is there in part, in words.
    func halves() -> [String] {
        let waits = Dictionary(grouping: tables.waits) { $0.account }
        let accounts = Set(waits.keys).union(tables.waitEntries.keys).sorted()
        return accounts.flatMap { account -> [String] in
            let own = waits[account] ?? []
            return entries(account, own.count) + own.flatMap { parts($0) }
        }
    }

    /// A wait is there from the entry of its beginning to the entry of its end, once, and at no other time.
    private func entries(_ account: String, _ count: Int) -> [String] {
        let entries = tables.waitEntries[account] ?? []
        let begun = entries.count { $0 == Self.begun }
        let ended = entries.count - begun
        let inTurn = entries.enumerated().allSatisfy { number, type in (type == Self.begun) == (number % 2 == 0) }
        let words = "account \(account) waits \(count) times, with \(begun) beginnings and \(ended) ends in the log"
        return (count == begun - ended ? [] : [words])
            + (inTurn ? [] : ["the log of account \(account) does not begin and end waits in turn"])
    }

    /// Three days for the others to say no, and a day after them; begun by a device of the account.
    private func parts(_ wait: HammerApprovalTables.Wait) -> [String] {
        let isLong = wait.opens - wait.started == 3 * 86_400 && wait.closes - wait.opens == 86_400
        let isOwn = devices[wait.account]?.contains(wait.device) ?? false
        return (isLong ? [] : ["the wait of account \(wait.account) is not of three days"])
            + (isOwn ? [] : ["the wait of account \(wait.account) was begun by no device of it"])
    }

    private static let begun = "approval_recovery.begun"
}
