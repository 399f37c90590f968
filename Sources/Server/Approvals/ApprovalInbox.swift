import Approvals
import Encodings
import Interface
import Storage

/// What waits for an account, how often it may be asked, and what it has decided.
struct ApprovalInbox {
    let environment: Environment

    /// What waits for the account's answer, oldest first, without what it has put aside.
    func pending(_ principal: Principal) async throws -> [MemberChallenge] {
        let now = environment.now()
        return try await environment.database.read { transaction in
            try ApprovalPromptStore(transaction: transaction).open(account: principal.account, now: now).compactMap {
                try ApprovalQuestion(id: $0, in: transaction)?.shown(to: principal, at: now, whole: false)
            }.filter { $0.discarded == nil }
        }
    }

    /// What the account was asked, newest first.
    func history(
        _ principal: Principal, _ part: ApprovalHistoryStore.Part, _ request: ListRequest
    ) async throws -> Listing<MemberChallenge> {
        let now = environment.now()
        return try await environment.database.read { transaction in
            let store = ApprovalHistoryStore(transaction: transaction)
            let services = try store.services(account: principal.account, request)
            let (rows, next) = try store.page(account: principal.account, part, of: services, request, at: now)
            return Listing(
                rows, next: next?.text,
                counts: request.cursor == nil ? try store.counts(account: principal.account, of: services) : nil)
        }
    }

    /// One question that the account was asked, with its signed words.
    func find(_ id: String, _ principal: Principal) async throws -> MemberChallenge {
        let now = environment.now()
        return try await own(id, principal).shown(to: principal, at: now, whole: true)
    }

    /// The account puts a question aside unanswered, or brings it back: the service is told nothing.
    func discard(_ id: String, _ isAside: Bool, _ principal: Principal) async throws -> MemberChallenge {
        let now = environment.now()
        let shown = try await environment.database.write { transaction in
            let known = try ApprovalQuestion(id: id, in: transaction)
            guard let question = known, question.prompts.contains(where: { $0.account == principal.account }) else {
                throw ApprovalError.unknownChallenge
            }
            guard question.row.state(at: now) == .pending,
                try ApprovalPromptStore(transaction: transaction)
                    .setDiscarded(isAside ? now : nil, challenge: id, account: principal.account)
            else { throw question.row.state(at: now) == .expired ? ApprovalError.expired : .alreadyAnswered }
            return try ApprovalQuestion(id: id, in: transaction)?.shown(to: principal, at: now, whole: false)
        }
        guard let shown else { throw ApprovalError.unknownChallenge }
        environment.publish(
            LiveEvent(.approval, id: id, state: isAside ? "discarded" : "pending"), to: principal.account)
        return shown
    }

    /// What proves the decision to anybody.
    func receipt(_ id: String, _ principal: Principal) async throws -> ApprovalReceiptFile {
        guard let file = try await own(id, principal).receiptFile(suite: environment.suite) else {
            throw ApprovalRefusal.noReceipt
        }
        return file
    }

    func settings(_ principal: Principal) async throws -> ApprovalSettings {
        try await environment.database.read {
            try ApprovalSettingsStore(transaction: $0).find(account: principal.account)
        }
    }

    /// Changes how often services may ask.
    ///
    /// To raise it weakens the account: that takes a confirmed session, and is told everywhere.
    func setBudget(_ request: ApprovalBudget, _ principal: Principal) async throws -> ApprovalSettings {
        let budget = PromptBudget(perService: request.perService, together: request.together)
        guard budget.perService == request.perService, budget.together == request.together else {
            throw ApprovalRefusal.invalidText
        }
        let members: [(String, JSON)] = [
            ("per_service", .integer(Int64(budget.perService))), ("together", .integer(Int64(budget.together))),
        ]
        let now = environment.now()
        return try await change(principal, .approvalBudgetChanged, members, .budgetChange) { settings, transaction in
            if budget.perService > settings.perService || budget.together > settings.together {
                try principal.checkConfirmed(at: now)
                try environment.notify(
                    .protection, principal.account, saying: NotificationDetail(.budgetRaised), in: transaction,
                    now: now)
            }
            (settings.perService, settings.together) = (budget.perService, budget.together)
        }
    }

    /// The owner lets no service ask, and what waits is ended.
    func freeze(_ principal: Principal) async throws -> ApprovalSettings {
        let now = environment.now()
        let (settings, ended) = try await environment.database.write { transaction in
            let store = ApprovalSettingsStore(transaction: transaction)
            if try store.find(account: principal.account).frozen == nil {
                _ = try environment.log.record(
                    TrustEvent(.approvalsFrozen, account: principal.account, []), in: transaction, now: now)
            }
            let ended = try ApprovalEnding(transaction: transaction, now: now).freeze(principal.account)
            for question in ended { try environment.endNotices(of: question, in: transaction, now: now) }
            return (try store.find(account: principal.account), ended)
        }
        for question in ended { environment.publishApproval(question, state: question.row.state) }
        return settings
    }

    /// The owner lets services ask again.
    func unfreeze(_ principal: Principal) async throws -> ApprovalSettings {
        let now = environment.now()
        return try await change(principal, .approvalsUnfrozen, [], .unfreezing) { settings, transaction in
            guard settings.frozen != nil else { return }
            settings.frozen = nil
            try environment.notify(
                .protection, principal.account, saying: NotificationDetail(.unfrozen), in: transaction, now: now)
        }
    }

    /// Changes the settings, and logs it unless nothing changes.
    ///
    /// What the log gets stays for ever, so it is done at a rate.
    private func change(
        _ principal: Principal, _ kind: TrustEvent.Kind, _ members: [(String, JSON)],
        _ rate: Limits.Rate, _ body: @escaping @Sendable (inout ApprovalSettings, Transaction) throws -> Void
    ) async throws -> ApprovalSettings {
        let now = environment.now()
        return try await environment.database.write { transaction in
            let store = ApprovalSettingsStore(transaction: transaction)
            let before = try store.find(account: principal.account)
            var settings = before
            try body(&settings, transaction)
            guard settings != before else { return before }
            let bucket = TryStore.Bucket(rate, .account(principal.account), environment)
            try TryStore(transaction: transaction).spend([bucket], now: now)
            try store.set(settings, account: principal.account)
            _ = try environment.log.record(
                TrustEvent(kind, account: principal.account, members), in: transaction, now: now)
            return settings
        }
    }

    private func own(_ id: String, _ principal: Principal) async throws -> ApprovalQuestion {
        let question = try await environment.database.read { try ApprovalQuestion(id: id, in: $0) }
        guard let question, question.prompts.contains(where: { $0.account == principal.account }) else {
            throw ApprovalError.unknownChallenge
        }
        return question
    }
}

extension ApprovalQuestion {
    /// As somebody sees it who was asked: what they were shown, and never the code.
    fileprivate func shown(to principal: Principal, at now: Int64, whole: Bool) -> MemberChallenge {
        let prompt = prompts.first { $0.account == principal.account }
        let own = prompt?.answer
        return MemberChallenge(
            id: row.id, domain: String(decoding: signed.challenge.service.id, as: UTF8.self), state: row.state(at: now),
            created: row.created, expires: row.expires, isAllowed: own.map { $0.denial == nil },
            discarded: prompt?.discarded, message: whole ? row.message : nil,
            endedByCodes: whole ? row.wrongCodes >= ApprovalLifecycle.maximumWrongCodes : nil)
    }
}
