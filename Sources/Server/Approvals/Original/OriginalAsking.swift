import Approvals
import CryptoProvider
import Encodings
import Interface
import Storage

/// A service asks in version 1, looks what came of it, and no longer asks.
struct OriginalAsking {
    let environment: Environment
    private var keys: ApprovalKeys { ApprovalKeys(environment.keys) }

    /// Asks the apps of a user.
    func ask(_ request: NewOriginalChallenge, _ program: CallingProgram) async throws -> OriginalRequest {
        let now = environment.now()
        guard Limits.approvalUser.contains(request.user.utf8.count),
            Limits.originalLines.contains(request.lines.count), Limits.originalTime.contains(request.lifetime),
            let title = Self.line(request.title, Limits.originalTitle),
            case let lines = request.lines.compactMap({ Self.line($0, Limits.originalText) }),
            lines.count == request.lines.count,
            Limits.originalText.contains(lines.reduce(0) { $0 + $1.utf8.count })
        else { throw ApprovalRefusal.invalidText }
        let label = keys.label(ofUser: request.user, atService: program.id).base64URL
        let writing = OriginalWriting(environment: environment)
        let stored = try await environment.database.write { transaction in
            let info = try writing.service(program.id, in: transaction)
            let apps = try OriginalDeviceStore(transaction: transaction).active(label: label)
            guard let account = apps.first?.account,
                try AccountStore(transaction: transaction).block(of: account) == nil
            else { throw ApprovalRefusal.noDevice }
            try PromptCheck(transaction: transaction, now: now)
                .check(account: account, service: program.id, browser: nil)
            let words = OriginalWriting.Words(
                step: .approval, title: title, lines: lines, expires: now + request.lifetime)
            return try writing.write(words, from: info, to: account, label, in: transaction, now: now)
        }
        var shown = stored.shown(at: now)
        (shown.link, shown.payload) = (try stored.link(), stored.message)
        return shown
    }

    /// Where a challenge stands.
    func find(_ id: String, _ program: CallingProgram) async throws -> OriginalRequest {
        let (now, number) = (environment.now(), try Self.number(id))
        return try await environment.database.read { try own(number, program, in: $0).shown(at: now) }
    }

    /// Whether a challenge was allowed.
    ///
    /// - Parameter user: whom the service believes to have asked: a challenge of somebody else is not signed for them.
    func isSigned(_ id: String, user: String?, _ program: CallingProgram) async throws -> OriginalSigned {
        let number = try Self.number(id)
        let label = user.map { keys.label(ofUser: $0, atService: program.id).base64URL }
        return try await environment.database.read { transaction in
            let found = try OriginalChallengeStore(transaction: transaction).find(id: number)
            guard let found, found.service == program.id, found.step == .approval, label ?? found.label == found.label
            else { return OriginalSigned(signed: false) }
            return OriginalSigned(signed: found.state == .approved)
        }
    }

    /// The service no longer asks.
    func cancel(_ id: String, _ program: CallingProgram) async throws -> OriginalRequest {
        let (now, number) = (environment.now(), try Self.number(id))
        return try await environment.database.write { transaction in
            var stored = try own(number, program, in: transaction)
            var lifecycle = try stored.lifecycle()
            try lifecycle.cancel(at: now)
            stored.state = ApprovalState(lifecycle.state)
            try OriginalChallengeStore(transaction: transaction).update(stored)
            return stored.shown(at: now)
        }
    }

    private func own(
        _ id: Int64, _ program: CallingProgram, in transaction: Transaction
    ) throws -> OriginalChallengeStore.Stored {
        guard let stored = try OriginalChallengeStore(transaction: transaction).find(id: id),
            stored.service == program.id, stored.step == .approval
        else { throw ApprovalError.unknownChallenge }
        return stored
    }

    /// The number of a challenge: decimal digits, and nothing that a database could read as more.
    private static func number(_ text: String) throws -> Int64 {
        guard (1...10).contains(text.utf8.count), text.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
            let number = Int64(text), number > 0
        else { throw ApprovalRefusal.invalidNumber }
        return number
    }

    /// One line of visible text, unchanged; `nil` for anything else.
    ///
    /// It is signed as it is, so what would hide or move text is refused and not written out.
    private static func line(_ text: String, _ limit: ClosedRange<Int>) -> String? {
        guard let name = try? AccountRules.name(text, limit: limit), Array(name.utf8) == Array(text.utf8) else {
            return nil
        }
        return text
    }
}

extension OriginalChallengeStore.Stored {
    /// The state machine where it stands.
    func lifecycle() throws -> ApprovalLifecycle {
        let approver = try label.decodedBytes()
        let answers = try publicKey.map { text in
            guard let key = P256PublicKey(x963: try text.decodedBytes()) else {
                throw StoredValueError(column: "original_challenges.public_key")
            }
            return [GivenAnswer(approver: approver, key: key, decision: .allow(code: nil))]
        }
        return ApprovalLifecycle(
            state: state.inCore, expires: expires, approvers: [approver], answers: answers ?? [])
    }

    /// As the service sees it.
    fileprivate func shown(at now: Int64) -> OriginalRequest {
        OriginalRequest(messageID: id, state: state(at: now), expires: expires)
    }
}
