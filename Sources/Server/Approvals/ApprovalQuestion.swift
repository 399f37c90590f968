import Approvals
import CryptoProvider
import Encodings
import Interface
import Storage

/// A question with those who may answer it, as it was loaded in one transaction.
struct ApprovalQuestion: Sendable {
    var row: ApprovalChallengeStore.Stored
    /// Those who have answered first, in the order of their answers.
    var prompts: [ApprovalPromptStore.Stored]
    /// The devices that answered, by their rows.
    var devices: [String: ApprovalDeviceStore.Stored]
    let signed: SignedApprovalChallenge

    /// Loads a question; `nil` if there is none.
    init?(id: String, in transaction: Transaction) throws {
        guard let row = try ApprovalChallengeStore(transaction: transaction).find(id: id) else { return nil }
        try self.init(row, in: transaction)
    }

    init(_ row: ApprovalChallengeStore.Stored, in transaction: Transaction) throws {
        self.row = row
        signed = try row.signed()
        prompts = try ApprovalPromptStore(transaction: transaction).list(challenge: row.id)
            .sorted { ($0.answer?.entry ?? .max) < ($1.answer?.entry ?? .max) }
        devices = [:]
        let store = ApprovalDeviceStore(transaction: transaction)
        for answer in prompts.compactMap(\.answer) {
            devices[answer.device] = try devices[answer.device] ?? store.findEver(id: answer.device)
        }
    }

    /// The state machine where it stands.
    func lifecycle() throws -> ApprovalLifecycle {
        let answers = try prompts.compactMap { prompt in
            try prompt.answer.map { answer in
                guard let key = devices[answer.device]?.key else { throw StoredValueError(column: "approval_prompts") }
                return GivenAnswer(
                    approver: try prompt.label.decodedBytes(), key: key, decision: decision(of: answer))
            }
        }
        return ApprovalLifecycle(
            state: row.state.inCore, expires: row.expires, approvers: signed.challenge.approvers,
            need: signed.challenge.need, answers: answers, wrongCodes: row.wrongCodes)
    }

    /// What an answer that counted said: an allowance had the right code.
    private func decision(of answer: ApprovalPromptStore.Answer) -> ApprovalDecision {
        answer.denial.map { .deny($0.reason.inCore, $0.scope.inCore) } ?? .allow(code: row.secret?.code)
    }

    /// How many approvals are still needed.
    var missing: Int {
        guard row.state == .pending else { return 0 }
        return signed.challenge.need - prompts.count { $0.answer != nil }
    }

    /// The denial that decided.
    var denial: ApprovalDenial? { prompts.lazy.compactMap { $0.answer?.denial }.first }

    /// The answers that decided, as they are stored and as a receipt has them; `nil` while nothing was decided.
    private func deciding() throws -> (stored: [ApprovalPromptStore.Answer], answers: [ReceiptAnswer], time: Int64)? {
        guard let time = row.decided else { return nil }
        let isApproved = row.state == .approved
        let given = prompts.compactMap(\.answer).filter { ($0.denial == nil) == isApproved }
        guard given.count == (isApproved ? signed.challenge.need : 1) else { return nil }
        let answers = try given.map { answer in
            guard let device = devices[answer.device] else { throw StoredValueError(column: "approval_prompts.device") }
            return ReceiptAnswer(
                confirmation: try device.confirmation.decodedBytes(),
                confirmationSignature: try device.signature.decodedBytes(),
                signature: try answer.signature.decodedBytes(), time: answer.time)
        }
        return (given, answers, time)
    }

    /// What the service signs of the decision; `nil` while there is none.
    func outcome(suite: SwiftCryptoSuite) throws -> ApprovalOutcome? {
        guard let end = try deciding() else { return nil }
        return ApprovalOutcome(
            of: signed, isApproved: row.state == .approved, answers: end.answers, time: end.time,
            suite: suite)
    }

    /// What the answers have come to, for a third party; `nil` while nothing was decided.
    func receipt(suite: SwiftCryptoSuite) throws -> ApprovalReceipt? {
        guard let end = try deciding() else { return nil }
        return ApprovalReceipt(
            challenge: signed, decision: decision(of: end.stored[0]), answers: end.answers,
            salt: row.state == .approved ? row.secret?.salt : nil, time: end.time, suite: suite)
    }

    /// The receipt that travels; `nil` while nothing was decided.
    func receiptFile(suite: SwiftCryptoSuite) throws -> ApprovalReceiptFile? {
        guard let receipt = try receipt(suite: suite), let signature = try row.outcomeSignature?.decodedBytes() else {
            return nil
        }
        return ApprovalReceiptFile(receipt: receipt.encoded(signature: signature, suite: suite).base64URL)
    }

    /// As the service sees it that asked.
    func shown(at now: Int64, withLink: Bool = false) -> ServiceChallenge {
        var shown = ServiceChallenge(
            id: row.id, state: row.state(at: now), created: row.created, expires: row.expires, missing: missing,
            decided: row.decided)
        if shown.state == .pending { shown.code = row.secret.map { String(decoding: $0.code, as: UTF8.self) } }
        if shown.state == .denied { shown.denial = denial }
        if withLink { show(to: &shown) }
        return shown
    }

    /// The question itself: one link, or several parts if it is longer.
    private func show(to shown: inout ServiceChallenge) {
        let message = signed.encoded()
        if message.count <= ApprovalLink.maximumWhole {
            shown.link = String(decoding: ApprovalLink.encode(message), as: UTF8.self)
        } else {
            shown.parts = try? ApprovalPart.parts(of: message, suite: SwiftCryptoSuite())
                .map { String(decoding: $0.encoded(), as: UTF8.self) }
        }
    }
}

extension Environment {
    /// Takes back what screens show of a question.
    ///
    /// - Parameter account: while it is pending, whose alone; nothing waits for them any more.
    func endNotices(
        of question: ApprovalQuestion, for account: String? = nil, in transaction: Transaction, now: Int64
    ) throws {
        let isPending = question.row.state == .pending
        for prompt in question.prompts where !isPending || prompt.account == account {
            try endNotice(
                .approval, prompt.account, about: question.row.id, until: question.row.expires, in: transaction,
                now: now)
        }
    }

    /// Tells those who were asked, and the service if it waits, that a question changed.
    func publishApproval(_ question: ApprovalQuestion, state: ApprovalState) {
        publishApproval(question.row.id, state: state, to: question.prompts.map(\.account))
    }

    /// The same of a question that is known by its id, and by whom it asks.
    func publishApproval(_ id: String, state: ApprovalState, to accounts: [String]) {
        events.publish(
            LiveEvent(.approval, id: id, state: state.rawValue),
            to: .accounts(accounts + [ApprovalWaiting.listener(id), WebhookDelivery.listener]))
    }
}
