import Storage

extension Schema {
    /// How often an opening was given back because nothing could be shown.
    static let shareReturns = Migration(
        name: "documents-share-returns",
        statements: ["ALTER TABLE shares ADD COLUMN returned BIGINT NOT NULL DEFAULT 0"])

    /// A link need not show a document of this slice: another slice's rows say what theirs show.
    ///
    /// SQLite cannot take a NOT NULL back, so the table is made again.
    static let sharesOfOthers = Migration(
        name: "documents-shares-of-others",
        statements: [
            """
            CREATE TABLE shares_again (
                id TEXT PRIMARY KEY, account TEXT NOT NULL REFERENCES accounts (id),
                document TEXT REFERENCES documents (id), code_hash TEXT NOT NULL, failures BIGINT NOT NULL,
                blob TEXT NOT NULL, created BIGINT NOT NULL, expires BIGINT NOT NULL, views BIGINT NOT NULL,
                maximum_views BIGINT NOT NULL, stopped BIGINT, key_check TEXT NOT NULL DEFAULT '',
                attempt TEXT NOT NULL DEFAULT '', attempted BIGINT NOT NULL DEFAULT 0)
            """,
            """
            INSERT INTO shares_again
                (id, account, document, code_hash, failures, blob, created, expires, views, maximum_views, stopped,
                key_check, attempt, attempted)
            SELECT id, account, document, code_hash, failures, blob, created, expires, views, maximum_views, stopped,
                key_check, attempt, attempted
            FROM shares
            """,
            "DROP TABLE shares", "ALTER TABLE shares_again RENAME TO shares",
            "CREATE INDEX shares_account ON shares (account)", "CREATE INDEX shares_expires ON shares (expires)",
            "CREATE INDEX shares_blob ON shares (blob)",
        ])

    /// The indexes along which lists of links are walked, page by page: of all documents, and of one.
    static let shareLists = Migration(
        name: "documents-share-lists",
        statements: [
            "CREATE INDEX shares_list ON shares (account, created, id, document) WHERE document IS NOT NULL",
            "CREATE INDEX shares_list_document ON shares (account, document, created, id)",
            "DROP INDEX shares_account",
        ])

    /// With all that ends a link in them, those that can be opened are counted without a look at each.
    static let shareParts = Migration(
        name: "documents-share-parts",
        statements: [
            "DROP INDEX shares_list", "DROP INDEX shares_list_document",
            """
            CREATE INDEX shares_list
            ON shares (account, created, id, document, stopped, expires, views, maximum_views)
            WHERE document IS NOT NULL
            """,
            """
            CREATE INDEX shares_list_document
            ON shares (account, document, created, id, stopped, expires, views, maximum_views)
            """,
        ])
}
