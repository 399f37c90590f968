import Approvals
import CryptoProvider
import Encodings
import Interface
import Storage

/// The service's side of an enrolment: it offers, looks, and says that both screens showed the same code.
struct ApprovalOffering {
    let environment: Environment
    private var keys: ApprovalKeys { ApprovalKeys(environment.keys) }

    /// Begins an enrolment, in a session that alone can confirm it; what was begun for the same user before ends.
    func begin(_ request: NewApprovalEnrolment, _ program: CallingProgram) async throws -> ApprovalEnrolment {
        guard Limits.approvalUser.contains(request.user.utf8.count),
            Limits.approvalSession.contains(request.session.utf8.count)
        else { throw ApprovalRefusal.invalidText }
        let (service, now) = (program.id, environment.now())
        let (id, nonce) = (environment.random.bytes(16), environment.random.bytes(32))
        let label = keys.label(ofUser: request.user, atService: service)
        let key = try keys.signingKey(ofService: service)
        let mark = keys.mark(request.session, of: "session", atService: service)
        let reply = Bytes(text: "\(environment.publicURL)/api/approvals/enrolments/\(id.hexText)")
        let begun = try await environment.database.write { transaction in
            guard let stored = try ApprovalServiceStore(transaction: transaction).find(id: service) else {
                throw ApprovalServiceError.notFound
            }
            let offer = try ApprovalOffer(
                id: id, nonce: nonce, account: label, service: stored.info.asking, serverKey: key.publicKey,
                created: now, expires: now + Limits.approvalOfferTime, replyURL: reply)
            let store = ApprovalOfferStore(transaction: transaction)
            try store.endOthers(label: label.base64URL, at: now)
            guard try store.hasRoom(service: service, label: label.base64URL, now: now) else {
                throw ApprovalRefusal.tooManyOffers
            }
            let message = offer.encoded(signature: try key.sign(offer.statement()))
            let row = ApprovalOfferStore.Stored(
                id: id.hexText, service: service, label: label.base64URL, sessionMark: mark,
                message: message.base64URL, created: now, expires: offer.expires)
            try store.insert(row)
            return try row.shown(at: now, suite: environment.suite)
        }
        environment.ringWebhooks()
        return begun
    }

    /// Where an enrolment stands.
    func find(_ id: String, _ program: CallingProgram) async throws -> ApprovalEnrolment {
        let now = environment.now()
        return try await environment.database.read { transaction in
            try own(id, program, in: transaction).shown(at: now, suite: environment.suite)
        }
    }

    /// The session that began says that both screens showed the same code: the device is enrolled.
    ///
    /// A wrong code ends the enrolment, and nothing of it remains to be tried.
    func confirm(
        _ id: String, _ request: ApprovalEnrolmentConfirmation, _ program: CallingProgram
    ) async throws -> ApprovalEnrolment {
        let now = environment.now()
        let (deviceID, suite) = (environment.newIdentifier(), environment.suite)
        let mark = keys.mark(request.session, of: "session", atService: program.id)
        let key = try keys.signingKey(ofService: program.id)
        let outcome = try await environment.database.write { transaction -> Result<Enrolled, ApprovalError> in
            var row = try own(id, program, in: transaction, session: mark)
            guard let enrolment = try row.deviceEnrolment() else {
                guard row.state(at: now) == .open else { throw row.state(at: now).refusal }
                throw ApprovalRefusal.notTaken
            }
            let offer = try row.offer(suite: suite)
            let isRight = enrolment.code(offer, suite: suite).equalsInConstantTime(Bytes(text: request.code))
            let store = ApprovalOfferStore(transaction: transaction)
            switch row.state(at: now) {
            case .completed where isRight: return .success(Enrolled(row: row))
            case .taken: break
            case let state: throw state.refusal
            }
            guard isRight, let account = row.account, let device = row.device else {
                try store.end(id, as: .ended, at: now)
                return .failure(.wrongCode)
            }
            // Since the offer was taken, its own device may have been revoked. Nobody could answer with it.
            let wallet = try DeviceStore(transaction: transaction).find(id: device)?.device
            guard let wallet, wallet.revoked == nil else {
                try store.end(id, as: .ended, at: now)
                return .failure(.unknownDevice)
            }
            // Others may have come, or the one that vouched may have gone.
            let taking = ApprovalTaking(environment: environment)
            _ = try taking.check(row, offer, by: account, in: transaction, now: now)
            let confirmation = DeviceConfirmation(enrolment, of: offer, at: now, suite: suite).statement()
            let stored = ApprovalDeviceStore.Stored(
                id: deviceID, service: row.service, label: row.label, account: account, device: device,
                name: String(decoding: enrolment.name, as: UTF8.self), publicKey: enrolment.key.x963.base64URL,
                confirmation: confirmation.base64URL, signature: try key.sign(confirmation).base64URL, created: now)
            let devices = ApprovalDeviceStore(transaction: transaction)
            // Who came back without a device has lost those that there were.
            for lost in row.recovery == nil ? [] : try devices.active(label: row.label) {
                guard try devices.remove(lost.id, account: account, at: now) else { continue }
                _ = try environment.log.record(.ofDevice(.approvalDeviceRemoved, lost), in: transaction, now: now)
            }
            let apps = OriginalDeviceStore(transaction: transaction)
            for lost in row.recovery == nil ? [] : try apps.active(label: row.label) {
                guard try apps.remove(lost.id, account: account, at: now) != nil else { continue }
                _ = try environment.log.record(.ofApp(.approvalDeviceRemoved, lost), in: transaction, now: now)
            }
            try devices.insert(stored)
            try environment.notify(
                .device, account, saying: NotificationDetail(.answererAdded, offer.service.neutralName),
                in: transaction, now: now)
            try store.end(id, as: .completed, at: now)
            row.state = .completed
            let entry = try environment.log.record(
                .ofDevice(.approvalDeviceEnrolled, stored, recovery: row.recovery), in: transaction, now: now)
            return .success(Enrolled(row: row, entry: entry))
        }
        environment.ringWebhooks()
        let enrolled = try outcome.get()
        if let entry = enrolled.entry {
            if let account = enrolled.row.account {
                environment.publish(LiveEvent(.approvalDevice, id: id, state: "enrolled"), to: account)
            }
            _ = try await environment.log.receipt(entry)
        }
        return try enrolled.row.shown(at: now, suite: suite)
    }

    /// The session that began ends the enrolment: the codes differ, or nobody wants it any more.
    func end(_ id: String, _ request: ApprovalEnrolmentEnd, _ program: CallingProgram) async throws -> ApprovalEnrolment
    {
        let now = environment.now()
        let mark = keys.mark(request.session, of: "session", atService: program.id)
        let shown = try await environment.database.write { transaction in
            var row = try own(id, program, in: transaction, session: mark)
            switch row.state(at: now) {
            case .open, .taken: try ApprovalOfferStore(transaction: transaction).end(id, as: .ended, at: now)
            case .ended: break
            case let state: throw state.refusal
            }
            row.state = .ended
            return try row.shown(at: now, suite: environment.suite)
        }
        environment.ringWebhooks()
        return shown
    }

    /// An enrolment and the log's entry, if it was completed just now.
    private struct Enrolled: Sendable {
        var row: ApprovalOfferStore.Stored
        var entry: Int64?
    }

    /// The program's own enrolment; with a session, only if that began it.
    private func own(
        _ id: String, _ program: CallingProgram, in transaction: Transaction, session mark: String? = nil
    ) throws -> ApprovalOfferStore.Stored {
        guard let row = try ApprovalOfferStore(transaction: transaction).find(id: id), row.service == program.id,
            mark.map({ Bytes(text: $0).equalsInConstantTime(Bytes(text: row.sessionMark)) }) ?? true
        else { throw ApprovalError.unknownChallenge }
        return row
    }
}

extension ApprovalOfferStore.Stored {
    /// The offer that was signed.
    func offer(suite: SwiftCryptoSuite) throws -> ApprovalOffer {
        // Whether its time is over is asked by the caller, who has a better answer.
        try ApprovalOffer.parse(try message.decodedBytes(), at: created, suite: suite)
    }

    /// How a device has taken it, as it was checked before it was stored; `nil` while none has.
    func deviceEnrolment() throws -> DeviceEnrolment? {
        try enrolment.map { try DeviceEnrolment.read(try $0.decodedBytes()) }
    }

    /// As the service sees it.
    fileprivate func shown(at now: Int64, suite: SwiftCryptoSuite) throws -> ApprovalEnrolment {
        var shown = ApprovalEnrolment(id: id, state: state(at: now), expires: expires)
        if shown.state == .open {
            shown.link = String(decoding: ApprovalLink.encode(try message.decodedBytes()), as: UTF8.self)
        }
        if shown.state == .taken || shown.state == .completed, let enrolment = try deviceEnrolment() {
            shown.code = String(decoding: enrolment.code(try offer(suite: suite), suite: suite), as: UTF8.self)
            shown.deviceName = String(decoding: enrolment.name, as: UTF8.self)
        }
        return shown
    }
}

extension ApprovalEnrolment.State {
    /// Why an enrolment in this state goes no further.
    var refusal: ApprovalError { self == .expired ? .expired : .alreadyAnswered }
}

extension ApprovalServiceInfo {
    /// The service as challenges and offers name it.
    var asking: ApprovalService {
        get throws { try ApprovalService(id: Bytes(text: domain), name: Bytes(text: name)) }
    }
}

extension String {
    /// The bytes of a column in base64url.
    func decodedBytes() throws -> Bytes {
        guard let bytes = Base64.decode(Bytes(text: self), .url) else { throw StoredValueError(column: "base64url") }
        return bytes
    }
}

extension Array where Element == UInt8 {
    /// The bytes as lower-case hexadecimal text.
    var hexText: String { String(decoding: Hex.encode(self), as: UTF8.self) }
}
