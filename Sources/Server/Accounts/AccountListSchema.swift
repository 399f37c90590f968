import Storage

extension Schema {
    /// The index along which the list of accounts is walked, page by page, and the words by which rows of lists are
    /// found.
    ///
    /// Words are those of people so far: they are the accounts' own, and go with an account.
    static let accountLists = Migration(
        name: "0009-account-lists",
        statements: [
            """
            CREATE TABLE search_words (
                list TEXT NOT NULL, item TEXT NOT NULL, word TEXT NOT NULL, PRIMARY KEY (item, list, word))
            """,
            "CREATE INDEX search_words_word ON search_words (list, word, item)",
            "CREATE INDEX accounts_list ON accounts (created, id)",
            "CREATE INDEX accounts_list_role ON accounts (role, verified, created, id)",
        ])

    /// The index of the list sorted by name; existing rows get theirs at the next start.
    static let accountNames = Migration(
        name: "accounts-names",
        statements: [
            "ALTER TABLE accounts ADD COLUMN sort_name TEXT NOT NULL DEFAULT ''",
            "CREATE INDEX accounts_list_name ON accounts (sort_name, id)",
            "CREATE INDEX accounts_list_role_name ON accounts (role, verified, sort_name, id)",
            "DELETE FROM search_words WHERE list = '' AND item = 'accounts'",
        ])

    /// Names in their parts, where they are known: the whole name is beside them.
    static let accountNameParts = Migration(
        name: "accounts-name-parts",
        statements: ["given_name", "family_name"].map {
            "ALTER TABLE accounts ADD COLUMN \($0) TEXT NOT NULL DEFAULT ''"
        })

    /// The index along which the list of certifications is walked, page by page.
    static let delegationLists = Migration(
        name: "accounts-delegation-lists",
        statements: [
            "CREATE INDEX delegations_list ON delegations (created, id)",
            "CREATE INDEX delegations_list_state ON delegations (state, created, id)",
            // With the state in it, one administrator's are counted by state without a look at each.
            "CREATE INDEX delegations_list_own ON delegations (account, created, id, state)",
            "DROP INDEX delegations_account",
        ])

    /// Words in the order of the names that have them, so that a search sorted by name does not walk the whole list.
    static let accountWordOrder = Migration(
        name: "accounts-word-order",
        statements: [
            "ALTER TABLE search_words ADD COLUMN sort TEXT NOT NULL DEFAULT ''",
            """
            UPDATE search_words SET sort = COALESCE((SELECT sort_name FROM accounts WHERE id = item), '')
            WHERE list = 'accounts'
            """,
            "DROP INDEX search_words_word",
            "CREATE INDEX search_words_word ON search_words (list, word, sort, item)",
        ])
}
