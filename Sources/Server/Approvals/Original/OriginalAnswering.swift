import Approvals
import CryptoProvider
import Encodings
import HTTPTypes
import Hummingbird
import Interface
import Storage

/// The original's `callback`: an app replies to a challenge.
struct OriginalAnswering {
    let environment: Environment
    private var suite: SwiftCryptoSuite { environment.suite }

    /// Answers always with JSON: old apps read `success` and nothing else, not even the status.
    func respond(_ call: Call) async throws -> Response {
        let request = call.request
        do {
            let body = try await call.shell.limits.run(Limits.bodyTime, or: Problem(.requestTimeout)) {
                try await request.collectBytes(limit: .small)
            }
            try await take(try OriginalReply.parse(body))
            return .bytes(OriginalAnswer.success, mediaType: "application/json")
        } catch {
            do {
                try call.countFault(error, .badReply)
            } catch let tooMany {
                return Self.failure(tooMany)
            }
            switch error {
            case let error as ApprovalError:
                return .bytes(
                    OriginalAnswer.failure(error), status: error.problem.status, mediaType: "application/json")
            case let problem as Problem where [.tooLarge, .requestTimeout].contains(problem.kind):
                return .bytes(OriginalAnswer.failure(.malformed), status: problem.status, mediaType: "application/json")
            default: throw error
            }
        }
    }

    private static func failure(_ problem: Problem) -> Response {
        var response = Response.bytes(
            OriginalAnswer.failure(named: "too_many_requests"), status: problem.status, mediaType: "application/json")
        problem.addFields(to: &response)
        return response
    }

    /// Takes a reply: the first one decides, and the same one again changes nothing.
    func take(_ reply: OriginalReply) async throws {
        // Neither challenge nor keys ever change, so the signature is checked before others have to wait.
        let (stored, apps, enrolment) = try await environment.database.read { transaction in
            let stored = try self.challenge(reply.messageID, in: transaction)
            return (
                stored, try OriginalDeviceStore(transaction: transaction).active(label: stored.label),
                try stored.enrolment.flatMap { try OriginalEnrolmentStore(transaction: transaction).find(id: $0) }
            )
        }
        switch stored.step {
        case .approval: try await approve(stored, try verified(reply, stored, by: apps))
        case .enrolment:
            let challenge = try stored.signed().challenge
            try await enrol(stored, try reply.verified(for: challenge, device: nil, serverKeys: [], suite: suite))
        case .proof:
            guard let key = enrolment?.publicKey else { throw ApprovalError.unknownChallenge }
            try await prove(stored, reply, try stored.signed().challenge, key)
        }
    }

    /// Whether an account may enrol this key: it is no wallet's and no server's, and no other account's app.
    ///
    /// An old app has one key for all services, so its own account may have it already.
    static func isFree(_ key: String, for account: String, in transaction: Transaction) throws -> Bool {
        if let owner = try OriginalDeviceStore(transaction: transaction).owner(ofKey: key) { return owner == account }
        return try !ApprovalDeviceStore(transaction: transaction).isTaken(key: key)
    }

    private func challenge(_ id: Int64, in transaction: Transaction) throws -> OriginalChallengeStore.Stored {
        guard let stored = try OriginalChallengeStore(transaction: transaction).find(id: id),
            try ApprovalServiceStore(transaction: transaction).find(id: stored.service)?.info.originalKey != nil
        else { throw ApprovalError.unknownChallenge }
        return stored
    }

    /// Finds the app that signed: what the reply says of its key does not count.
    private func verified(
        _ reply: OriginalReply, _ stored: OriginalChallengeStore.Stored, by apps: [OriginalDeviceStore.Use]
    ) throws -> VerifiedOriginalReply {
        guard !apps.isEmpty else { throw ApprovalError.unknownDevice }
        let challenge = try stored.signed().challenge
        for key in apps.compactMap(\.key) {
            if let good = try? reply.verified(for: challenge, device: key, serverKeys: [], suite: suite) { return good }
        }
        throw ApprovalError.invalidSignature
    }

    private func approve(_ stored: OriginalChallengeStore.Stored, _ reply: VerifiedOriginalReply) async throws {
        let (now, suite) = (environment.now(), suite)
        let entry = try await environment.database.write { transaction in
            var row = try self.challenge(stored.id, in: transaction)
            let store = OriginalDeviceStore(transaction: transaction)
            let key = reply.key.x963.base64URL
            // Since the signature was checked, the app may have been removed, or its owner may want no questions.
            guard let use = try store.active(label: row.label).first(where: { $0.publicKey == key }),
                try AccountStore(transaction: transaction).block(of: row.account) == nil,
                try ApprovalSettingsStore(transaction: transaction).find(account: row.account).frozen == nil
            else { throw ApprovalError.unknownDevice }
            var lifecycle = try row.lifecycle()
            let answer = GivenAnswer(
                approver: try row.label.decodedBytes(), key: reply.key, decision: .allow(code: nil))
            if try lifecycle.take(answer, at: now) == .repeated { return row.entry }
            try store.setToken(String(decoding: reply.token, as: UTF8.self), ofKey: key)
            let digest = suite.sha256(try row.signed().challenge.canonical()).base64URL
            let event = TrustEvent(
                .approvalGiven, account: use.account, in: use.service,
                [("challenge", .text(digest)), ("public_key", .text(key))])
            (row.state, row.publicKey) = (ApprovalState(lifecycle.state), key)
            row.entry = try environment.log.record(event, in: transaction, now: now)
            try OriginalChallengeStore(transaction: transaction).update(row)
            return row.entry
        }
        if let entry { _ = try await environment.log.receipt(entry) }
    }

    private func enrol(_ stored: OriginalChallengeStore.Stored, _ reply: VerifiedOriginalReply) async throws {
        let (now, key) = (environment.now(), reply.key.x963.base64URL)
        try await environment.database.write { transaction in
            let store = OriginalEnrolmentStore(transaction: transaction)
            guard let id = stored.enrolment, var row = try store.find(id: id) else {
                throw ApprovalError.unknownChallenge
            }
            let state = row.state(at: now)
            if row.publicKey == key, state != .ended, state != .expired { return }
            guard state == .open else { throw state.refusal }
            guard try Self.isFree(key, for: row.account, in: transaction) else { throw ApprovalError.unsupportedKey }
            (row.state, row.publicKey) = (.taken, key)
            row.token = String(decoding: reply.token, as: UTF8.self)
            try store.update(row)
            let writing = OriginalWriting(environment: environment)
            let info = try writing.service(row.service, in: transaction)
            let words = OriginalWriting.Words(
                step: .proof, enrolment: id, title: "Add this app: 2 of 2",
                lines: ["Allow, and then answer \(info.name) in your wallet."], expires: row.expires)
            _ = try writing.write(words, from: info, to: row.account, row.label, in: transaction, now: now)
        }
    }

    /// The app that answered first has to answer the second link, too.
    private func prove(
        _ stored: OriginalChallengeStore.Stored, _ reply: OriginalReply, _ challenge: OriginalChallenge, _ key: String
    ) async throws {
        let now = environment.now()
        let first = P256PublicKey(x963: try key.decodedBytes())
        var trouble: ApprovalError?
        do throws(ApprovalError) {
            _ = try reply.verified(for: challenge, device: first, serverKeys: [], suite: suite)
        } catch {
            // Another app with a good signature has really seen the second link, so a stranger has answered the first.
            let other = try? OriginalDeviceKey.parse(reply.publicKey, suite: suite)
            let isOther =
                other != first
                && (try? reply.verified(for: challenge, device: other, serverKeys: [], suite: suite)) != nil
            guard other != nil, isOther else { throw error }
            trouble = .unknownDevice
        }
        try await environment.database.write { [trouble] transaction in
            let store = OriginalEnrolmentStore(transaction: transaction)
            guard let id = stored.enrolment, var row = try store.find(id: id), row.publicKey == key else {
                throw ApprovalError.unknownChallenge
            }
            let state = row.state(at: now)
            if trouble == nil, state == .proven || state == .completed { return }
            guard state == .taken else { throw state.refusal }
            row.state = trouble == nil ? .proven : .ended
            if !reply.token.isEmpty { row.token = String(decoding: reply.token, as: UTF8.self) }
            try store.update(row)
        }
        if let trouble { throw trouble }
    }
}
