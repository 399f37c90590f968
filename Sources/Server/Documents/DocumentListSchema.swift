import Storage

extension Schema {
    /// The indexes along which the lists of requests and documents are walked, page by page.
    static let documentLists = Migration(
        name: "0010-document-lists",
        statements: [
            "CREATE INDEX requests_list ON requests (created, id)",
            "CREATE INDEX requests_list_state ON requests (state, created, id)",
            "CREATE INDEX requests_list_member ON requests (member, created, id)",
            "DROP INDEX requests_member",
            "DROP INDEX requests_state",
            "CREATE INDEX documents_list ON documents (issued, id) WHERE deleted IS NULL",
            "CREATE INDEX documents_list_revoked ON documents (issued, id) WHERE deleted IS NULL AND revoked IS NOT NULL",
            "CREATE INDEX documents_list_valid ON documents (issued, id) WHERE deleted IS NULL AND revoked IS NULL",
            "CREATE INDEX documents_list_holder ON documents (holder, issued, id) WHERE deleted IS NULL",
            "CREATE INDEX documents_blob ON documents (blob)",
            "CREATE INDEX shares_blob ON shares (blob)",
        ])

    /// The same for the parts of a list of one person who has very many, and for counting what was revoked.
    static let personLists = Migration(
        name: "documents-person-lists",
        statements: [
            "CREATE INDEX requests_list_member_state ON requests (member, state, created, id)",
            """
            CREATE INDEX documents_list_holder_valid ON documents (holder, issued, id)
            WHERE deleted IS NULL AND revoked IS NULL
            """,
            """
            CREATE INDEX documents_list_holder_revoked ON documents (holder, issued, id)
            WHERE deleted IS NULL AND revoked IS NOT NULL
            """,
            // With one for all that were revoked, deleted or not, SQLite would count the parts of lists by it, row by row.
            """
            CREATE INDEX documents_deleted_revoked ON documents (issued, id)
            WHERE deleted IS NOT NULL AND revoked IS NOT NULL
            """,
        ])
}
