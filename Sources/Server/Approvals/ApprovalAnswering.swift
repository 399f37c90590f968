import Approvals
import CryptoProvider
import Encodings
import Interface
import Storage

/// A device answers: the first answer decides, or counts towards the decision.
///
/// The signature is all that an answer needs. It may come from a wallet, or by somebody who scanned it from a device
/// without a network.
struct ApprovalAnswering {
    let environment: Environment
    var memory = ApprovalMemory()
    private var keys: ApprovalKeys { ApprovalKeys(environment.keys) }

    func answer(_ request: ApprovalMessage) async throws -> AnsweredChallenge {
        guard let message = Base64.decode(Bytes(text: request.message), .url),
            message.count <= ApprovalAnswer.maximumLength
        else { throw ApprovalError.malformed }
        let answer = try ApprovalAnswer.parse(message)
        let id = answer.challenge.hexText
        // Neither question nor key ever change, so the signature is checked before others have to wait.
        let loaded = try await loaded(answer)
        let (question, device) = (loaded.question, loaded.device)
        let given: GivenAnswer
        do throws(ApprovalError) {
            given = try answer.verified(
                for: question.signed, device: device.enrolled, match: question.row.secret, suite: environment.suite)
        } catch .wrongCode {
            memory.forget(id)
            try await noteWrongCode(answer)
            throw ApprovalError.wrongCode
        }
        let taken = try await take(given, answer, loaded)
        if taken.isNew {
            if taken.question.row.state == .pending {
                memory.remember(taken.question, isAboutApp: loaded.isAboutApp)
            } else {
                memory.forget(id)
            }
            environment.publishApproval(taken.question, state: taken.question.row.state)
            if let account = taken.account, taken.enrolled != nil {
                environment.publish(LiveEvent(.approvalDevice, id: id, state: "enrolled"), to: account)
            }
            for other in taken.ended { environment.publishApproval(other, state: other.row.state) }
        }
        return AnsweredChallenge(
            id: id, state: taken.question.row.state, missing: taken.question.missing,
            receipt: try await environment.log.receipt(taken.entry))
    }

    /// What an answer did.
    struct Taken: Sendable {
        var question: ApprovalQuestion
        var entry: Int64
        var isNew: Bool
        /// Who answered.
        var account: String?
        /// The log's entry of an app of version 1, if the answer has enrolled one.
        var enrolled: Int64?
        /// Other questions that a denial has ended.
        var ended: [ApprovalQuestion] = []
    }

    /// What an answer is about.
    struct Loaded: Sendable {
        var question: ApprovalQuestion
        var device: ApprovalDeviceStore.Stored
        /// Whether the question is about an app of version 1; that never changes.
        var isAboutApp: Bool

        /// As long as this is true of the database, it is as it was loaded.
        var stamp: ApprovalChallengeStore.Stamp {
            ApprovalChallengeStore.Stamp(
                state: question.row.state, wrongCodes: Int64(question.row.wrongCodes),
                prompts: Int64(question.prompts.count), answers: Int64(question.prompts.count { $0.answer != nil }),
                isAble: true)
        }
    }

    /// What an answer is about, as it was when it was last loaded.
    private func loaded(_ answer: ApprovalAnswer) async throws -> Loaded {
        if let known = memory.find(answer.challenge.hexText, key: answer.key.x963.base64URL) { return known }
        let loaded = try await environment.database.read { try self.load(answer, in: $0) }
        memory.remember(loaded.question, isAboutApp: loaded.isAboutApp)
        memory.remember(loaded.device)
        return loaded
    }

    /// Loads what an answer is about.
    ///
    /// - Throws: `ApprovalError.unknownChallenge`; `unknownDevice` when the device may not answer.
    func load(_ answer: ApprovalAnswer, in transaction: Transaction) throws -> Loaded {
        guard let question = try ApprovalQuestion(id: answer.challenge.hexText, in: transaction) else {
            throw ApprovalError.unknownChallenge
        }
        return Loaded(
            question: question, device: try device(of: answer, question, in: transaction),
            isAboutApp: try OriginalEnrolmentStore(transaction: transaction).find(question: question.row.id) != nil)
    }

    /// Stores an answer whose signature was checked.
    ///
    /// - Parameter loaded: what it was checked with; since then others may have answered, and the device may have gone.
    func take(_ given: GivenAnswer, _ answer: ApprovalAnswer, _ loaded: Loaded) async throws -> Taken {
        let (now, id, suite) = (environment.now(), answer.challenge.hexText, environment.suite)
        return try await environment.database.write { transaction in
            let store = ApprovalChallengeStore(transaction: transaction)
            let present = try store.present(id: id, device: loaded.device.id)
            let loaded = present?.stamp == loaded.stamp ? loaded : try self.load(answer, in: transaction)
            var question = loaded.question
            let device = loaded.device
            var lifecycle = try question.lifecycle()
            let effect = try lifecycle.take(given, at: now)
            guard let place = question.prompts.firstIndex(where: { $0.label == device.label }) else {
                throw ApprovalError.unknownDevice
            }
            if effect == .repeated {
                guard let entry = question.prompts[place].answer?.entry else { throw ApprovalError.unknownDevice }
                return Taken(question: question, entry: entry, isNew: false)
            }
            let denial = given.decision.denial
            let entry = try environment.log.record(
                event(denial, question, device, suite: suite), in: transaction, now: now)
            // Servers have clocks of their own, and answers wait for each other: within a receipt no time goes back.
            let time = question.prompts.compactMap { $0.answer?.time }.reduce(max(now, question.row.created), max)
            let stored = ApprovalPromptStore.Answer(
                denial: denial, device: device.id, signature: answer.signature.base64URL, time: time, entry: entry)
            try ApprovalPromptStore(transaction: transaction)
                .setAnswer(stored, challenge: id, account: device.account)
            question.devices[device.id] = device
            question.prompts[place].answer = stored
            question.prompts.sort { ($0.answer?.entry ?? .max) < ($1.answer?.entry ?? .max) }
            question.row.state = ApprovalState(lifecycle.state)
            try settle(&question, at: time)
            try store.update(question.row, at: now, isAwaited: present?.isAwaited ?? true)
            let enrolled =
                try loaded.isAboutApp
                ? OriginalCompleting(environment: environment)
                    .settle(question, by: device, in: transaction, now: now) : nil
            let ended = try denial.map { try end($0.scope, after: question, device, in: transaction, now: now) }
            // The other devices of the person who answered show that at once, and so do those of the others once it is
            // decided.
            if present?.isNoticed ?? true {
                try environment.endNotices(of: question, for: device.account, in: transaction, now: now)
            }
            for other in ended ?? [] { try environment.endNotices(of: other, in: transaction, now: now) }
            return Taken(
                question: question, entry: entry, isNew: true, account: device.account, enrolled: enrolled,
                ended: ended ?? [])
        }
    }

    /// Signs what was decided, if it was.
    private func settle(_ question: inout ApprovalQuestion, at now: Int64) throws {
        guard question.row.state != .pending else { return }
        question.row.decided = now
        guard let receipt = try question.receipt(suite: environment.suite) else {
            throw StoredValueError(column: "approval_prompts")
        }
        let outcome = receipt.outcome(suite: environment.suite).statement()
        let key = try memory.signingKey(ofService: question.row.service, keys)
        question.row.outcomeSignature = try key.sign(outcome).base64URL
    }

    /// What else a denial ends: all that this service asks, or everything, and nothing more is asked.
    private func end(
        _ scope: ApprovalDenial.Scope, after question: ApprovalQuestion, _ device: ApprovalDeviceStore.Stored,
        in transaction: Transaction, now: Int64
    ) throws -> [ApprovalQuestion] {
        let ending = ApprovalEnding(transaction: transaction, now: now)
        switch scope {
        case .request: return []
        case .service:
            try OriginalChallengeStore(transaction: transaction)
                .cancelOpen(account: device.account, service: question.row.service, now: now)
            return try ending.endWaiting(of: device.account) { $0.row.service == question.row.service }
        case .account: return try ending.freeze(device.account)
        }
    }

    /// Counts a code that was signed and is wrong; the third ends the question.
    ///
    /// Only of a device that may answer now, and of somebody who has not answered yet: nobody else ends a question.
    private func noteWrongCode(_ answer: ApprovalAnswer) async throws {
        let now = environment.now()
        let question = try await environment.database.write { transaction in
            // What the code was checked with may be older than the device's end.
            let present = try self.load(answer, in: transaction)
            var question = present.question
            guard !question.prompts.contains(where: { $0.label == present.device.label && $0.answer != nil }) else {
                throw ApprovalError.alreadyAnswered
            }
            var lifecycle = try question.lifecycle()
            try lifecycle.noteWrongCode(at: now)
            (question.row.wrongCodes, question.row.state) = (lifecycle.wrongCodes, ApprovalState(lifecycle.state))
            try ApprovalChallengeStore(transaction: transaction).update(question.row, at: now)
            if question.row.state != .pending {
                try environment.endNotices(of: question, in: transaction, now: now)
            }
            return question
        }
        if question.row.state != .pending { environment.publishApproval(question, state: question.row.state) }
    }

    /// The device that signed, if it may answer this question.
    private func device(
        of answer: ApprovalAnswer, _ question: ApprovalQuestion, in transaction: Transaction
    ) throws -> ApprovalDeviceStore.Stored {
        let store = ApprovalDeviceStore(transaction: transaction)
        guard let device = try store.active(key: answer.key.x963.base64URL), question.mayBeAnswered(by: device),
            try AccountStore(transaction: transaction).block(of: device.account) == nil
        else { throw ApprovalError.unknownDevice }
        return device
    }

    private func event(
        _ denial: ApprovalDenial?, _ question: ApprovalQuestion, _ device: ApprovalDeviceStore.Stored,
        suite: SwiftCryptoSuite
    ) -> TrustEvent {
        var members: [(String, JSON)] = [
            ("challenge", .text(suite.sha256(question.signed.statement).base64URL)),
            ("public_key", .text(device.publicKey)),
        ]
        if let denial {
            members += [("reason", .text(denial.reason.rawValue)), ("scope", .text(denial.scope.rawValue))]
        }
        return TrustEvent(
            denial == nil ? .approvalGiven : .approvalDenied, account: device.account, in: device.service, members)
    }
}

extension ApprovalDeviceStore.Stored {
    /// As `Core` knows it.
    fileprivate var enrolled: EnrolledApprovalDevice? {
        guard let key, let account = try? label.decodedBytes() else { return nil }
        return EnrolledApprovalDevice(key: key, account: account)
    }
}

extension ApprovalDecision {
    /// Why and how widely it denies; `nil` when it allows.
    fileprivate var denial: ApprovalDenial? {
        guard case .deny(let reason, let scope) = self else { return nil }
        return ApprovalDenial(reason: .init(reason), scope: .init(scope))
    }
}
