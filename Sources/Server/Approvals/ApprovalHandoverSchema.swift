import Storage

extension Schema {
    /// What a device asks of the account's others before it takes an offer, and the word of one of them.
    ///
    /// `account` and `device` of an offer are then those that ask.
    static let approvalHandovers = Migration(
        name: "approvals-handovers",
        statements: [
            "ALTER TABLE approval_offers ADD COLUMN handover_state TEXT",
            "ALTER TABLE approval_offers ADD COLUMN handover_name TEXT",
            "ALTER TABLE approval_offers ADD COLUMN handover_key TEXT",
            "ALTER TABLE approval_offers ADD COLUMN handover_by TEXT",
            "ALTER TABLE approval_offers ADD COLUMN handover TEXT",
        ])
}
