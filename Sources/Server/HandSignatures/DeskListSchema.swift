import Storage

extension Schema {
    /// What the lists of clients and transactions are walked along, page by page.
    static let deskLists = Migration(
        name: "0012-desk-lists",
        statements: [
            "CREATE INDEX clients_list ON clients (created, id) WHERE erased IS NULL",
            "CREATE INDEX signings_list ON signings (created, id)",
            "CREATE INDEX signings_list_state ON signings (state, created, id)",
            "CREATE INDEX signings_list_client ON signings (client, created, id)",
            "CREATE INDEX signings_list_operator ON signings (operator, created, id)",
            "CREATE INDEX signings_list_document ON signings (document, created, id)",
            "DROP INDEX signings_created",
            "DROP INDEX signings_client",
            "DROP INDEX signings_operator",
        ])
}
