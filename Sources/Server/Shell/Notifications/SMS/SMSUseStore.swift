import Storage

/// The SMS of the last day, in the database: each costs the operator money, and somebody may earn by it.
///
/// So numbers, accounts and the whole server have bounds, which removing and adding a number does not lift. All servers
/// of a database count together: its writers come one after another.
struct SMSUseStore {
    let transaction: Transaction

    /// One message; the same sent again counts once.
    struct Use: Sendable {
        let id: String
        let account: String
        let number: String
        let isCode: Bool
        /// Seconds since 1970.
        let sent: Int64
    }

    /// So many in so many seconds, of those that a condition picks.
    private struct Bound {
        let count: Int
        let seconds: Int64
        let condition: String
        var values: [SQLValue] = []
    }

    /// Counts a message, if it may be sent now.
    ///
    /// - Parameter perHour: messages of all accounts in an hour; codes may be half of them, so that they keep no notices
    ///   waiting.
    /// - Returns: `nil` if it may; otherwise the seconds to wait.
    func take(_ use: Use, perHour: Int) throws -> Int64? {
        let known = try transaction.row("SELECT id FROM notification_sms WHERE id = $1", [.text(use.id)])
        guard known == nil else { return nil }
        let number: [SQLValue] = [.text(use.number)]
        var bounds = [
            Bound(count: Limits.smsToNumberInHour, seconds: 3_600, condition: "number = $1", values: number),
            Bound(count: Limits.smsToNumberInDay, seconds: 86_400, condition: "number = $1", values: number),
            Bound(count: perHour, seconds: 3_600, condition: "1 = 1"),
        ]
        if use.isCode {
            bounds += [
                Bound(
                    count: Limits.smsCodes, seconds: 86_400, condition: "account = $1 AND is_code = 1",
                    values: [.text(use.account)]),
                Bound(
                    count: Limits.smsCodes, seconds: 86_400, condition: "number = $1 AND is_code = 1", values: number),
                Bound(count: max(1, perHour / 2), seconds: 3_600, condition: "is_code = 1"),
            ]
        }
        let waits = try bounds.compactMap { try wait($0, at: use.sent) }
        if let longest = waits.max() { return longest }
        try transaction.execute(
            "INSERT INTO notification_sms (id, account, number, is_code, sent) VALUES ($1, $2, $3, $4, $5)",
            [.text(use.id), .text(use.account), .text(use.number), .integer(use.isCode ? 1 : 0), .integer(use.sent)])
        return nil
    }

    /// Seconds until there is room for one more; `nil` when there is.
    private func wait(_ bound: Bound, at now: Int64) throws -> Int64? {
        let row = try transaction.row(
            """
            SELECT sent FROM notification_sms WHERE \(bound.condition) AND sent > \(now - bound.seconds)
            ORDER BY sent DESC LIMIT 1 OFFSET \(bound.count - 1)
            """, bound.values)
        return try row.map { max(1, try $0.integer("sent") + bound.seconds - now) }
    }
}
