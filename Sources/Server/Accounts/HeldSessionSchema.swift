import Storage

extension Schema {
    /// Until when a session is open that somebody holds; empty for all others.
    static let heldSessions = Migration(
        name: "accounts-held-sessions", statements: ["ALTER TABLE sessions ADD COLUMN held_until BIGINT"])
}
