import Interface
import Storage

/// Recovery codes, and waiting times that were begun, in the database.
struct ApprovalRecoveryStore {
    let transaction: Transaction

    /// Gives an account other codes; those before end.
    ///
    /// - Parameters:
    ///   - marks: their stored forms.
    ///   - time: from when on they work.
    func replaceCodes(account: String, marks: [String], from time: Int64) throws {
        try transaction.execute("DELETE FROM approval_recovery_codes WHERE account = $1", [.text(account)])
        for mark in marks {
            try transaction.execute(
                "INSERT INTO approval_recovery_codes (account, mark, works) VALUES ($1, $2, $3)",
                [.text(account), .text(mark), .integer(time)])
        }
    }

    /// From when on a code works; `nil` for one that is not there.
    func works(account: String, mark: String) throws -> Int64? {
        try transaction.row(
            "SELECT works FROM approval_recovery_codes WHERE account = $1 AND mark = $2",
            [.text(account), .text(mark)])?.integer("works")
    }

    /// Uses a code up.
    func useCode(account: String, mark: String) throws {
        try transaction.execute(
            "DELETE FROM approval_recovery_codes WHERE account = $1 AND mark = $2", [.text(account), .text(mark)])
    }

    /// How many codes there are, and from when on they work.
    func codes(account: String) throws -> (count: Int, from: Int64?) {
        let row = try transaction.row(
            "SELECT COUNT(*) AS codes, MAX(works) AS works FROM approval_recovery_codes WHERE account = $1",
            [.text(account)])
        return (Int(try row?.integer("codes") ?? 0), try row?.optionalInteger("works"))
    }

    /// The waiting time of an account, unless its end is over too.
    func wait(account: String, now: Int64) throws -> ApprovalRecovery.Wait? {
        try transaction.row(
            "SELECT device, started, opens, closes FROM approval_recoveries WHERE account = $1 AND closes >= $2",
            [.text(account), .integer(now)]
        ).map {
            ApprovalRecovery.Wait(
                device: try $0.text("device"), started: try $0.integer("started"), opens: try $0.integer("opens"),
                closes: try $0.integer("closes"))
        }
    }

    /// Begins to wait; a time that is over goes.
    func begin(_ wait: ApprovalRecovery.Wait, id: String, account: String) throws {
        try end(account: account)
        try transaction.execute(
            """
            INSERT INTO approval_recoveries (id, account, device, started, opens, closes)
            VALUES ($1, $2, $3, $4, $5, $6)
            """,
            [
                .text(id), .text(account), .text(wait.device), .integer(wait.started), .integer(wait.opens),
                .integer(wait.closes),
            ])
    }

    func end(account: String) throws {
        try transaction.execute("DELETE FROM approval_recoveries WHERE account = $1", [.text(account)])
    }
}
