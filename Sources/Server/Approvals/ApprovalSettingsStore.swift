import Approvals
import Interface
import Storage

/// How often people let services ask, in the database; those who chose nothing have no row.
struct ApprovalSettingsStore {
    let transaction: Transaction

    func find(account: String) throws -> ApprovalSettings {
        let row = try transaction.row(
            "SELECT per_service, together, frozen FROM approval_settings WHERE account = $1", [.text(account)])
        guard let row else {
            return ApprovalSettings(
                perService: PromptBudget.usual.perService, together: PromptBudget.usual.together)
        }
        return ApprovalSettings(
            perService: Int(try row.integer("per_service")), together: Int(try row.integer("together")),
            frozen: try row.optionalInteger("frozen"))
    }

    func set(_ settings: ApprovalSettings, account: String) throws {
        try transaction.execute(
            """
            INSERT INTO approval_settings (account, per_service, together, frozen) VALUES ($1, $2, $3, $4)
            ON CONFLICT (account) DO UPDATE SET per_service = $2, together = $3, frozen = $4
            """,
            [
                .text(account), .integer(Int64(settings.perService)), .integer(Int64(settings.together)),
                .optional(settings.frozen),
            ])
    }
}
