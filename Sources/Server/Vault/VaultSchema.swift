import Storage

extension Schema {
    /// Vaults: slots, compartments, the files and folders in them with their versions, and contents in parts.
    ///
    /// All of it is opaque. `wrapped` is the key that a wallet wrapped, wrapped again under the key of the week `epoch`,
    /// which is not in the database. A negative epoch is of a week whose key is not there: -1 - the week.
    static let vault = Migration(
        name: "vault",
        statements: [
            """
            CREATE TABLE vaults (
                account TEXT PRIMARY KEY REFERENCES accounts (id), salt TEXT NOT NULL, created BIGINT NOT NULL)
            """,
            """
            CREATE TABLE vault_slots (
                account TEXT NOT NULL REFERENCES accounts (id), id TEXT NOT NULL, kind TEXT NOT NULL,
                sealed TEXT NOT NULL, contact TEXT REFERENCES accounts (id), wait BIGINT, asked BIGINT,
                created BIGINT NOT NULL, PRIMARY KEY (account, id))
            """,
            "CREATE INDEX vault_slots_contact ON vault_slots (contact)",
            """
            CREATE TABLE vault_tries (
                id TEXT PRIMARY KEY, account TEXT NOT NULL REFERENCES accounts (id), due BIGINT NOT NULL,
                told BIGINT NOT NULL)
            """,
            "CREATE INDEX vault_tries_account ON vault_tries (account)",
            "CREATE INDEX vault_tries_due ON vault_tries (due)",
            """
            CREATE TABLE vault_compartments (
                id TEXT PRIMARY KEY, account TEXT NOT NULL REFERENCES accounts (id), head TEXT NOT NULL,
                sequence BIGINT NOT NULL, bytes BIGINT NOT NULL, nodes BIGINT NOT NULL, created BIGINT NOT NULL)
            """,
            "CREATE INDEX vault_compartments_account ON vault_compartments (account)",
            """
            CREATE TABLE vault_nodes (
                compartment TEXT NOT NULL REFERENCES vault_compartments (id), id TEXT NOT NULL,
                account TEXT NOT NULL REFERENCES accounts (id), sequence BIGINT NOT NULL, revision BIGINT NOT NULL,
                place TEXT NOT NULL, wrapped TEXT NOT NULL, epoch BIGINT, metadata TEXT NOT NULL,
                size BIGINT NOT NULL, trashed BIGINT, removed BIGINT, PRIMARY KEY (compartment, id))
            """,
            "CREATE INDEX vault_nodes_sequence ON vault_nodes (compartment, sequence, id)",
            "CREATE INDEX vault_nodes_account ON vault_nodes (account)",
            "CREATE INDEX vault_nodes_trashed ON vault_nodes (trashed)",
            "CREATE INDEX vault_nodes_epoch ON vault_nodes (epoch)",
            """
            CREATE TABLE vault_contents (
                id TEXT PRIMARY KEY, account TEXT NOT NULL REFERENCES accounts (id),
                compartment TEXT NOT NULL REFERENCES vault_compartments (id), size BIGINT NOT NULL,
                expires BIGINT)
            """,
            "CREATE INDEX vault_contents_account ON vault_contents (account, expires)",
            "CREATE INDEX vault_contents_compartment ON vault_contents (compartment)",
            "CREATE INDEX vault_contents_expires ON vault_contents (expires)",
            """
            CREATE TABLE vault_parts (
                content TEXT NOT NULL REFERENCES vault_contents (id), number BIGINT NOT NULL,
                account TEXT NOT NULL REFERENCES accounts (id), blob TEXT NOT NULL, size BIGINT NOT NULL, gone BIGINT,
                PRIMARY KEY (content, number))
            """,
            "CREATE INDEX vault_parts_account ON vault_parts (account)",
            "CREATE INDEX vault_parts_blob ON vault_parts (blob)",
            """
            CREATE TABLE vault_versions (
                compartment TEXT NOT NULL REFERENCES vault_compartments (id), id TEXT NOT NULL, node TEXT NOT NULL,
                account TEXT NOT NULL REFERENCES accounts (id), position BIGINT NOT NULL,
                content TEXT NOT NULL REFERENCES vault_contents (id), wrapped TEXT NOT NULL, epoch BIGINT NOT NULL,
                size BIGINT NOT NULL, created BIGINT NOT NULL, superseded BIGINT, PRIMARY KEY (compartment, id))
            """,
            "CREATE INDEX vault_versions_node ON vault_versions (compartment, node)",
            "CREATE INDEX vault_versions_content ON vault_versions (content)",
            "CREATE INDEX vault_versions_account ON vault_versions (account)",
            "CREATE INDEX vault_versions_superseded ON vault_versions (superseded)",
            "CREATE INDEX vault_versions_epoch ON vault_versions (epoch)",
        ])
}
