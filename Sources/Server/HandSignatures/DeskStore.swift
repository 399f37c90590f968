import Interface
import Storage

/// The organisation's settings for its desks, in the database.
struct DeskStore {
    let transaction: Transaction

    /// One row, or what holds before there is one: nothing is allowed that can be done without.
    struct Settings {
        var learns = false
        var takesPlace = false
        var takesPhotographs = false
        /// A P-256 point, base64url.
        var forensicKey: String?
    }

    func settings() throws -> Settings {
        try transaction.row(
            "SELECT learns, takes_place, takes_photographs, forensic_key FROM desk_settings WHERE id = 1", []
        ).map { row in
            let key = try row.text("forensic_key")
            return Settings(
                learns: try row.integer("learns") == 1, takesPlace: try row.integer("takes_place") == 1,
                takesPhotographs: try row.integer("takes_photographs") == 1, forensicKey: key.isEmpty ? nil : key)
        } ?? Settings()
    }

    func set(_ settings: Settings) throws {
        try transaction.execute("DELETE FROM desk_settings", [])
        try transaction.execute(
            """
            INSERT INTO desk_settings (id, learns, takes_place, takes_photographs, forensic_key)
            VALUES (1, $1, $2, $3, $4)
            """,
            [
                .integer(settings.learns ? 1 : 0), .integer(settings.takesPlace ? 1 : 0),
                .integer(settings.takesPhotographs ? 1 : 0), .text(settings.forensicKey ?? ""),
            ])
    }

    // MARK: Operators

    /// Whether an account has ever edited the desk's documents: rows name the last editor only, and the log names all.
    ///
    /// What else it did at the desk, rows name for good (``Slice/handSignatures``).
    func hasEdited(_ account: String) throws -> Bool {
        try transaction.row(
            "SELECT position FROM log_entries WHERE account = $1 AND type LIKE 'workspace.%'", [.text(account)])
            != nil
    }
}
