import CryptoProvider
import Encodings
import Interface
import Vault
import Wallet

/// What members of the load do with the ways into their vaults: PINs are tried and set, recovery keys come and go.
struct HammerVaultWays: Sendable {
    let pins: HammerVaultPINs
    private var member: HammerPerson { pins.member }

    /// The guard makes nobody wait before the fourth try that stands against a slot, and a lost answer may count twice.
    ///
    /// So there is one wrong PIN at the beginning and one at the end, and each right one is proved at once.
    func live(_ dice: inout HammerDice) async throws {
        if dice.happens(50) { try await pins.attempt(pins.another(), opening: nil) }
        if dice.happens(60) { try await open(pins.first, 0, isOwner: dice.happens(50)) }
        var old = try pins.another()
        if dice.happens(60) {
            let slot = Int.random(in: 0..<PINSlot.count, using: &dice)
            // Without one nothing opens the slot any more.
            let pin = try dice.happens(70) ? pins.another() : nil
            try await pins.set(HammerVaultPINs.Slot(number: slot, pin: pin))
            if slot == 0 { old = pins.first }
            if let pin { try await open(pin, slot, isOwner: dice.happens(30)) }
        }
        if dice.happens(80) { try await recover(&dice) }
        if dice.happens(70) { try await pins.attempt(old, opening: nil) }
    }

    private func open(_ pin: VaultSecret, _ slot: Int, isOwner: Bool) async throws {
        let tried = try await pins.attempt(pin, opening: slot)
        try await pins.prove(tried, of: slot, isOwner: isOwner)
    }

    /// A recovery key that is replaced and removed, or stays.
    private func recover(_ dice: inout HammerDice) async throws {
        let id = String(decoding: Hex.encode(RandomBytes.make(16)), as: UTF8.self)
        try await set(id)
        if dice.happens(40) { try await set(id) }
        if dice.happens(30) { try await remove(id) }
    }

    private func set(_ id: String) async throws {
        let sealed = RandomBytes.make(140).base64URL
        try await pins.hand.act(.setSlot, by: member.username, subject: id) { server in
            let session = try await member.clients[server].session()
            let done: Acknowledgement = try await session.put(
                "/api/vault/slots/\(id)", NewVaultSlot(kind: .recovery, sealed: sealed))
            return HammerHand.Done(value: (), result: sealed, receipt: done.receipt.proof)
        }
    }

    private func remove(_ id: String) async throws {
        try await pins.hand.act(.removeSlot, by: member.username, subject: id) { server in
            let session = try await member.clients[server].session()
            let done: Acknowledgement = try await session.delete("/api/vault/slots/\(id)")
            return HammerHand.Done(value: (), receipt: done.receipt.proof)
        }
    }
}
