import Storage

extension Schema {
    /// The indexes along which the lists of clients and transactions are walked, page by page.
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

    /// The indexes along which a client's acts and the failed attempts are walked.
    static let deskHistoryLists = Migration(
        name: "hand-signatures-history-lists",
        statements: [
            "CREATE INDEX client_acts_list ON client_acts (client, log_index, id)",
            "DROP INDEX client_acts_client",
            "CREATE INDEX desk_attempts_list ON desk_attempts (time, id)",
            "CREATE INDEX desk_attempts_list_subject ON desk_attempts (subject, time, id)",
            "DROP INDEX desk_attempts_subject",
        ])

    /// The indexes of the parts of these lists.
    static let deskHistoryParts = Migration(
        name: "hand-signatures-history-parts",
        statements: [
            "DROP INDEX client_acts_list",
            // With the kind in it, one client's are counted by kind without a look at each.
            "CREATE INDEX client_acts_list ON client_acts (client, log_index, id, kind)",
            "CREATE INDEX desk_attempts_list_act ON desk_attempts (act, time, id)",
            "CREATE INDEX desk_attempts_list_subject_act ON desk_attempts (subject, act, time, id)",
        ])

    /// When the next visit of a client may be, for the list of clients who are due: `Limits.secondSittingRest` after
    /// the enrolment, until there was another visit.
    static let clientVisits = Migration(
        name: "hand-signatures-visits",
        statements: [
            "ALTER TABLE clients ADD COLUMN next_visit BIGINT",
            """
            UPDATE clients SET next_visit = (
                SELECT enrolled + 43200 FROM client_templates
                WHERE client_templates.client = clients.id AND client_templates.sittings < 2)
            """,
            """
            CREATE INDEX clients_due ON clients (created, id, next_visit)
            WHERE erased IS NULL AND next_visit IS NOT NULL
            """,
        ])

    /// The index of the list of clients sorted by name; existing clients get theirs at the next start.
    static let clientNames = Migration(
        name: "hand-signatures-names",
        statements: [
            "ALTER TABLE clients ADD COLUMN sort_name TEXT NOT NULL DEFAULT ''",
            "CREATE INDEX clients_list_name ON clients (sort_name, id) WHERE erased IS NULL",
            """
            CREATE INDEX clients_due_name ON clients (sort_name, id, next_visit)
            WHERE erased IS NULL AND next_visit IS NOT NULL
            """,
            "DELETE FROM search_words WHERE list = '' AND item = 'clients'",
        ])

    /// The words of clients are in the order of their names, too.
    static let clientWordOrder = Migration(
        name: "hand-signatures-word-order",
        statements: [
            """
            UPDATE search_words SET sort = COALESCE((SELECT sort_name FROM clients WHERE id = item), '')
            WHERE list = 'clients'
            """
        ])

    /// With the state in them, one client's, operator's or document's transactions are counted by state without a look
    /// at each.
    static let signingStates = Migration(
        name: "hand-signatures-states",
        statements: ["client", "operator", "document"].flatMap { column in
            [
                "DROP INDEX signings_list_\(column)",
                "CREATE INDEX signings_list_\(column) ON signings (\(column), created, id, state)",
            ]
        })

    /// Clients who are due are found by the next visit alone, which erased clients do not have.
    static let clientsDue = Migration(
        name: "hand-signatures-due",
        statements: [
            "DROP INDEX clients_due",
            "DROP INDEX clients_due_name",
            "CREATE INDEX clients_due ON clients (created, id, next_visit) WHERE next_visit IS NOT NULL",
            "CREATE INDEX clients_due_name ON clients (sort_name, id, next_visit) WHERE next_visit IS NOT NULL",
        ])
}
