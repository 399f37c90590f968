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
        let since = now - PromptRules.longestWait
        let sent =
            (try prompts.sent(account: account, since: since, now: now)
            + originals.sent(account: account, since: since, now: now)).sorted { $0.time < $1.time }
        let waiting = sent.filter { $0.outcome == .waiting }
        let asking = Bytes(text: service)
        // Decided by this service's own questions, so before all that depends on others.
        guard waiting.count(where: { $0.service == asking }) < Limits.pendingApprovalsOfService else {
            throw PromptRefusal.budgetUsed(until: now + PromptRules.hour).problem(at: now)
        }
        do throws(PromptRefusal) {
            try PromptRules.check(
                service: asking, browser: browser.map { Bytes(text: $0) }, sent: sent,
                budget: PromptBudget(perService: settings.perService, together: settings.together),
                isFrozen: settings.frozen != nil, now: now)
        } catch {
            throw error.problem(at: now)
        }
        guard waiting.count < Limits.pendingApprovals else { throw PromptRefusal.notNow.problem(at: now) }
    }
}
