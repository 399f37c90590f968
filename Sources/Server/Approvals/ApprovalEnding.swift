import Approvals
import Interface
import Storage

/// Ends what waits for an account, because its owner wants no more questions.
struct ApprovalEnding {
    let transaction: Transaction
    let now: Int64

    /// Freezes an account: nothing is asked until its owner unfreezes it, and what waits is ended.
    ///
    /// - Returns: the questions that ended.
    func freeze(_ account: String) throws -> [ApprovalQuestion] {
        let store = ApprovalSettingsStore(transaction: transaction)
        var settings = try store.find(account: account)
        settings.frozen = settings.frozen ?? now
        try store.set(settings, account: account)
        try OriginalChallengeStore(transaction: transaction).cancelOpen(account: account, now: now)
        return try endWaiting(of: account) { _ in true }
    }

    /// Ends what waits for an account.
    ///
    /// - Returns: the questions that ended.
    func endWaiting(of account: String, where isMeant: (ApprovalQuestion) -> Bool) throws -> [ApprovalQuestion] {
        var ended: [ApprovalQuestion] = []
        for id in try ApprovalPromptStore(transaction: transaction).open(account: account, now: now) {
            guard var question = try ApprovalQuestion(id: id, in: transaction), isMeant(question) else { continue }
            var lifecycle = try question.lifecycle()
            try lifecycle.cancel(at: now)
            question.row.state = ApprovalState(lifecycle.state)
            try ApprovalChallengeStore(transaction: transaction).update(question.row, at: now)
            ended.append(question)
        }
        return ended
    }
}
