import Storage

/// The languages that accounts keep, in the database.
struct AccountLanguageStore {
    let transaction: Transaction

    /// `nil` when the account keeps none.
    func find(of account: String) throws -> String? {
        try transaction.row("SELECT language FROM account_languages WHERE account = $1", [.text(account)])?
            .text("language")
    }

    /// - Parameter language: empty for none.
    func set(_ language: String, of account: String) throws {
        guard !language.isEmpty else {
            try transaction.execute("DELETE FROM account_languages WHERE account = $1", [.text(account)])
            return
        }
        try transaction.execute(
            """
            INSERT INTO account_languages (account, language) VALUES ($1, $2)
            ON CONFLICT (account) DO UPDATE SET language = excluded.language
            """, [.text(account), .text(language)])
    }
}
