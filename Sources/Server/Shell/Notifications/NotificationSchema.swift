import Storage

extension Schema {
    /// The ways to reach people, what they have switched off, and what waits to be delivered.
    ///
    /// A row of the outbox has all that its delivery needs: the way may be gone by then, and its removal must not
    /// silence the notice that tells of it.
    static let notifications = Migration(
        name: "notifications-outbox",
        statements: [
            """
            CREATE TABLE notification_ways (
                id TEXT PRIMARY KEY, account TEXT NOT NULL REFERENCES accounts (id), kind TEXT NOT NULL,
                address TEXT NOT NULL, push_key TEXT, push_auth TEXT, device TEXT, created BIGINT NOT NULL,
                confirmed BIGINT, code_hash TEXT, tries BIGINT NOT NULL)
            """,
            "CREATE INDEX notification_ways_account ON notification_ways (account, created, id)",
            "CREATE INDEX notification_ways_address ON notification_ways (kind, address)",
            "CREATE INDEX notification_ways_device ON notification_ways (device)",
            "CREATE INDEX notification_ways_open ON notification_ways (created) WHERE confirmed IS NULL",
            """
            CREATE TABLE notification_mutes (
                account TEXT NOT NULL REFERENCES accounts (id), way TEXT NOT NULL, kind TEXT NOT NULL,
                PRIMARY KEY (account, way, kind))
            """,
            """
            CREATE TABLE notification_outbox (
                id TEXT PRIMARY KEY, account TEXT NOT NULL REFERENCES accounts (id), way TEXT NOT NULL,
                way_kind TEXT NOT NULL, address TEXT NOT NULL, push_key TEXT, push_auth TEXT, kind TEXT NOT NULL,
                subject TEXT NOT NULL, is_over BIGINT NOT NULL, created BIGINT NOT NULL, expires BIGINT NOT NULL,
                due BIGINT NOT NULL, attempts BIGINT NOT NULL)
            """,
            "CREATE INDEX notification_outbox_due ON notification_outbox (due)",
            "CREATE INDEX notification_outbox_expires ON notification_outbox (expires)",
            "CREATE INDEX notification_outbox_account ON notification_outbox (account, kind, subject)",
            "CREATE INDEX notification_outbox_way ON notification_outbox (way)",
        ])

    /// Whether a way says what a notice is about, and what that is.
    static let notificationContent = Migration(
        name: "notifications-content",
        statements: [
            "ALTER TABLE notification_ways ADD COLUMN says_content BIGINT NOT NULL DEFAULT 0",
            "ALTER TABLE notification_outbox ADD COLUMN detail TEXT",
        ])

    /// By which passkey a browser without a device had signed in when it subscribed.
    static let notificationPasskeys = Migration(
        name: "notifications-passkeys", statements: ["ALTER TABLE notification_ways ADD COLUMN passkey TEXT"])

    /// The SMS of the last day, for the bounds on them.
    static let notificationSMS = Migration(
        name: "notifications-sms",
        statements: [
            """
            CREATE TABLE notification_sms (
                id TEXT PRIMARY KEY, account TEXT NOT NULL REFERENCES accounts (id), number TEXT NOT NULL,
                is_code BIGINT NOT NULL, sent BIGINT NOT NULL)
            """,
            "CREATE INDEX notification_sms_number ON notification_sms (number, sent)",
            "CREATE INDEX notification_sms_account ON notification_sms (account, sent)",
            "CREATE INDEX notification_sms_sent ON notification_sms (sent)",
        ])
}
