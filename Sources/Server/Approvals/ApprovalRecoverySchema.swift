import Storage

extension Schema {
    /// How people who have lost their devices get back in, and questions that they have put aside.
    ///
    /// Of a recovery code there is a keyed hash. `recovery` says what an enrolment has instead of a device's word.
    static let approvalRecovery = Migration(
        name: "approvals-recovery",
        statements: [
            """
            CREATE TABLE approval_recovery_codes (
                account TEXT NOT NULL REFERENCES accounts (id), mark TEXT NOT NULL,
                works BIGINT NOT NULL, PRIMARY KEY (account, mark))
            """,
            """
            CREATE TABLE approval_recoveries (
                id TEXT PRIMARY KEY, account TEXT NOT NULL REFERENCES accounts (id), device TEXT NOT NULL REFERENCES devices (id),
                started BIGINT NOT NULL, opens BIGINT NOT NULL, closes BIGINT NOT NULL)
            """,
            "CREATE INDEX approval_recoveries_account ON approval_recoveries (account)",
            "CREATE INDEX approval_recoveries_device ON approval_recoveries (device)",
            "CREATE INDEX approval_recoveries_closes ON approval_recoveries (closes)",
            "ALTER TABLE approval_offers ADD COLUMN recovery TEXT",
            "ALTER TABLE approval_prompts ADD COLUMN discarded BIGINT",
        ])
}
