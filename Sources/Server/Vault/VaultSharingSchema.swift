import Storage

extension Schema {
    /// Members of compartments, what caretakers put into inboxes, and links.
    ///
    /// A link takes its row with it.
    static let vaultSharing = Migration(
        name: "vault-sharing",
        statements: [
            """
            CREATE TABLE vault_members (
                compartment TEXT NOT NULL REFERENCES vault_compartments (id),
                account TEXT NOT NULL REFERENCES accounts (id), owner TEXT NOT NULL REFERENCES accounts (id),
                role TEXT NOT NULL, sealed TEXT NOT NULL, created BIGINT NOT NULL, PRIMARY KEY (compartment, account))
            """,
            "CREATE INDEX vault_members_account ON vault_members (account)",
            "CREATE INDEX vault_members_owner ON vault_members (owner)",
            """
            CREATE TABLE vault_drops (
                compartment TEXT NOT NULL REFERENCES vault_compartments (id), id TEXT NOT NULL,
                account TEXT NOT NULL REFERENCES accounts (id), sender TEXT REFERENCES accounts (id),
                wrapped TEXT NOT NULL, epoch BIGINT NOT NULL, size BIGINT NOT NULL,
                content TEXT REFERENCES vault_contents (id), created BIGINT NOT NULL, expires BIGINT NOT NULL,
                PRIMARY KEY (compartment, id))
            """,
            "CREATE INDEX vault_drops_account ON vault_drops (account)",
            "CREATE INDEX vault_drops_sender ON vault_drops (sender)",
            "CREATE INDEX vault_drops_content ON vault_drops (content)",
            "CREATE INDEX vault_drops_expires ON vault_drops (expires)",
            "CREATE INDEX vault_drops_epoch ON vault_drops (epoch)",
            """
            CREATE TABLE vault_links (
                share TEXT PRIMARY KEY REFERENCES shares (id) ON DELETE CASCADE,
                account TEXT NOT NULL REFERENCES accounts (id))
            """,
            "CREATE INDEX vault_links_account ON vault_links (account)",
        ])

    /// When each link was made, and the index along which an account's links are walked.
    static let vaultLinkLists = Migration(
        name: "vault-link-lists",
        statements: [
            "ALTER TABLE vault_links ADD COLUMN created BIGINT NOT NULL DEFAULT 0",
            "UPDATE vault_links SET created = (SELECT shares.created FROM shares WHERE shares.id = vault_links.share)",
            "CREATE INDEX vault_links_list ON vault_links (account, created, share)",
            "DROP INDEX vault_links_account",
        ])

    /// The indexes along which an account walks what others share with it, and the vaults whose contact it is.
    static let vaultSharedLists = Migration(
        name: "vault-shared-lists",
        statements: [
            "CREATE INDEX vault_members_list ON vault_members (account, created, compartment)",
            "DROP INDEX vault_members_account",
            "CREATE INDEX vault_slots_list ON vault_slots (contact, created, id)",
            "DROP INDEX vault_slots_contact",
        ])
}
