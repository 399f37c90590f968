import Interface
import Logging
import ServiceLifecycle

extension Slice {
    /// Services that ask members for approvals, the devices that answer, and what was asked and answered.
    static let approvals = Slice(
        name: "approvals",
        migrations: [
            Schema.approvalServices, Schema.approvalEnrolments, Schema.approvalChallenges, Schema.approvalRecovery,
            Schema.originalApprovals, Schema.approvalWebhooks, Schema.approvalQuorum, Schema.approvalWebhookStates,
            Schema.approvalHandovers, Schema.approvalHistory,
        ],
        permissions: Permission.ofApprovals, events: TrustEvent.Kind.ofApprovals, notices: LiveEvent.Kind.ofApprovals,
        notifications: NotificationKind.ofApprovals,
        pages: Page.ofApprovals,
        people: [
            PersonColumn(table: "approval_offers", column: "account", erasure: .delete),
            PersonColumn(table: "approval_devices", column: "account", erasure: .delete),
            PersonColumn(table: "approval_prompts", column: "account", erasure: .delete),
            PersonColumn(table: "approval_settings", column: "account", erasure: .delete),
            PersonColumn(table: "approval_recovery_codes", column: "account", erasure: .delete),
            PersonColumn(table: "approval_recoveries", column: "account", erasure: .delete),
            PersonColumn(table: "original_challenges", column: "account", erasure: .delete),
            PersonColumn(table: "original_enrolments", column: "account", erasure: .delete),
            PersonColumn(table: "original_uses", column: "account", erasure: .delete),
            PersonColumn(table: "original_devices", column: "account", erasure: .delete),
        ],
        retention: [
            .rows(.init(table: "approval_offers", key: "id", time: { _ in Limits.approvalOfferMemory })),
            .rows(.init(table: "approval_challenges", key: "id", time: { _ in Limits.approvalMemory })),
            .rows(.unaskedChallenges), .rows(.removedApprovalDevices),
            .rows(.init(table: "approval_recoveries", key: "id", over: "closes <= $1")),
            .rows(.init(table: "original_enrolments", key: "id", time: { _ in Limits.approvalOfferMemory })),
            .rows(.init(table: "original_challenges", key: "id", time: { _ in Limits.approvalMemory })),
            .rows(.removedOriginalUses),
        ], keys: [.approvalSecret], open: { OpenApprovals(environment: $0) })
}

private struct OpenApprovals: OpenSlice {
    let environment: Environment

    func add(to routes: inout RouteTable) {
        ApprovalServiceRoutes(environment: environment).add(to: &routes)
        ApprovalEnrolmentRoutes(environment: environment).add(to: &routes)
        ApprovalHandoverRoutes(environment: environment).add(to: &routes)
        ApprovalRoutes(environment: environment).add(to: &routes)
        ApprovalRecoveryRoutes(environment: environment).add(to: &routes)
        OriginalRoutes(environment: environment).add(to: &routes)
    }

    func services(_ shell: Shell, _ logger: Logger) -> [any Service] {
        [WebhookDelivery(environment: environment, logger: logger)]
    }
}
