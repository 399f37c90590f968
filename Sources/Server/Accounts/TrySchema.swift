import Storage

extension Schema {
    /// Failed tries at a secret, as all servers of a database count them.
    static let tries = Migration(
        name: "accounts-tries",
        statements: [
            "CREATE TABLE tries (bucket TEXT PRIMARY KEY, expires BIGINT NOT NULL)",
            "CREATE INDEX tries_expires ON tries (expires)",
        ])
}
