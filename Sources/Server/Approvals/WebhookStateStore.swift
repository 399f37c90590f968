import Interface
import Storage

/// Whether the webhooks of services work, in the database.
struct WebhookStateStore {
    let transaction: Transaction

    /// A notice was taken.
    func succeeded(_ service: String, at now: Int64) throws {
        try transaction.execute(
            "UPDATE approval_services SET webhook_success = $1 WHERE id = $2", [.integer(now), .text(service)])
    }

    /// An attempt failed.
    func failed(_ service: String, _ reason: String, at now: Int64) throws {
        try transaction.execute(
            "UPDATE approval_services SET webhook_failure = $1, webhook_reason = $2 WHERE id = $3",
            [.integer(now), .text(reason), .text(service)])
    }

    /// Another address has no past.
    func forget(_ service: String) throws {
        try transaction.execute(
            """
            UPDATE approval_services SET webhook_success = NULL, webhook_failure = NULL, webhook_reason = NULL
            WHERE id = $1
            """, [.text(service)])
    }

    /// The state of every service that has a webhook, by its id.
    func list(at now: Int64) throws -> [String: ApprovalWebhookState] {
        var states: [String: ApprovalWebhookState] = [:]
        let services = try transaction.rows(
            """
            SELECT id, webhook_success, webhook_failure, webhook_reason FROM approval_services
            WHERE removed IS NULL AND webhook IS NOT NULL LIMIT \(Limits.approvalServices)
            """, [])
        for row in services {
            states[try row.text("id")] = ApprovalWebhookState(
                lastSuccess: try row.optionalInteger("webhook_success"),
                lastFailure: try row.optionalInteger("webhook_failure"),
                failure: try row.optionalText("webhook_reason"))
        }
        // A question that nobody has answered yet has a row already: nothing is over, and nothing waits.
        let waiting = try transaction.rows(
            """
            SELECT service, COUNT(*) AS total, MIN(due) AS next FROM (
                SELECT service, due FROM approval_notices
                WHERE state <> '\(WebhookNoticeStore.expired)' OR time < $1 ORDER BY due LIMIT \(Limits.counted)
            ) AS waiting GROUP BY service
            """, [.integer(now)])
        for row in waiting {
            let service = try row.text("service")
            states[service]?.waiting = try row.integer("total")
            states[service]?.nextAttempt = try row.integer("next")
        }
        return states
    }
}
