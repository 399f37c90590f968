import Storage

extension Schema {
    /// What lists are walked along, page by page, and the words by which their rows are found.
    static let lists = Migration(
        name: "0009-lists",
        statements: [
            """
            CREATE TABLE search_words (
                list TEXT NOT NULL, item TEXT NOT NULL, word TEXT NOT NULL, PRIMARY KEY (list, item, word))
            """,
            "CREATE INDEX search_words_word ON search_words (list, word, item)",
            "CREATE INDEX accounts_list ON accounts (created, id)",
            "CREATE INDEX accounts_list_role ON accounts (role, verified, created, id)",
            "CREATE INDEX requests_list ON requests (created, id)",
            "CREATE INDEX requests_list_state ON requests (state, created, id)",
            "CREATE INDEX requests_list_member ON requests (member, created, id)",
            "DROP INDEX requests_member",
            "DROP INDEX requests_state",
            "CREATE INDEX documents_list ON documents (issued, id) WHERE deleted IS NULL",
            "CREATE INDEX documents_list_revoked ON documents (issued, id) WHERE deleted IS NULL AND revoked IS NOT NULL",
            "CREATE INDEX documents_list_valid ON documents (issued, id) WHERE deleted IS NULL AND revoked IS NULL",
            "CREATE INDEX documents_list_holder ON documents (holder, issued, id) WHERE deleted IS NULL",
            "CREATE INDEX log_entries_list ON log_entries (account, position)",
            "DROP INDEX log_entries_account",
        ])
}
