import Encodings
import Interface
import Storage

/// Emergency contacts: they ask, the owner has time to say no, and then the slot is theirs to open.
struct VaultContacts: Sendable {
    let environment: Environment

    /// The slots of others whose contact one is.
    func list(_ principal: Principal, _ request: ListRequest) async throws -> Listing<VaultContactSlot> {
        let now = environment.now()
        return try await environment.database.read { transaction in
            let (slots, next) = try VaultStore(transaction: transaction).page(contact: principal.account, request)
            let people = try AccountStore(transaction: transaction).find(ids: slots.map(\.owner))
            let rows = try slots.map { owner, slot in
                let wait = slot.wait ?? Limits.vaultWait.upperBound
                let isReleased = slot.asked.map { $0 + wait <= now } == true
                return VaultContactSlot(
                    owner: owner, ownerName: people[owner]?.name ?? "", slot: slot.id, wait: wait, asked: slot.asked,
                    sealed: isReleased ? slot.sealed : nil,
                    salt: isReleased ? try VaultStore(transaction: transaction).find(account: owner)?.salt : nil)
            }
            return Listing(rows, next: next?.text)
        }
    }

    /// Begins the time in which the owner may say no, once.
    func ask(_ slot: String, of owner: String, _ principal: Principal) async throws -> Acknowledgement {
        let now = environment.now()
        let index = try await environment.database.write { transaction in
            let store = VaultStore(transaction: transaction)
            guard let found = try store.slot(slot, account: owner), found.contact == principal.account else {
                throw VaultError.notFound
            }
            guard found.asked == nil else { throw VaultError.asked }
            try store.setAsked(slot, account: owner, now)
            try environment.notify(
                .access, owner, saying: NotificationDetail(.vaultAsked), in: transaction, now: now)
            return try environment.log.record(
                TrustEvent(.vaultContactAsked, account: owner, [("slot", .text(slot))]), in: transaction, now: now)
        }
        return Acknowledgement(receipt: try await environment.log.receipt(index))
    }

    /// The owner says no: the contact may ask again, and gets nothing until then.
    func refuse(_ slot: String, _ principal: Principal) async throws -> Acknowledgement {
        let (account, now) = (principal.account, environment.now())
        let index = try await environment.database.write { transaction in
            let store = VaultStore(transaction: transaction)
            guard let found = try store.slot(slot, account: account), found.asked != nil else {
                throw VaultError.notFound
            }
            try store.setAsked(slot, account: account, nil)
            return try environment.log.record(
                TrustEvent(.vaultContactRefused, account: account, [("slot", .text(slot))]), in: transaction, now: now)
        }
        return Acknowledgement(receipt: try await environment.log.receipt(index))
    }
}
