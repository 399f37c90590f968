import CryptoProvider
import Encodings
import Interface
import Storage

/// The way back for somebody who has lost every device that answers a service.
///
/// Either a recovery code, which they keep on paper, or three days in which each of the account's devices can say no. New
/// codes work after the same three days: a thief who makes some gains nothing. The service's own page still has to confirm
/// the new device, and the devices before it end.
struct ApprovalRecovering {
    let environment: Environment

    /// What an enrolment has instead of a device's word.
    enum Way: String {
        case code
        case wait
    }

    /// What there is to get back in with.
    func find(_ principal: Principal) async throws -> ApprovalRecovery {
        let now = environment.now()
        return try await environment.database.read { try found(principal.account, in: $0, now: now) }
    }

    /// Makes codes and answers them once; those before end.
    func makeCodes(_ principal: Principal) async throws -> ApprovalRecoveryCodes {
        let from = environment.now() + Limits.approvalRecoveryWait
        let codes = (0..<Limits.approvalRecoveryCodes).map { _ in environment.humanCode(groups: 3) }
        let marks = try codes.map { try mark($0, principal.account) }
        let entry = try await record(.approvalRecoveryCodes, .recoveryCodes, principal) { transaction, _ in
            try ApprovalRecoveryStore(transaction: transaction)
                .replaceCodes(account: principal.account, marks: marks, from: from)
        }
        publish("codes", principal)
        return ApprovalRecoveryCodes(codes: codes, from: from, receipt: try await environment.log.receipt(entry))
    }

    /// Begins to wait.
    func begin(_ principal: Principal) async throws -> ApprovalRecovery {
        guard let device = principal.device else { throw Problem(.deviceRequired) }
        let id = environment.newIdentifier()
        let entry = try await record(.approvalRecoveryBegun, .recoveryBegun, principal) { transaction, now in
            let store = ApprovalRecoveryStore(transaction: transaction)
            guard try store.wait(account: principal.account, now: now) == nil else {
                throw ApprovalRefusal.recoveryUnderWay
            }
            let opens = now + Limits.approvalRecoveryWait
            try store.begin(
                ApprovalRecovery.Wait(
                    device: device, started: now, opens: opens, closes: opens + Limits.approvalRecoveryTime),
                id: id, account: principal.account)
        }
        publish("begun", principal)
        _ = try await environment.log.receipt(entry)
        return try await find(principal)
    }

    /// Ends the waiting: any device of the account can.
    func end(_ principal: Principal) async throws -> ApprovalRecovery {
        let entry = try await record(.approvalRecoveryEnded, .recoveryEnded, principal) { transaction, now in
            let store = ApprovalRecoveryStore(transaction: transaction)
            guard try store.wait(account: principal.account, now: now) != nil else {
                throw ApprovalRefusal.noRecovery
            }
            try store.end(account: principal.account)
        }
        publish("ended", principal)
        _ = try await environment.log.receipt(entry)
        return try await find(principal)
    }

    /// What an account has instead of a device's word, now that it takes an offer; a code is used up.
    ///
    /// - Throws: ``ApprovalRefusal/wrongRecoveryCode`` or ``ApprovalRefusal/recoveryTooEarly(_:)``.
    func way(code: String?, of account: String, in transaction: Transaction, now: Int64) throws -> Way? {
        let store = ApprovalRecoveryStore(transaction: transaction)
        guard let code else { return try isOpen(account, in: transaction, now: now) ? .wait : nil }
        let mark = try mark(code, account)
        guard let works = try store.works(account: account, mark: mark) else {
            throw ApprovalRefusal.wrongRecoveryCode
        }
        guard works <= now else { throw ApprovalRefusal.recoveryTooEarly(works) }
        try store.useCode(account: account, mark: mark)
        return .code
    }

    /// Whether an account has waited long enough, and nobody said no.
    func isOpen(_ account: String, in transaction: Transaction, now: Int64) throws -> Bool {
        let wait = try ApprovalRecoveryStore(transaction: transaction).wait(account: account, now: now)
        return wait.map { $0.opens <= now } ?? false
    }

    private func found(_ account: String, in transaction: Transaction, now: Int64) throws -> ApprovalRecovery {
        let store = ApprovalRecoveryStore(transaction: transaction)
        let codes = try store.codes(account: account)
        return ApprovalRecovery(
            codes: codes.count, codesFrom: codes.from, wait: try store.wait(account: account, now: now))
    }

    /// The stored form of a code, as it was made or as somebody typed it.
    private func mark(_ code: String, _ account: String) throws -> String {
        guard let code = HumanCode.normalised(code), code.count <= Limits.approvalSession.upperBound else {
            throw ApprovalRefusal.wrongRecoveryCode
        }
        return ApprovalKeys(environment.keys)
            .mark(String(decoding: code, as: UTF8.self), of: "recovery code", atService: account)
    }

    /// Does something and logs it, in one commit.
    private func record(
        _ kind: TrustEvent.Kind, _ sentence: NotificationDetail.Sentence, _ principal: Principal,
        _ act: @escaping @Sendable (Transaction, Int64) throws -> Void
    ) async throws -> Int64 {
        let now = environment.now()
        return try await environment.database.write { transaction in
            try act(transaction, now)
            // An end is never refused, and follows a beginning: who has the account must always be able to say no.
            if kind != .approvalRecoveryEnded {
                let bucket = TryStore.Bucket(.recoveryChange, .account(principal.account), environment)
                try TryStore(transaction: transaction).spend([bucket], now: now)
            }
            try environment.notify(
                .protection, principal.account, saying: NotificationDetail(sentence), in: transaction, now: now)
            return try environment.log.record(
                TrustEvent(kind, account: principal.account, []), in: transaction, now: now)
        }
    }

    private func publish(_ state: String, _ principal: Principal) {
        environment.publish(
            LiveEvent(.approvalRecovery, id: principal.account, state: state), to: principal.account)
    }
}
