import Approvals
import Encodings
import Interface
import Storage

/// The rules against asking somebody until they give in, over all that they were asked in either version.
struct PromptCheck {
    let transaction: Transaction
    let now: Int64

    /// Whether a service may ask an account again.
    ///
    /// - Parameter browser: the mark of the browser that asks for a sign-in.
    /// - Throws: why not, as the service is told it.
    func check(account: String, service: String, browser: String?) throws {
        let settings = try ApprovalSettingsStore(transaction: transaction).find(account: account)
        let prompts = ApprovalPromptStore(transaction: transaction)
        let originals = OriginalChallengeStore(transaction: transaction)
        // Decided by this service's own questions, so before all that depends on others.
        let own =
            try prompts.countOpen(account: account, service: service, now: now)
            + originals.countOpen(account: account, service: service, now: now)
        guard own < Limits.pendingApprovalsOfService else {
            throw PromptRefusal.budgetUsed(until: now + PromptRules.hour).problem(at: now)
        }
        let since = now - PromptRules.longestWait
        let sent =
            (try prompts.sent(account: account, since: since, now: now)
            + originals.sent(account: account, since: since, now: now)).sorted { $0.time < $1.time }
        do throws(PromptRefusal) {
            try PromptRules.check(
                service: Bytes(text: service), browser: browser.map { Bytes(text: $0) }, sent: sent,
                budget: PromptBudget(perService: settings.perService, together: settings.together),
                isFrozen: settings.frozen != nil, now: now)
        } catch {
            throw error.problem(at: now)
        }
        let open = try prompts.open(account: account, now: now).count + originals.countOpen(account: account, now: now)
        guard open < Limits.pendingApprovals else { throw PromptRefusal.notNow.problem(at: now) }
    }
}
