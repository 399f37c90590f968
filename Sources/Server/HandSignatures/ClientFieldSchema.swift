import Storage

extension Schema {
    /// What the organisation asks of its clients.
    ///
    /// Clients' values are sealed in their rows, beside the number.
    /// A row stays when its field is removed: clients may have values of it.
    static let clientFields = Migration(
        name: "hand-signatures-client-fields",
        statements: [
            """
            CREATE TABLE client_fields (
                id TEXT PRIMARY KEY, position BIGINT NOT NULL, label TEXT NOT NULL, kind TEXT NOT NULL,
                choices TEXT NOT NULL, is_required BIGINT NOT NULL, removed BIGINT)
            """
        ])
}
