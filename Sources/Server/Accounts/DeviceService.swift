import Encodings
import Interface
import Storage

/// Devices: listed, named, and revoked by their owner or, when a member has lost theirs, by an administrator.
struct DeviceService {
    let environment: Environment

    func list(_ principal: Principal) async throws -> [Device] {
        try await environment.database.read { transaction in
            try DeviceStore(transaction: transaction).list(account: principal.account)
        }
    }

    func rename(_ id: String, _ request: DeviceRename, _ principal: Principal) async throws -> Device {
        let name = try AccountRules.name(request.name)
        return try await environment.database.write { transaction in
            let store = DeviceStore(transaction: transaction)
            guard var owned = try store.find(id: id), owned.account == principal.account else {
                throw AccountError.deviceNotFound
            }
            try store.rename(id: id, to: name)
            owned.device.name = name
            return owned.device
        }
    }

    /// Revokes a device for ever, with all documents bound to its keys, and ends its sessions.
    func revoke(_ id: String, _ reason: Reason, _ principal: Principal) async throws -> Acknowledgement {
        let reason = try DocumentRules.reason(reason.reason)
        let now = environment.now()
        let (indexes, ended) = try await environment.database.write { transaction in
            let store = DeviceStore(transaction: transaction)
            guard let owned = try store.find(id: id),
                let owner = try AccountStore(transaction: transaction).find(id: owned.account),
                owned.account == principal.account || principal.role.mayRevokeDevice(of: owner.role)
            else { throw AccountError.deviceNotFound }
            if owned.account != principal.account {
                try environment.requireCertified(principal, in: transaction, now: now)
            }
            guard owned.device.revoked == nil else { throw AccountError.deviceAlreadyRevoked }
            try store.revoke(id: id, at: now)
            try SessionStore(transaction: transaction).deleteAll(device: id)
            // The lost phone learns nothing more, and all others learn that it is gone.
            let ended = try environment.slices.flatMap { try $0.deviceRevoked(id, owned.account, transaction) }
            try environment.notify(
                .device, owned.account, saying: NotificationDetail(.deviceRevoked), in: transaction, now: now)
            var indexes = [
                try environment.log.record(
                    TrustEvent(
                        .deviceRevoked, account: owned.account,
                        [("reason", .text(reason)), ("signing_key", .text(owned.device.signingKey))]),
                    in: transaction, now: now)
            ]
            indexes += try DocumentService(environment: environment).revokeAll(
                device: id, reason: reason, in: transaction, now: now)
            return (indexes, ended)
        }
        environment.events.end(device: id)
        for session in ended { environment.events.end(session: session) }
        environment.publish(LiveEvent(.device, id: id, state: "revoked"), toEveryoneWho: .readMembers)
        for index in indexes.dropFirst() { _ = try await environment.log.receipt(index) }
        return Acknowledgement(receipt: try await environment.log.receipt(indexes[0]))
    }
}

extension Role {
    /// Whether accounts of this role may revoke a device of an account with the other role.
    func mayRevokeDevice(of other: Role) -> Bool {
        switch other {
        case .member, .operator: may(.revokeMemberDevice)
        case .administrator: may(.revokeAdministrator)
        case .owner: false
        }
    }
}
