import Approvals
import CryptoProvider
import Encodings
import Interface
import Storage

/// The service's side of the enrolment of an app that speaks version 1.
///
/// An old app shows only the text that the server signed, so no code that follows from its key can be compared
/// on it. Instead it answers twice, and the second link is shown only after the first was answered. A stranger who has
/// got hold of the first link is found out there. Then a device that the person has enrolled before must agree, with a
/// code that follows from the app's key.
struct OriginalEnrolling {
    let environment: Environment
    private var keys: ApprovalKeys { ApprovalKeys(environment.keys) }
    private var writing: OriginalWriting { OriginalWriting(environment: environment) }

    /// Begins an enrolment, in a session that alone can go on with it; what was begun for the same user before ends.
    func begin(_ request: NewOriginalEnrolment, _ program: CallingProgram) async throws -> OriginalEnrolment {
        guard Limits.approvalUser.contains(request.user.utf8.count),
            Limits.approvalSession.contains(request.session.utf8.count),
            case let lifetime = request.lifetime ?? Limits.approvalOfferTime,
            (Limits.originalTime.lowerBound...Limits.approvalOfferTime).contains(lifetime)
        else { throw ApprovalRefusal.invalidText }
        let (now, id) = (environment.now(), environment.newIdentifier())
        let label = keys.label(ofUser: request.user, atService: program.id).base64URL
        let mark = keys.mark(request.session, of: "session", atService: program.id)
        return try await environment.database.write { transaction in
            let info = try writing.service(program.id, in: transaction)
            // Without a device that could agree, nobody knows whose the app is.
            guard let account = try ApprovalDeviceStore(transaction: transaction).active(label: label).first?.account,
                try AccountStore(transaction: transaction).block(of: account) == nil
            else { throw ApprovalRefusal.noDevice }
            let store = OriginalEnrolmentStore(transaction: transaction)
            try store.endOthers(label: label)
            guard try store.hasRoom(service: program.id, label: label, now: now) else {
                throw ApprovalRefusal.tooManyOffers
            }
            let row = OriginalEnrolmentStore.Stored(
                id: id, service: program.id, label: label, account: account, sessionMark: mark, created: now,
                expires: now + lifetime)
            try store.insert(row)
            let words = OriginalWriting.Words(
                step: .enrolment, enrolment: id, title: "Add this app: 1 of 2",
                lines: ["\(info.name) (\(info.domain)) adds this app. Allow only if you have asked for it there."],
                expires: row.expires)
            _ = try writing.write(words, from: info, to: account, label, in: transaction, now: now)
            return try shown(row, in: transaction, now: now)
        }
    }

    /// Where an enrolment stands.
    func find(_ id: String, _ program: CallingProgram) async throws -> OriginalEnrolment {
        let now = environment.now()
        return try await environment.database.read { try shown(own(id, program, in: $0), in: $0, now: now) }
    }

    /// The session that began has the person's wallet asked, once the app has answered twice.
    ///
    /// The question is one of version 2. Its code follows from the app's key, and the session's page shows it.
    func ask(_ id: String, _ request: ApprovalEnrolmentEnd, _ program: CallingProgram) async throws -> OriginalEnrolment
    {
        let now = environment.now()
        let mark = keys.mark(request.session, of: "session", atService: program.id)
        let (answer, question) = try await environment.database.write {
            transaction -> (OriginalEnrolment, ApprovalQuestion?) in
            var row = try own(id, program, in: transaction, session: mark)
            switch row.state(at: now) {
            case .proven: break
            case .open, .taken: throw ApprovalRefusal.notTaken
            case .completed: return (try shown(row, in: transaction, now: now), nil)
            case let state: throw state.refusal
            }
            guard row.question == nil else { return (try shown(row, in: transaction, now: now), nil) }
            try PromptCheck(transaction: transaction, now: now)
                .check(account: row.account, service: row.service, browser: nil)
            let question = try self.question(row, in: transaction, now: now)
            row.question = question.row.id
            try OriginalEnrolmentStore(transaction: transaction).update(row)
            return (try shown(row, in: transaction, now: now), question)
        }
        if let question { environment.publishApproval(question, state: .pending) }
        return answer
    }

    /// The session that began ends the enrolment.
    func end(_ id: String, _ request: ApprovalEnrolmentEnd, _ program: CallingProgram) async throws -> OriginalEnrolment
    {
        let now = environment.now()
        let mark = keys.mark(request.session, of: "session", atService: program.id)
        return try await environment.database.write { transaction in
            var row = try own(id, program, in: transaction, session: mark)
            switch row.state(at: now) {
            case .open, .taken, .proven, .ended: row.state = .ended
            case let state: throw state.refusal
            }
            try OriginalEnrolmentStore(transaction: transaction).update(row)
            return try shown(row, in: transaction, now: now)
        }
    }

    /// Stores and signs what the wallet is asked.
    private func question(
        _ row: OriginalEnrolmentStore.Stored, in transaction: Transaction, now: Int64
    ) throws -> ApprovalQuestion {
        guard let code = row.code(suite: environment.suite) else { throw ApprovalRefusal.notTaken }
        let info = try writing.service(row.service, in: transaction)
        let key = try keys.signingKey(ofService: row.service)
        let secret = try MatchSecret(code: code, salt: environment.random.bytes(32))
        let challenge = try ApprovalChallenge(
            id: environment.random.bytes(16), nonce: environment.random.bytes(32), service: try info.asking,
            serverKey: key.publicKey, approvers: [try row.label.decodedBytes()], need: 1, action: .change,
            fields: [.text(Bytes(text: "Add an app of version 1, which answers without a code and cannot deny."))],
            match: try secret.requirement(suite: environment.suite), created: now,
            expires: now + Limits.approvalOfferTime,
            replyURL: Bytes(text: "\(environment.publicURL)/api/approvals/answers"))
        let signed = SignedApprovalChallenge(signing: challenge, signature: try key.sign(challenge.statement()))
        let mark = keys.mark("enrolment \(row.id)", of: "idempotency key of the server", atService: row.service)
        let stored = ApprovalChallengeStore.Stored(
            id: challenge.id.hexText, service: row.service, idempotency: mark, request: mark,
            message: signed.encoded().base64URL, secret: secret, created: now, expires: challenge.expires)
        try ApprovalChallengeStore(transaction: transaction).insert(stored)
        try ApprovalPromptStore(transaction: transaction).insert(
            ApprovalPromptStore.Stored(
                challenge: stored.id, account: row.account, label: row.label, service: row.service, browser: nil,
                created: now))
        try environment.notify(
            .approval, row.account, about: stored.id, saying: challenge.noticeDetail, until: stored.expires,
            in: transaction, now: now)
        return try ApprovalQuestion(stored, in: transaction)
    }

    /// The program's own enrolment; with a session, only if that began it.
    private func own(
        _ id: String, _ program: CallingProgram, in transaction: Transaction, session mark: String? = nil
    ) throws -> OriginalEnrolmentStore.Stored {
        guard let row = try OriginalEnrolmentStore(transaction: transaction).find(id: id), row.service == program.id,
            mark.map({ Bytes(text: $0).equalsInConstantTime(Bytes(text: row.sessionMark)) }) ?? true
        else { throw ApprovalError.unknownChallenge }
        return row
    }

    /// As the service sees it.
    private func shown(
        _ row: OriginalEnrolmentStore.Stored, in transaction: Transaction, now: Int64
    ) throws -> OriginalEnrolment {
        var shown = OriginalEnrolment(id: row.id, state: row.state(at: now), expires: row.expires)
        let step: OriginalChallengeStore.Step? =
            switch shown.state {
            case .open: .enrolment
            case .taken: .proof
            case .proven, .completed, .ended, .expired: nil
            }
        if let step, let next = try OriginalChallengeStore(transaction: transaction).find(enrolment: row.id, step) {
            (shown.messageID, shown.link) = (next.id, try next.link())
        }
        if shown.state == .proven {
            shown.code = row.code(suite: environment.suite).map { String(decoding: $0, as: UTF8.self) }
            shown.question = row.question
        }
        return shown
    }
}

extension OriginalEnrolmentStore.Stored {
    /// Six digits that follow from the enrolment and the app's key; `nil` while no app has answered.
    func code(suite: SwiftCryptoSuite) -> Bytes? {
        guard let key = publicKey else { return nil }
        let hash = suite.sha256(Bytes(text: "countersign approvals v1 app code\n\(id)\n\(key)"))
        let number = hash.prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) } % 1_000_000
        let digits = Bytes(text: String(number))
        return Bytes(repeating: 0x30, count: 6 - digits.count) + digits
    }
}

extension OriginalEnrolment.State {
    /// Why an enrolment in this state goes no further.
    var refusal: ApprovalError { self == .expired ? .expired : .alreadyAnswered }
}
