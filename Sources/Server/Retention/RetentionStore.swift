import Storage

/// What is kept for a while only: one table, which docs/operations.md shows.
struct RetentionStore {
    let transaction: Transaction

    /// Something that is removed, or emptied, some time after it is over.
    enum Rule: String, CaseIterable {
        case sessions, challenges, ceremonies, pairings, invitations, enrolments, shares, requests, handovers, signings,
            tickets, attempts

        /// Seconds that it is kept after it is over.
        func time(_ days: ServerConfiguration.KeepDays) -> Int64 {
            switch self {
            // One that is over counts among the failures of its session until then.
            case .sessions, .challenges, .ceremonies: 0
            case .pairings: Limits.pairingMemory
            case .invitations: days.invitations * 86_400
            case .enrolments: days.checks * 86_400
            case .shares: days.links * 86_400
            case .requests: days.requestNotes * 86_400
            case .handovers, .tickets: 0
            case .attempts: Limits.attemptMemory
            case .signings: Limits.signingTime
            }
        }

        /// Takes the last moment at which it may be over, and how many rows to change at the most.
        fileprivate var statement: String {
            switch self {
            case .sessions:
                "DELETE FROM sessions WHERE id IN (SELECT id FROM sessions WHERE expires <= $1 LIMIT $2)"
            case .challenges:
                "DELETE FROM challenges WHERE nonce IN (SELECT nonce FROM challenges WHERE expires <= $1 LIMIT $2)"
            case .ceremonies:
                """
                DELETE FROM ceremonies WHERE challenge IN (
                    SELECT challenge FROM ceremonies WHERE expires <= $1 AND purpose <> 'confirmation' LIMIT $2)
                """
            case .pairings:
                "DELETE FROM pairings WHERE id IN (SELECT id FROM pairings WHERE expires <= $1 LIMIT $2)"
            case .invitations:
                "DELETE FROM invitations WHERE id IN (SELECT id FROM invitations WHERE expires <= $1 LIMIT $2)"
            case .enrolments:
                "DELETE FROM enrolments WHERE id IN (SELECT id FROM enrolments WHERE expires <= $1 LIMIT $2)"
            case .shares:
                "DELETE FROM shares WHERE id IN (SELECT id FROM shares WHERE expires <= $1 LIMIT $2)"
            case .handovers:
                "DELETE FROM handovers WHERE id IN (SELECT id FROM handovers WHERE expires <= $1 LIMIT $2)"
            case .tickets:
                "DELETE FROM signing_tickets WHERE hash IN (SELECT hash FROM signing_tickets WHERE expires <= $1 LIMIT $2)"
            case .attempts:
                "DELETE FROM desk_attempts WHERE id IN (SELECT id FROM desk_attempts WHERE last <= $1 LIMIT $2)"
            case .signings:
                """
                UPDATE signings SET pending = NULL WHERE id IN (
                    SELECT id FROM signings WHERE pending IS NOT NULL AND created <= $1 LIMIT $2)
                """
            case .requests:
                """
                UPDATE requests SET note = '', reason = '' WHERE id IN (
                    SELECT id FROM requests WHERE state = 'cancelled' AND changed <= $1
                        AND (note <> '' OR reason <> '') LIMIT $2)
                """
            }
        }
    }

    /// Applies a rule to some rows.
    ///
    /// - Returns: how many.
    func apply(_ rule: Rule, _ days: ServerConfiguration.KeepDays, now: Int64, limit: Int) throws -> Int {
        try transaction.execute(rule.statement, [.integer(now - rule.time(days)), .integer(Int64(limit))])
    }
}
