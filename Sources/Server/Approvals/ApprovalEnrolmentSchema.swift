import Storage

extension Schema {
    /// Offers to enrol a device at a service, and devices that may answer its questions.
    ///
    /// `label` is what the service knows the account by, and nothing that the service itself calls its user is stored. A
    /// removed device stays for the receipts that name it.
    static let approvalEnrolments = Migration(
        name: "approvals-enrolments",
        statements: [
            """
            CREATE TABLE approval_offers (
                id TEXT PRIMARY KEY, service TEXT NOT NULL REFERENCES approval_services (id), label TEXT NOT NULL,
                session_mark TEXT NOT NULL, message TEXT NOT NULL, created BIGINT NOT NULL, expires BIGINT NOT NULL,
                state TEXT NOT NULL, account TEXT REFERENCES accounts (id), device TEXT REFERENCES devices (id),
                enrolment TEXT)
            """,
            "CREATE INDEX approval_offers_service ON approval_offers (service, state, expires)",
            "CREATE INDEX approval_offers_label ON approval_offers (label)",
            "CREATE INDEX approval_offers_account ON approval_offers (account)",
            "CREATE INDEX approval_offers_device ON approval_offers (device)",
            "CREATE INDEX approval_offers_expires ON approval_offers (expires)",
            """
            CREATE TABLE approval_devices (
                id TEXT PRIMARY KEY, service TEXT NOT NULL REFERENCES approval_services (id), label TEXT NOT NULL,
                account TEXT NOT NULL REFERENCES accounts (id), device TEXT NOT NULL REFERENCES devices (id),
                name TEXT NOT NULL, public_key TEXT NOT NULL UNIQUE, confirmation TEXT NOT NULL,
                confirmation_signature TEXT NOT NULL, created BIGINT NOT NULL, removed BIGINT)
            """,
            "CREATE INDEX approval_devices_label ON approval_devices (label)",
            "CREATE INDEX approval_devices_account ON approval_devices (account, created)",
            "CREATE INDEX approval_devices_removed ON approval_devices (removed)",
            "CREATE INDEX approval_devices_device ON approval_devices (device)",
        ])
}
