import Storage

extension Schema {
    /// What services ask, whom, and what came of it.
    ///
    /// A question has one row, and one for each account that may answer. `idempotency` and `request` are keyed hashes. The
    /// code and its salt are the server's secret until the question is over; then they are in the receipt.
    static let approvalChallenges = Migration(
        name: "approvals-challenges",
        statements: [
            """
            CREATE TABLE approval_challenges (
                id TEXT PRIMARY KEY, service TEXT NOT NULL REFERENCES approval_services (id),
                idempotency TEXT NOT NULL, request TEXT NOT NULL, message TEXT NOT NULL, code TEXT, salt TEXT,
                state TEXT NOT NULL, wrong_codes BIGINT NOT NULL, created BIGINT NOT NULL, expires BIGINT NOT NULL,
                decided BIGINT, outcome_signature TEXT, UNIQUE (service, idempotency))
            """,
            "CREATE INDEX approval_challenges_expires ON approval_challenges (expires)",
            "CREATE INDEX approval_challenges_created ON approval_challenges (created)",
            """
            CREATE TABLE approval_prompts (
                challenge TEXT NOT NULL REFERENCES approval_challenges (id) ON DELETE CASCADE,
                account TEXT NOT NULL REFERENCES accounts (id), label TEXT NOT NULL, service TEXT NOT NULL,
                browser TEXT, created BIGINT NOT NULL, decision TEXT, reason TEXT, scope TEXT,
                device TEXT REFERENCES approval_devices (id), signature TEXT, answered BIGINT, entry BIGINT,
                PRIMARY KEY (challenge, account))
            """,
            "CREATE INDEX approval_prompts_account ON approval_prompts (account, created, challenge)",
            "CREATE INDEX approval_prompts_device ON approval_prompts (device)",
            """
            CREATE TABLE approval_settings (
                account TEXT PRIMARY KEY REFERENCES accounts (id), per_service BIGINT NOT NULL,
                together BIGINT NOT NULL, frozen BIGINT)
            """,
        ])
}
