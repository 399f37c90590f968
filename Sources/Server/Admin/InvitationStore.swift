import Interface
import Storage

/// Invitations in the database.
///
/// A code's hash is stored, never the code.
struct InvitationStore {
    let transaction: Transaction

    static let columns = "id, role, recipient, created, expires, used"

    func insert(_ invitation: Invitation, codeHash: String, by account: String) throws {
        try transaction.execute(
            """
            INSERT INTO invitations (id, code_hash, role, created_by, created, expires, recipient)
            VALUES ($1, $2, $3, $4, $5, $6, $7)
            """,
            [
                .text(invitation.id), .text(codeHash), .text(invitation.role.rawValue), .text(account),
                .integer(invitation.created), .integer(invitation.expires), .text(invitation.recipient ?? ""),
            ])
        try words.set(.invitations, invitation.id, sort: "", [invitation.recipient ?? ""])
    }

    /// The words by which invitations are found: those of the people whom they are for.
    private var words: SearchWordStore { SearchWordStore(transaction: transaction) }

    /// Gives words to invitations that were there before there were words, once.
    static func fillWords(in database: any Database) async throws {
        try await SearchWordStore.fill(.invitations, in: database) { last, transaction in
            try transaction.rows(
                "SELECT id, recipient FROM invitations WHERE id > $1 ORDER BY id LIMIT 500", [.text(last)]
            ).map { (try $0.text("id"), "", [try $0.text("recipient")]) }
        }
    }

    /// Uses an invitation up.
    ///
    /// - Returns: its role, or `nil` when the code is unknown, used or expired.
    func consume(codeHash: String, now: Int64) throws -> Role? {
        let changed = try transaction.changes(
            "UPDATE invitations SET used = $1 WHERE code_hash = $2 AND used IS NULL AND expires > $1",
            [.integer(now), .text(codeHash)])
        guard changed > 0 else { return nil }
        return try transaction.row(
            "SELECT \(Self.columns) FROM invitations WHERE code_hash = $1",
            [.text(codeHash)]
        ).map { try Self.invitation($0).role }
    }

    /// How many invitations could still be used.
    func countOpen(now: Int64) throws -> Int64 {
        try transaction.row(
            "SELECT COUNT(*) AS open FROM invitations WHERE used IS NULL AND expires > $1", [.integer(now)])?
            .integer("open") ?? 0
    }

    /// Withdraws every invitation that nobody has used.
    func deleteOpen() throws {
        try transaction.execute(
            """
            DELETE FROM search_words
            WHERE list = $1 AND item IN (SELECT id FROM invitations WHERE used IS NULL)
            """, [.text(SearchWordStore.List.invitations.rawValue)])
        try transaction.execute("DELETE FROM invitations WHERE used IS NULL", [])
    }

    /// Withdraws an invitation nobody has used.
    ///
    /// - Returns: whether there was one.
    func delete(id: String) throws -> Bool {
        let changed = try transaction.changes(
            "DELETE FROM invitations WHERE id = $1 AND used IS NULL", [.text(id)])
        guard changed > 0 else { return false }
        try words.remove(.invitations, id)
        return true
    }

    static func invitation(_ row: Row) throws -> Invitation {
        guard let role = Role(rawValue: try row.text("role")) else {
            throw StoredValueError(column: "invitations.role")
        }
        let recipient = try row.text("recipient")
        return Invitation(
            id: try row.text("id"), role: role, recipient: recipient.isEmpty ? nil : recipient,
            created: try row.integer("created"), expires: try row.integer("expires"),
            used: try row.optionalInteger("used"))
    }
}
