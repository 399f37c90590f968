import Storage

extension Schema {
    /// The index along which a search walks what one service asked an account.
    static let approvalHistory = Migration(
        name: "approvals-history",
        statements: [
            "CREATE INDEX approval_prompts_service ON approval_prompts (account, service, created, challenge)"
        ])
}
