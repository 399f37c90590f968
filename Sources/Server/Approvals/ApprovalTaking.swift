import Approvals
import CryptoProvider
import Encodings
import Interface
import Storage

/// The member's side of an enrolment: a device takes an offer, and its owner looks after their devices.
struct ApprovalTaking {
    let environment: Environment

    /// A device takes an offer, once; the same message again changes nothing.
    ///
    /// - Parameter id: of the offer.
    func take(_ id: String, _ request: TakenApprovalOffer, _ principal: Principal) async throws -> MemberEnrolment {
        guard let message = Base64.decode(Bytes(text: request.message), .url),
            message.count <= DeviceEnrolment.maximumLength
        else { throw ApprovalError.malformed }
        guard let device = principal.device else { throw Problem(.deviceRequired) }
        let (now, suite, text) = (environment.now(), environment.suite, message.base64URL)
        return try await environment.database.write { transaction in
            let store = ApprovalOfferStore(transaction: transaction)
            guard var row = try store.find(id: id),
                try ApprovalServiceStore(transaction: transaction).find(id: row.service) != nil
            else { throw ApprovalError.unknownChallenge }
            if row.enrolment == text, row.account == principal.account, row.state(at: now) != .expired {
                return try shown(row, to: principal, in: transaction, now: now)
            }
            guard row.state(at: now) == .open else { throw row.state(at: now).refusal }
            row.enrolment = text
            if try needsVoucher(row, in: transaction), try row.deviceEnrolment()?.voucher == nil {
                row.recovery = try ApprovalRecovering(environment: environment)
                    .way(code: request.recoveryCode, of: principal.account, in: transaction, now: now)
            }
            // Somebody of the account said no: an older device's word, given before or elsewhere, no longer counts.
            guard row.handover?.state != .denied || row.recovery != nil else { throw ApprovalError.alreadyAnswered }
            _ = try check(row, row.offer(suite: suite), by: principal.account, in: transaction, now: now)
            try store.take(
                id, account: principal.account, device: device, enrolment: text, recovery: row.recovery)
            (row.account, row.device, row.state) = (principal.account, device, .taken)
            return try shown(row, to: principal, in: transaction, now: now)
        }
    }

    /// Where an enrolment stands that a device of the account has taken.
    func find(_ id: String, _ principal: Principal) async throws -> MemberEnrolment {
        let now = environment.now()
        return try await environment.database.read { transaction in
            guard let row = try ApprovalOfferStore(transaction: transaction).find(id: id),
                row.account == principal.account
            else { throw ApprovalError.unknownChallenge }
            return try shown(row, to: principal, in: transaction, now: now)
        }
    }

    /// Checks the message by which an account takes an offer, against the devices that there are now.
    ///
    /// If the user has or had devices at the service, they must be the same account's, and one of them must vouch, unless the
    /// account has found its way back without one.
    func check(
        _ row: ApprovalOfferStore.Stored, _ offer: ApprovalOffer, by account: String, in transaction: Transaction,
        now: Int64
    ) throws -> DeviceEnrolment {
        let store = ApprovalDeviceStore(transaction: transaction)
        let devices = try store.active(label: row.label)
        guard try store.ever(label: row.label).allSatisfy({ $0.account == account }) else {
            throw ApprovalError.unknownDevice
        }
        guard devices.count < Limits.approvalDevices || row.recovery != nil else {
            throw ApprovalRefusal.tooManyDevices
        }
        // Somebody may have said no since the offer was taken.
        if row.recovery == .wait,
            try !ApprovalRecovering(environment: environment).isOpen(account, in: transaction, now: now)
        {
            throw ApprovalError.unknownDevice
        }
        let enrolment = try DeviceEnrolment.parse(
            try row.enrolment?.decodedBytes() ?? [], for: offer, devices: devices.compactMap(\.key),
            needsVoucher: try row.recovery == nil && needsVoucher(row, in: transaction), serverKeys: [offer.serverKey],
            at: now, suite: environment.suite)
        try enrolment.checkName()
        guard try !store.isTaken(key: enrolment.key.x963.base64URL) else { throw ApprovalError.unsupportedKey }
        return enrolment
    }

    /// Whether the user has or had a device at the service.
    private func needsVoucher(_ row: ApprovalOfferStore.Stored, in transaction: Transaction) throws -> Bool {
        try !ApprovalDeviceStore(transaction: transaction).ever(label: row.label).isEmpty
    }

    /// The devices of the account that may answer.
    func devices(_ principal: Principal) async throws -> [ApprovalDevice] {
        try await environment.database.read { transaction in
            let services = ApprovalServiceStore(transaction: transaction)
            var known: [String: ApprovalServiceInfo] = [:]
            func info(_ id: String) throws -> ApprovalServiceInfo? {
                known[id] = try known[id] ?? services.findEver(id: id)?.info
                return known[id]
            }
            let devices = try ApprovalDeviceStore(transaction: transaction).active(account: principal.account)
            let apps = try OriginalDeviceStore(transaction: transaction).active(account: principal.account)
            return try devices.compactMap { try info($0.service).map($0.shown) }
                + apps.compactMap { try info($0.service).map($0.shown) }
        }
    }

    /// Removes a device for ever: its answers count no more.
    func remove(_ id: String, _ principal: Principal) async throws -> Acknowledgement {
        let now = environment.now()
        let index = try await environment.database.write { transaction in
            let store = ApprovalDeviceStore(transaction: transaction)
            if let app = try OriginalDeviceStore(transaction: transaction)
                .remove(id, account: principal.account, at: now)
            {
                try environment.notify(
                    .device, principal.account, saying: NotificationDetail(.answererRemoved), in: transaction, now: now)
                return try environment.log.record(.ofApp(.approvalDeviceRemoved, app), in: transaction, now: now)
            }
            guard try store.remove(id, account: principal.account, at: now), let device = try store.findEver(id: id)
            else { throw ApprovalRefusal.deviceNotFound }
            try environment.notify(
                .device, principal.account, saying: NotificationDetail(.answererRemoved), in: transaction, now: now)
            return try environment.log.record(.ofDevice(.approvalDeviceRemoved, device), in: transaction, now: now)
        }
        environment.publish(LiveEvent(.approvalDevice, id: id, state: "removed"), to: principal.account)
        return Acknowledgement(receipt: try await environment.log.receipt(index))
    }

    /// An enrolment as the device sees it that has taken the offer, or asks another one for its word.
    func shown(
        _ row: ApprovalOfferStore.Stored, to principal: Principal, in transaction: Transaction, now: Int64
    ) throws -> MemberEnrolment {
        var shown = MemberEnrolment(id: row.id, state: row.state(at: now), expires: row.expires)
        if shown.state == .completed, let enrolment = try row.deviceEnrolment(),
            let info = try ApprovalServiceStore(transaction: transaction).findEver(id: row.service)?.info
        {
            shown.device = try ApprovalDeviceStore(transaction: transaction)
                .active(key: enrolment.key.x963.base64URL)?.shown(info)
        }
        if shown.state == .open, row.device == principal.device, let handover = row.handover {
            let older = try handover.by.flatMap { try ApprovalDeviceStore(transaction: transaction).active(key: $0) }
            shown.handover = OwnApprovalHandover(
                state: handover.state, by: handover.by, device: older?.name, handover: handover.handover)
        }
        return shown
    }
}

extension ApprovalDeviceStore.Stored {
    /// As its owner sees it.
    fileprivate func shown(_ service: ApprovalServiceInfo) -> ApprovalDevice {
        ApprovalDevice(
            id: id, domain: service.domain, service: service.name, name: name, publicKey: publicKey, device: device,
            created: created, confirmation: confirmation, signature: signature)
    }
}

extension OriginalDeviceStore.Use {
    /// As its owner sees it.
    fileprivate func shown(_ service: ApprovalServiceInfo) -> ApprovalDevice {
        ApprovalDevice(
            id: id, domain: service.domain, service: service.name, name: "App of version 1", publicKey: publicKey,
            device: device, created: created, confirmation: "", signature: "")
    }
}

extension TrustEvent {
    /// An event about a device: under a pseudonym of the account at this service, which links no two services.
    ///
    /// - Parameter recovery: what its enrolment had instead of another device's word.
    static func ofDevice(
        _ kind: Kind, _ device: ApprovalDeviceStore.Stored, recovery: ApprovalRecovering.Way? = nil
    ) -> TrustEvent {
        let way = recovery.map { [("recovery", JSON.text($0.rawValue))] } ?? []
        return TrustEvent(
            kind, account: device.account, in: device.service, [("public_key", .text(device.publicKey))] + way)
    }
}
