import Storage

extension Schema {
    /// Services that speak version 1, the apps that answer them, and what was asked.
    ///
    /// Nothing of version 2 is in these tables, and nothing of version 1 in the others. The app of a person has one key for
    /// all services, so it has one row, and a use for each user of a service that it answers for.
    static let originalApprovals = Migration(
        name: "approvals-original",
        statements: [
            """
            CREATE TABLE original_services (
                service TEXT PRIMARY KEY REFERENCES approval_services (id), sealed_key TEXT NOT NULL,
                public_key TEXT NOT NULL, accepted BIGINT NOT NULL)
            """,
            """
            CREATE TABLE original_devices (
                id TEXT PRIMARY KEY, account TEXT NOT NULL REFERENCES accounts (id), public_key TEXT NOT NULL UNIQUE,
                token TEXT NOT NULL)
            """,
            "CREATE INDEX original_devices_account ON original_devices (account)",
            """
            CREATE TABLE original_uses (
                id TEXT PRIMARY KEY, app TEXT NOT NULL REFERENCES original_devices (id) ON DELETE CASCADE,
                service TEXT NOT NULL REFERENCES approval_services (id), label TEXT NOT NULL,
                account TEXT NOT NULL REFERENCES accounts (id), device TEXT NOT NULL REFERENCES devices (id),
                created BIGINT NOT NULL, removed BIGINT)
            """,
            "CREATE INDEX original_uses_app ON original_uses (app)",
            "CREATE INDEX original_uses_label ON original_uses (label)",
            "CREATE INDEX original_uses_account ON original_uses (account, created)",
            "CREATE INDEX original_uses_device ON original_uses (device)",
            "CREATE INDEX original_uses_removed ON original_uses (removed)",
            """
            CREATE TABLE original_enrolments (
                id TEXT PRIMARY KEY, service TEXT NOT NULL REFERENCES approval_services (id), label TEXT NOT NULL,
                account TEXT NOT NULL REFERENCES accounts (id), session_mark TEXT NOT NULL, created BIGINT NOT NULL,
                expires BIGINT NOT NULL, state TEXT NOT NULL, public_key TEXT, token TEXT NOT NULL,
                question TEXT REFERENCES approval_challenges (id) ON DELETE SET NULL)
            """,
            "CREATE INDEX original_enrolments_service ON original_enrolments (service, state, expires)",
            "CREATE INDEX original_enrolments_label ON original_enrolments (label)",
            "CREATE INDEX original_enrolments_account ON original_enrolments (account)",
            "CREATE INDEX original_enrolments_question ON original_enrolments (question)",
            "CREATE INDEX original_enrolments_expires ON original_enrolments (expires)",
            """
            CREATE TABLE original_challenges (
                id BIGINT PRIMARY KEY, service TEXT NOT NULL REFERENCES approval_services (id), label TEXT NOT NULL,
                account TEXT NOT NULL REFERENCES accounts (id), step TEXT NOT NULL,
                enrolment TEXT REFERENCES original_enrolments (id) ON DELETE CASCADE, message TEXT NOT NULL,
                created BIGINT NOT NULL, expires BIGINT NOT NULL, state TEXT NOT NULL, public_key TEXT, entry BIGINT)
            """,
            "CREATE INDEX original_challenges_account ON original_challenges (account, created)",
            "CREATE INDEX original_challenges_enrolment ON original_challenges (enrolment)",
            "CREATE INDEX original_challenges_expires ON original_challenges (expires)",
        ])
}

extension RetentionRule.Rows {
    /// Uses that were removed.
    static let removedOriginalUses = RetentionRule.Rows(table: "original_uses", key: "id", over: "removed <= $1")
}
