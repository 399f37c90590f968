import Storage

extension Schema {
    /// How many have to approve what a service asks, by amount: the line of `QuorumRule`, such as `GBP 0:1 100000:2`.
    ///
    /// Services of before have none, and go on deciding it themselves.
    static let approvalQuorum = Migration(
        name: "approvals-quorum", statements: ["ALTER TABLE approval_services ADD COLUMN quorum TEXT"])
}
