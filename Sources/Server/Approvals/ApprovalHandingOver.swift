import Approvals
import CryptoProvider
import Encodings
import Interface
import Storage

/// A new device asks its account's others for their word, one of them gives it, and both signed the same bytes.
///
/// The older device says first with which key it would sign. Then both know the bytes and show their six digits, and the
/// person compares them before anything is signed. The new device's key is told to the older one alone: a stranger in the
/// account cannot look for a key with the same digits.
struct ApprovalHandingOver {
    let environment: Environment

    /// A new device asks, and the account's other devices are told.
    func ask(_ id: String, _ request: NewApprovalHandover, _ principal: Principal) async throws -> MemberEnrolment {
        guard let device = principal.device else { throw Problem(.deviceRequired) }
        guard let key = Self.key(request.key) else { throw ApprovalError.unsupportedKey }
        let (now, suite) = (environment.now(), environment.suite)
        let shown = try await environment.database.write { transaction in
            let store = ApprovalOfferStore(transaction: transaction)
            guard let row = try store.find(id: id),
                try ApprovalServiceStore(transaction: transaction).find(id: row.service) != nil
            else { throw ApprovalError.unknownChallenge }
            guard row.state(at: now) == .open else { throw row.state(at: now).refusal }
            let devices = ApprovalDeviceStore(transaction: transaction)
            let active = try devices.active(label: row.label)
            guard !active.isEmpty,
                try devices.ever(label: row.label).allSatisfy({ $0.account == principal.account })
            else { throw ApprovalError.unknownDevice }
            guard active.count < Limits.approvalDevices else { throw ApprovalRefusal.tooManyDevices }
            let offer = try row.offer(suite: suite)
            try DeviceEnrolment(offer: offer, name: Bytes(text: request.name), key: key).checkName()
            guard suite.isOnP256(key.x963), key != offer.serverKey, try !devices.isTaken(key: key.x963.base64URL)
            else { throw ApprovalError.unsupportedKey }
            guard
                try ApprovalHandoverStore(transaction: transaction)
                    .ask(
                        id, account: principal.account, device: device, name: request.name, key: key.x963.base64URL)
            else { throw ApprovalError.alreadyAnswered }
            let bucket = TryStore.Bucket(.handoverRequest, .account(principal.account), environment)
            try TryStore(transaction: transaction).spend([bucket], now: now)
            try environment.notify(
                .protection, principal.account, saying: NotificationDetail(.answererAsks, offer.service.neutralName),
                until: row.expires, in: transaction, now: now)
            return try enrolment(id, principal, in: transaction, now: now)
        }
        publish(id, principal)
        return shown
    }

    /// The device that asked asks no more.
    func giveUp(_ id: String, _ principal: Principal) async throws -> MemberEnrolment {
        guard let device = principal.device else { throw Problem(.deviceRequired) }
        let now = environment.now()
        let shown = try await environment.database.write { transaction in
            let row = try own(id, principal, in: transaction, now: now)
            guard row.device == device else { throw ApprovalError.unknownChallenge }
            try ApprovalHandoverStore(transaction: transaction).giveUp(id, device: device)
            return MemberEnrolment(id: id, state: row.state(at: now), expires: row.expires)
        }
        publish(id, principal)
        return shown
    }

    /// What waits for the word of one of the account's devices, without what this device asks itself.
    func waiting(_ principal: Principal) async throws -> [ApprovalHandover] {
        let now = environment.now()
        return try await environment.database.read { transaction in
            let store = ApprovalOfferStore(transaction: transaction)
            return try ApprovalHandoverStore(transaction: transaction)
                .waiting(account: principal.account, now: now)
                .compactMap { try store.find(id: $0) }.filter { $0.device != principal.device }
                .compactMap { try shown($0, to: principal, in: transaction) }
        }
    }

    /// An older device looks at a request: from now on both devices know the bytes, and show their digits.
    ///
    /// One device does at a time, until the new one asks again.
    func claim(
        _ id: String, _ request: ApprovalHandoverClaim, _ principal: Principal
    ) async throws -> ApprovalHandover {
        try await change(id, principal) { row, handover, transaction in
            try check(request.by, of: row, principal, in: transaction)
            guard
                try ApprovalHandoverStore(transaction: transaction).claim(id, key: handover.key, by: request.by)
            else { throw ApprovalError.alreadyAnswered }
        }
    }

    /// An older device gives its word, after the person has compared the digits.
    func agree(
        _ id: String, _ request: ApprovalHandoverWord, _ principal: Principal
    ) async throws -> ApprovalHandover {
        guard let signature = Base64.decode(Bytes(text: request.handover), .url), signature.count == 64 else {
            throw ApprovalError.malformed
        }
        let text = signature.base64URL
        return try await change(id, principal) { row, handover, transaction in
            let voucher = try check(request.by, of: row, principal, in: transaction)
            // The same word again: its answer was lost.
            if handover.state == .agreed, handover.by == request.by, handover.handover == text { return }
            guard handover.state == .claimed, handover.by == request.by else { throw ApprovalError.alreadyAnswered }
            let offer = try row.offer(suite: environment.suite)
            guard let key = Self.key(handover.key) else { throw StoredValueError(column: "handover_key") }
            let bytes = try DeviceEnrolment(
                offer: offer, name: Bytes(text: handover.name), key: key, voucher: voucher
            ).bytesToSign(offer)
            guard environment.suite.isValidP256(signature, over: bytes, publicKey: voucher.x963) else {
                throw ApprovalError.invalidSignature
            }
            guard
                try ApprovalHandoverStore(transaction: transaction)
                    .agree(id, key: handover.key, by: request.by, handover: text)
            else { throw ApprovalError.alreadyAnswered }
        }
    }

    /// Any device of the account refuses the request, also after another one has agreed: this offer is handed over no more.
    func deny(_ id: String, _ principal: Principal) async throws -> ApprovalHandover {
        try await change(id, principal, isDenial: true) { _, _, transaction in
            try ApprovalHandoverStore(transaction: transaction).deny(id)
        }
    }

    /// Changes a request that is not over, and tells the account's devices.
    private func change(
        _ id: String, _ principal: Principal, isDenial: Bool = false,
        _ body:
            @escaping @Sendable (ApprovalOfferStore.Stored, ApprovalHandoverStore.Stored, Transaction) throws -> Void
    ) async throws -> ApprovalHandover {
        let now = environment.now()
        let changed = try await environment.database.write { transaction in
            let row = try own(id, principal, in: transaction, now: now)
            guard let handover = row.handover else { throw ApprovalError.unknownChallenge }
            guard isDenial || handover.state != .denied else { throw ApprovalError.alreadyAnswered }
            try body(row, handover, transaction)
            let after = try own(id, principal, in: transaction, now: now)
            return try shown(after, to: principal, in: transaction)
        }
        guard let changed else { throw ApprovalError.unknownChallenge }
        publish(id, principal)
        return changed
    }

    /// An offer that is open, and that a device of the account asks about.
    private func own(
        _ id: String, _ principal: Principal, in transaction: Transaction, now: Int64
    ) throws -> ApprovalOfferStore.Stored {
        guard let row = try ApprovalOfferStore(transaction: transaction).find(id: id),
            row.account == principal.account, row.handover != nil
        else { throw ApprovalError.unknownChallenge }
        guard row.state(at: now) == .open else { throw row.state(at: now).refusal }
        return row
    }

    /// The key of an older device: for the same user of the service, and in the wallet of this session.
    @discardableResult
    private func check(
        _ by: String, of row: ApprovalOfferStore.Stored, _ principal: Principal, in transaction: Transaction
    ) throws -> P256PublicKey {
        let older = try ApprovalDeviceStore(transaction: transaction).active(label: row.label)
            .first { $0.publicKey == by && $0.account == principal.account && $0.device == principal.device }
        guard let key = older?.key else { throw ApprovalError.unknownDevice }
        return key
    }

    private func enrolment(
        _ id: String, _ principal: Principal, in transaction: Transaction, now: Int64
    ) throws -> MemberEnrolment {
        try ApprovalTaking(environment: environment)
            .shown(own(id, principal, in: transaction, now: now), to: principal, in: transaction, now: now)
    }

    private func shown(
        _ row: ApprovalOfferStore.Stored, to principal: Principal, in transaction: Transaction
    ) throws -> ApprovalHandover? {
        guard let handover = row.handover,
            let info = try ApprovalServiceStore(transaction: transaction).find(id: row.service)?.info
        else { return nil }
        let devices = try ApprovalDeviceStore(transaction: transaction).active(label: row.label)
        let claimant = devices.first { $0.publicKey == handover.by }
        let isOurs = claimant != nil && claimant?.device == principal.device
        return ApprovalHandover(
            id: row.id, domain: info.domain, service: info.name, name: handover.name, state: handover.state,
            created: row.created, expires: row.expires, message: row.message, devices: devices.map(\.name),
            own: devices.filter { $0.device == principal.device && $0.account == principal.account }.map(\.publicKey),
            by: handover.by, key: isOurs ? handover.key : nil)
    }

    private func publish(_ id: String, _ principal: Principal) {
        environment.publish(LiveEvent(.approval, id: id, state: "handover"), to: principal.account)
    }

    private static func key(_ text: String) -> P256PublicKey? {
        Base64.decode(Bytes(text: text), .url).flatMap { P256PublicKey(x963: $0) }
    }
}
