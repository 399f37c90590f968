import Storage

extension Schema {
    /// Services that ask for approvals; of an API key only a hash is stored.
    ///
    /// A row stays when its service is removed: what was approved goes on naming it.
    static let approvalServices = Migration(
        name: "approvals-services",
        statements: [
            """
            CREATE TABLE approval_services (
                id TEXT PRIMARY KEY, domain TEXT NOT NULL, name TEXT NOT NULL, key_hash TEXT NOT NULL,
                public_key TEXT NOT NULL, created BIGINT NOT NULL, rotated BIGINT, removed BIGINT)
            """,
            "CREATE UNIQUE INDEX approval_services_domain ON approval_services (domain) WHERE removed IS NULL",
        ])
}
