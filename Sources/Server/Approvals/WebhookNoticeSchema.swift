import Storage

extension Schema {
    /// Where services are told that something is over, and what they are still to be told.
    ///
    /// A row is there from the beginning of what it is about, and due at the end of its time. So nobody has to look for
    /// what expired. It goes when the service has taken the notice.
    static let approvalWebhooks = Migration(
        name: "approvals-webhooks",
        statements: [
            "ALTER TABLE approval_services ADD COLUMN webhook TEXT",
            """
            CREATE TABLE approval_notices (
                kind TEXT NOT NULL, subject TEXT NOT NULL, service TEXT NOT NULL REFERENCES approval_services (id),
                state TEXT NOT NULL, time BIGINT NOT NULL, attempts BIGINT NOT NULL, due BIGINT NOT NULL,
                PRIMARY KEY (kind, subject))
            """,
            "CREATE INDEX approval_notices_due ON approval_notices (due)",
            "CREATE INDEX approval_notices_service ON approval_notices (service, due)",
        ])

    /// What came of the newest notices, for those who manage services.
    static let approvalWebhookStates = Migration(
        name: "approvals-webhook-states",
        statements: [
            "ALTER TABLE approval_services ADD COLUMN webhook_success BIGINT",
            "ALTER TABLE approval_services ADD COLUMN webhook_failure BIGINT",
            "ALTER TABLE approval_services ADD COLUMN webhook_reason TEXT",
        ])
}
