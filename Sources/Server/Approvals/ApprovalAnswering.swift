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
    let memory: ApprovalMemory
    /// Answers of the same moment are stored together, and those that come while the log seals them are the next.
    ///
    /// So each is woken once, when its receipt can be made.
    let gathered: GatheredWrites<Decided, Taken>
    private var keys: ApprovalKeys { ApprovalKeys(environment.keys) }

    /// - Parameter patience: how long at most those who come while the log seals wait for it.
    init(
        environment: Environment, memory: ApprovalMemory = ApprovalMemory(),
        patience: Duration = TransparencyLog.patience
    ) {
        self.environment = environment
        self.memory = memory
        gathered = GatheredWrites(limit: Limits.answersTogether) { [log = environment.log] taken in
            if let last = taken.map(\.entry).max() { await log.sealNext(last, atMost: patience) }
        }
    }

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
        let taken: Taken
        if let together = await takeTogether(given, answer, loaded) {
            taken = together
        } else {
            taken = try await take(given, answer, loaded)
        }
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
            receipt: try await environment.log.receipt(taken.entry, isNew: taken.isNew))
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

    /// What an answer makes of its question, if that is as it was loaded.
    struct Decided: Sendable {
        /// With the answer, and the service's signature if it is over.
        var question: ApprovalQuestion
        /// The answer; of its entry the log still has to say where it is.
        var answer: ApprovalPromptStore.Answer
        /// Which of the question's prompts has it.
        let place: Int
        let device: ApprovalDeviceStore.Stored
        let entry: TransparencyLog.PreparedEntry
        /// What it was decided with.
        let stamp: ApprovalChallengeStore.Stamp
        /// When it was decided, on this server's clock.
        ///
        /// Another server's may have put a later time into the receipt.
        let now: Int64
    }

    /// Stores an answer whose signature was checked together with others of the same moment.
    ///
    /// What it comes to is worked out before, signature and entry of the log too: nobody waits for that. It counts if the
    /// transaction finds everything as it was loaded.
    ///
    /// - Returns: `nil` if that is not so, or if the answer does more than to allow: then it has to be taken by itself.
    func takeTogether(_ given: GivenAnswer, _ answer: ApprovalAnswer, _ loaded: Loaded) async -> Taken? {
        // What refuses an answer, or finds it repeated, is what is stored by then.
        guard given.decision.denial == nil, !loaded.isAboutApp,
            let decided = try? decide(given, answer, loaded, at: environment.now())
        else { return nil }
        return await gathered.store(decided, in: environment.database) { try self.store($0, in: $1) }
    }

    /// Stores those answers for which nothing has happened since they were decided.
    private func store(_ all: [Decided], in transaction: Transaction) throws -> [Taken?] {
        let presents = try ApprovalChallengeStore(transaction: transaction)
            .present(all.map { (question: $0.question.row.id, device: $0.device.id) })
        var seen: Set<String> = []
        return try zip(all, presents).map { decided, present -> Taken? in
            // Of two answers to one question, the second has to see the first.
            guard seen.insert(decided.question.row.id).inserted, let present, present.stamp == decided.stamp else {
                return nil
            }
            return try store(decided, present, in: transaction)
        }
    }

    /// Stores an answer whose signature was checked, and whatever else it brings about.
    ///
    /// - Parameter loaded: what it was checked with; since then others may have answered, and the device may have gone.
    func take(_ given: GivenAnswer, _ answer: ApprovalAnswer, _ loaded: Loaded) async throws -> Taken {
        let (now, id) = (environment.now(), answer.challenge.hexText)
        return try await environment.database.write { transaction in
            let present = try ApprovalChallengeStore(transaction: transaction)
                .present([(question: id, device: loaded.device.id)])[0]
            let loaded = present?.stamp == loaded.stamp ? loaded : try self.load(answer, in: transaction)
            let device = loaded.device
            guard let decided = try decide(given, answer, loaded, at: now) else {
                let own = loaded.question.prompts.first { $0.label == device.label }
                guard let entry = own?.answer?.entry else { throw ApprovalError.unknownDevice }
                return Taken(question: loaded.question, entry: entry, isNew: false)
            }
            var taken = try store(decided, present, in: transaction)
            if loaded.isAboutApp {
                taken.enrolled = try OriginalCompleting(environment: environment)
                    .settle(taken.question, by: device, in: transaction, now: now)
            }
            if let denial = given.decision.denial {
                taken.ended = try end(denial.scope, after: taken.question, device, in: transaction, now: now)
            }
            for other in taken.ended { try environment.endNotices(of: other, in: transaction, now: now) }
            return taken
        }
    }

    /// Says what an answer comes to.
    ///
    /// - Returns: `nil` if it had counted before.
    private func decide(
        _ given: GivenAnswer, _ answer: ApprovalAnswer, _ loaded: Loaded, at now: Int64
    ) throws -> Decided? {
        var question = loaded.question
        let device = loaded.device
        var lifecycle = try question.lifecycle()
        guard try lifecycle.take(given, at: now) != .repeated else { return nil }
        guard let place = question.prompts.firstIndex(where: { $0.label == device.label }) else {
            throw ApprovalError.unknownDevice
        }
        let denial = given.decision.denial
        let entry = try environment.log.prepared(event(denial, question, device, suite: environment.suite), now: now)
        // Servers have clocks of their own, and answers wait for each other: within a receipt no time goes back, and no
        // device answers before it was confirmed.
        let earliest = max(now, question.row.created, device.created)
        let time = question.prompts.compactMap { $0.answer?.time }.reduce(earliest, max)
        let stored = ApprovalPromptStore.Answer(
            denial: denial, device: device.id, signature: answer.signature.base64URL, time: time, entry: .max)
        // Behind those who have answered, before those who have not.
        let last = question.prompts.count { $0.answer != nil }
        var prompt = question.prompts.remove(at: place)
        prompt.answer = stored
        question.prompts.insert(prompt, at: last)
        question.devices[device.id] = device
        question.row.state = ApprovalState(lifecycle.state)
        try settle(&question, at: time)
        return Decided(
            question: question, answer: stored, place: last, device: device, entry: entry, stamp: loaded.stamp,
            now: now)
    }

    /// Stores an answer, and what has become of its question.
    ///
    /// - Parameter present: what is known of the question's notices; without it they are looked for.
    private func store(
        _ decided: Decided, _ present: ApprovalChallengeStore.Present?, in transaction: Transaction
    ) throws -> Taken {
        var (question, answer) = (decided.question, decided.answer)
        let (account, now) = (decided.device.account, decided.now)
        answer.entry = try environment.log.record(decided.entry, in: transaction)
        question.prompts[decided.place].answer = answer
        try ApprovalPromptStore(transaction: transaction)
            .setAnswer(answer, challenge: question.row.id, account: account)
        try ApprovalChallengeStore(transaction: transaction)
            .update(question.row, at: now, isAwaited: present?.isAwaited ?? true)
        // The other devices of the person who answered show that at once, and so do those of the others once it is
        // decided.
        if present?.isNoticed ?? true {
            try environment.endNotices(of: question, for: account, in: transaction, now: now)
        }
        return Taken(question: question, entry: answer.entry, isNew: true, account: account)
    }

    /// Signs what was decided, if it was.
    private func settle(_ question: inout ApprovalQuestion, at now: Int64) throws {
        guard question.row.state != .pending else { return }
        question.row.decided = now
        guard let outcome = try question.outcome(suite: environment.suite) else {
            throw StoredValueError(column: "approval_prompts")
        }
        let key = try memory.signingKey(ofService: question.row.service, keys)
        question.row.outcomeSignature = try key.sign(outcome.statement()).base64URL
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
    /// Only of a device that may answer now, and of somebody who has not answered yet: nobody else ends a question. The
    /// same message counts once, so nobody ends it by sending again what a device has sent.
    private func noteWrongCode(_ answer: ApprovalAnswer) async throws {
        let (id, message) = (answer.challenge.hexText, answer.message(suite: environment.suite))
        let isNew = memory.note(wrongCode: message, of: id)
        do {
            try await noteWrongCode(answer, counts: isNew)
        } catch {
            if isNew { memory.forget(wrongCode: message, of: id) }
            throw error
        }
    }

    private func noteWrongCode(_ answer: ApprovalAnswer, counts: Bool) async throws {
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
            guard counts else { return question }
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

extension ApprovalAnswer {
    /// What a message with a wrong code is known by when it comes again: the key, the code, and half of the signature.
    ///
    /// Anybody can change the other half into one that is valid too. The first half alone would not do: the holder of a
    /// key can sign many codes with the same one, and each is a guess.
    fileprivate func message(suite: SwiftCryptoSuite) -> Bytes {
        var code: Bytes = []
        if case .allow(let given?) = decision { code = given }
        return suite.sha256(key.x963 + signature.prefix(32) + code)
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
