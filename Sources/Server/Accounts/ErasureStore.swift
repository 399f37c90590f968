import Interface
import Storage

/// Removes a person from the tables.
///
/// Rows about her go; a row that others' rows point to stays as a pseudonym, and the log's entries stay as numbers that
/// nothing opens.
struct ErasureStore {
    let transaction: Transaction

    /// The sealed packages that are hers: of her documents and of her links.
    func blobs(account: String) throws -> [String] {
        try transaction.rows(
            "SELECT blob FROM documents WHERE holder = $1 UNION SELECT blob FROM shares WHERE account = $1",
            [.text(account)]
        ).map { try $0.text("blob") }
    }

    /// Documents that verifiers still find valid, deleted by their holder or not.
    func validDocuments(account: String) throws -> [DocumentStore.Stored] {
        let ids = try transaction.rows(
            "SELECT id FROM documents WHERE holder = $1 AND revoked IS NULL ORDER BY issued, id", [.text(account)]
        ).map { try $0.text("id") }
        return try ids.compactMap { try DocumentStore(transaction: transaction).find(id: $0) }
    }

    /// Deletes what opens the log's entries about an account, but for one, which `keeper` may look up from now on.
    func forgetEntries(account: String, except position: Int64, keeper: String) throws {
        try transaction.execute(
            "UPDATE log_entries SET account = '', opening = '', record = '' WHERE account = $1 AND position <> $2",
            [.text(account), .integer(position)])
        try transaction.execute(
            "UPDATE log_entries SET account = $1 WHERE position = $2", [.text(keeper), .integer(position)])
    }

    /// Deletes everything about an account, and the account.
    ///
    /// - Parameter pseudonym: no username; takes its place where others' documents name this account as their issuer,
    ///   or others' requests and checks as who handled them.
    func remove(_ account: Account, pseudonym: String) throws {
        let (id, username) = (SQLValue.text(account.id), SQLValue.text(account.username))
        try transaction.execute(
            """
            DELETE FROM ceremonies WHERE username = $1 OR session IN (SELECT id FROM sessions WHERE account = $2)
                OR user_handle IN (SELECT user_handle FROM accounts WHERE id = $2 AND user_handle IS NOT NULL)
            """, [username, id])
        try transaction.execute("DELETE FROM challenges WHERE username = $1", [username])
        try transaction.execute("DELETE FROM pairings WHERE username = $1 OR account = $2", [username, id])
        for statement in [
            "DELETE FROM sessions WHERE account = $1", "DELETE FROM passkeys WHERE account = $1",
            "DELETE FROM shares WHERE account = $1", "DELETE FROM requests WHERE member = $1",
            "DELETE FROM enrolments WHERE holder = $1", "DELETE FROM documents WHERE holder = $1",
            "DELETE FROM delegations WHERE account = $1", "DELETE FROM handovers WHERE operator = $1",
            "UPDATE devices SET approved_by = NULL WHERE account = $1", "DELETE FROM devices WHERE account = $1",
        ] {
            try transaction.execute(statement, [id])
        }
        try SearchWords(transaction: transaction).remove(.accounts, account.id)
        guard try isNamedByOthers(account.id) else {
            try transaction.execute("DELETE FROM accounts WHERE id = $1", [id])
            return
        }
        try transaction.execute(
            """
            UPDATE accounts SET username = $1, name = '', passphrase = '', verified = 0, user_handle = NULL,
                blocked_reason = ''
            WHERE id = $2
            """, [.text(pseudonym), id])
    }

    private func isNamedByOthers(_ account: String) throws -> Bool {
        let found = try transaction.row(
            """
            SELECT (SELECT COUNT(*) FROM documents WHERE issuer = $1)
                + (SELECT COUNT(*) FROM requests WHERE administrator = $1)
                + (SELECT COUNT(*) FROM enrolments WHERE administrator = $1)
                + (SELECT COUNT(*) FROM workspace_documents WHERE changed_by = $1)
                + (SELECT COUNT(*) FROM invitations WHERE created_by = $1) AS total
            """, [.text(account)])
        return try found?.integer("total") != 0
    }
}
