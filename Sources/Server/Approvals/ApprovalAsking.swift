import Approvals
import CryptoProvider
import Encodings
import Interface
import Storage

/// A service asks, looks what came of it, and no longer asks.
struct ApprovalAsking {
    let environment: Environment
    var memory = ApprovalMemory()
    private var keys: ApprovalKeys { ApprovalKeys(environment.keys) }

    /// Asks, once for each idempotency key.
    ///
    /// Nothing is stored or sent before everybody's rules against being asked too often allow it.
    func ask(_ request: NewApprovalChallenge, _ program: CallingProgram) async throws -> ServiceChallenge {
        let (service, now) = (program.id, environment.now())
        guard Limits.idempotencyKey.contains(request.idempotencyKey.utf8.count),
            request.approvers.allSatisfy({ Limits.approvalUser.contains($0.utf8.count) })
        else { throw ApprovalRefusal.invalidText }
        let browser = try Self.browser(of: request).map { keys.mark($0, of: "browser", atService: service) }
        let secret = try secret(for: request)
        let info = try await ApprovalServiceRegistry(environment: environment).find(program)
        let signed = try sign(request, info, secret, now: now)
        let row = ApprovalChallengeStore.Stored(
            id: signed.challenge.id.hexText, service: service,
            idempotency: keys.mark(request.idempotencyKey, of: "idempotency key", atService: service),
            request: keys.mark(
                String(decoding: try StrictEncoder.bytes(request), as: UTF8.self), of: "request", atService: service),
            message: signed.encoded().base64URL, secret: secret, created: now, expires: signed.challenge.expires)
        let (question, isNew) = try await environment.database.write { transaction in
            let store = ApprovalChallengeStore(transaction: transaction)
            if let known = try store.find(service: service, idempotency: row.idempotency) {
                guard known.request == row.request else { throw ApprovalRefusal.otherRequest }
                return (try ApprovalQuestion(known, in: transaction), false)
            }
            guard let info = try ApprovalServiceStore(transaction: transaction).find(id: service)?.info else {
                throw ApprovalServiceError.notFound
            }
            try Self.check(signed.challenge, against: try info.rule)
            let prompts = try approvers(of: signed.challenge, in: transaction).map { account, label in
                ApprovalPromptStore.Stored(
                    challenge: row.id, account: account, label: label, service: service, browser: browser,
                    created: now)
            }
            let rules = PromptCheck(transaction: transaction, now: now)
            for prompt in prompts {
                try rules.check(account: prompt.account, service: prompt.service, browser: prompt.browser)
            }
            try makeRoom(for: row, in: transaction, now: now)
            try store.insert(row)
            for prompt in prompts {
                try ApprovalPromptStore(transaction: transaction).insert(prompt)
                try environment.notify(
                    .approval, prompt.account, about: row.id, saying: signed.challenge.noticeDetail, until: row.expires,
                    in: transaction, now: now)
            }
            return (try ApprovalQuestion(row, in: transaction), true)
        }
        if isNew {
            memory.remember(question, isAboutApp: false)
            environment.publishApproval(question, state: .pending)
        }
        return question.shown(at: now, withLink: true)
    }

    /// Bounds what a service stores with long questions: its users' budgets bound their number, and not their length.
    ///
    /// Short ones are the usual ones, and cost no further statement.
    private func makeRoom(
        for row: ApprovalChallengeStore.Stored, in transaction: Transaction, now: Int64
    ) throws {
        let length = row.message.utf8.count
        guard length > Limits.approvalShort else { return }
        let bucket = TryStore.Bucket(
            .longQuestions, .account(row.service), environment, tokens: (Int64(length) + 1_023) / 1_024)
        try TryStore(transaction: transaction).spend([bucket], now: now)
    }

    /// Where a question stands.
    ///
    /// - Parameter user: whom the service believes to have asked: a question to others is not found.
    func find(_ id: String, user: String? = nil, _ program: CallingProgram) async throws -> ServiceChallenge {
        let now = environment.now()
        let label = user.map { keys.label(ofUser: $0, atService: program.id) }
        return try await environment.database.read { transaction in
            let question = try own(id, program, in: transaction)
            guard label.map({ question.signed.challenge.approvers.contains($0) }) ?? true else {
                throw ApprovalError.unknownChallenge
            }
            return question.shown(at: now)
        }
    }

    /// The service no longer asks.
    func cancel(_ id: String, _ program: CallingProgram) async throws -> ServiceChallenge {
        let now = environment.now()
        let (question, isNew) = try await environment.database.write { transaction in
            var question = try own(id, program, in: transaction)
            var lifecycle = try question.lifecycle()
            try lifecycle.cancel(at: now)
            // Cancelled before, it ends for nobody again: each time would wake everybody's screens.
            guard question.row.state == .pending else { return (question, false) }
            question.row.state = ApprovalState(lifecycle.state)
            try ApprovalChallengeStore(transaction: transaction).update(question.row, at: now)
            try environment.endNotices(of: question, in: transaction, now: now)
            return (question, true)
        }
        if isNew { environment.publishApproval(question, state: question.row.state) }
        return question.shown(at: now)
    }

    /// What proves the decision to anybody.
    func receipt(_ id: String, _ program: CallingProgram) async throws -> ApprovalReceiptFile {
        let question = try await environment.database.read { try own(id, program, in: $0) }
        guard let file = try question.receiptFile(suite: environment.suite) else { throw ApprovalRefusal.noReceipt }
        return file
    }

    private func own(
        _ id: String, _ program: CallingProgram, in transaction: Transaction
    ) throws -> ApprovalQuestion {
        guard let question = try ApprovalQuestion(id: id, in: transaction), question.row.service == program.id else {
            throw ApprovalError.unknownChallenge
        }
        return question
    }

    private func sign(
        _ request: NewApprovalChallenge, _ info: ApprovalServiceInfo, _ secret: MatchSecret?, now: Int64
    ) throws -> SignedApprovalChallenge {
        guard request.fields.count <= ApprovalChallenge.maximumFields else { throw ChallengeProblem.fieldCount }
        guard request.approvers.count <= ApprovalChallenge.maximumApprovers else { throw ChallengeProblem.quorum }
        guard Limits.approvalTime.contains(request.lifetime) else { throw ChallengeProblem.lifetime }
        var fields: [DisplayField] = []
        for (index, field) in request.fields.enumerated() {
            guard let field = field.inCore else { throw ChallengeProblem.field(index) }
            fields.append(field)
        }
        let key = try memory.signingKey(ofService: info.id, keys)
        // As far as there are approvers: whether they are enough is checked where the rule cannot change meanwhile.
        let demanded = try info.rule?.need(for: request.action.inCore, fields) ?? 1
        let need = request.need ?? max(1, min(demanded, request.approvers.count))
        let challenge = try ApprovalChallenge(
            id: environment.random.bytes(16), nonce: environment.random.bytes(32), service: try info.asking,
            serverKey: key.publicKey, approvers: request.approvers.map { keys.label(ofUser: $0, atService: info.id) },
            need: need, action: request.action.inCore, fields: fields,
            match: try secret?.requirement(suite: environment.suite), created: now, expires: now + request.lifetime,
            replyURL: Bytes(text: "\(environment.publicURL)/api/approvals/answers"))
        return SignedApprovalChallenge(signing: challenge, signature: try key.sign(challenge.statement()))
    }

    /// Refuses what fewer people would decide than the rule of the service demands.
    ///
    /// So a stolen API key does not ask one person for what two have to approve.
    private static func check(_ challenge: ApprovalChallenge, against rule: QuorumRule?) throws {
        guard let demanded = rule?.need(for: challenge.action, challenge.fields), challenge.need < demanded else {
            return
        }
        throw challenge.approvers.count < demanded
            ? ApprovalRefusal.tooFewApprovers(demanded) : ApprovalRefusal.tooFewNeeded(demanded)
    }

    /// Whose devices answer for the labels; each account once.
    private func approvers(
        of challenge: ApprovalChallenge, in transaction: Transaction
    ) throws -> [(account: String, label: String)] {
        let devices = ApprovalDeviceStore(transaction: transaction)
        let accounts = AccountStore(transaction: transaction)
        let found = try challenge.approvers.map { label in
            guard let account = try devices.active(label: label.base64URL).first?.account,
                try accounts.block(of: account) == nil
            else { throw ApprovalRefusal.noDevice }
            return (account: account, label: label.base64URL)
        }
        guard Set(found.map(\.account)).count == found.count else { throw ApprovalRefusal.sameApprover }
        return found
    }

    private static func browser(of request: NewApprovalChallenge) throws -> String? {
        guard let browser = request.browser, request.action == .signIn else {
            guard request.browser == nil, request.action != .signIn else { throw ApprovalRefusal.invalidBrowser }
            return nil
        }
        guard Limits.approvalSession.contains(browser.utf8.count) else { throw ApprovalRefusal.invalidBrowser }
        return browser
    }

    /// The code for the asking page, and its salt; `nil` if none is asked for.
    private func secret(for request: NewApprovalChallenge) throws -> MatchSecret? {
        let digits = request.matchDigits ?? Limits.approvalDigits
        guard digits != 0 else {
            guard request.action != .signIn else { throw ApprovalRefusal.codeMissing }
            return nil
        }
        guard (2...12).contains(digits) else { throw ApprovalRefusal.invalidText }
        var random = environment.random
        let code = (0..<digits).map { _ in UInt8.random(in: 0x30...0x39, using: &random) }
        return try MatchSecret(code: code, salt: environment.random.bytes(32))
    }
}
