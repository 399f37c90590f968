import CryptoProvider
import Encodings
import Interface
import Wallet

/// Members of the load into whose vault somebody else puts files: they take them, or not.
struct HammerInbox: Sendable {
    let vault: HammerVault
    let owner: HammerPerson
    let compartment: String
    private var hand: HammerHand { vault.office.hand }

    /// - Parameter sequence: the compartment's.
    /// - Returns: the sequence afterwards.
    func live(_ sequence: Int64, _ dice: inout HammerDice) async throws -> Int64 {
        let caretaker = try await vault.office.join("\(owner.username)-h")
        // Nobody is given anything who has no vault.
        _ = try await vault.setUp(caretaker)
        try await add(caretaker)
        var next = sequence
        for _ in 0..<Int.random(in: 1...3, using: &dice) {
            let content = RandomBytes.make(Int.random(in: 1...40_000, using: &dice))
            let drop = try await put(content, caretaker)
            let isTaken = dice.happens(50)
            if isTaken {
                try await take(drop, next)
                next += 1
            }
            if dice.happens(70) { try await end(drop, isTaken: isTaken) }
        }
        return next
    }

    private func add(_ caretaker: HammerPerson) async throws {
        try await hand.act(.addCaretaker, by: owner.username, subject: compartment) { server in
            let session = try await owner.clients[server].session()
            let found: VaultRecipient = try await session.post(
                "/api/vault/recipients", VaultRecipientName(username: caretaker.username))
            let _: VaultMember = try await session.put(
                "/api/vault/compartments/\(compartment)/members/\(found.account)",
                NewVaultMember(role: .caretaker, sealed: HammerVault.text(RandomBytes.make(200))))
            return HammerHand.Done(value: (), result: found.account)
        }
    }

    /// - Returns: the drop, as a file that is in no vault yet.
    private func put(_ content: Bytes, _ caretaker: HammerPerson) async throws -> HammerVault.File {
        let id = HammerVault.identifier()
        return try await hand.act(.dropFile, by: caretaker.username, subject: compartment) { server in
            let session = try await caretaker.clients[server].session()
            let upload: VaultUpload = try await session.post(
                "/api/vault/uploads", NewVaultUpload(compartment: compartment, size: Int64(content.count)))
            try await session.put(content, to: "/api/vault/uploads/\(upload.id)/parts/0")
            let _: VaultDrop = try await session.post(
                "/api/vault/compartments/\(compartment)/inbox",
                NewVaultDrop(id: id, sealed: HammerVault.text(RandomBytes.make(300)), content: upload.id))
            return HammerHand.Done(
                value: HammerVault.File(id: id, upload: upload.id, content: content), result: id)
        }
    }

    /// Makes a file of it; it stays in the inbox until that is ended.
    private func take(_ drop: HammerVault.File, _ sequence: Int64) async throws {
        let (id, version) = (HammerVault.identifier(), HammerVault.identifier())
        try await hand.act(.takeDrop, by: owner.username, subject: drop.id) { server in
            let session = try await owner.clients[server].session()
            let put = HammerVault.item(
                id, version: version, content: drop.upload, size: Int64(drop.content.count))
            let _: VaultChanged = try await session.post(
                "/api/vault/compartments/\(compartment)/changes",
                VaultChange(sequence: sequence, head: HammerVault.text(RandomBytes.make(64)), put: [put]))
            guard try await content(of: drop, session) == drop.content else {
                throw WalletError.unexpectedAnswer("another content")
            }
            return HammerHand.Done(value: (), result: id)
        }
    }

    /// Takes it out of the inbox: its content stays if it was taken, and goes otherwise.
    private func end(_ drop: HammerVault.File, isTaken: Bool) async throws {
        try await hand.act(.endDrop, by: owner.username, subject: drop.id) { server in
            let session = try await owner.clients[server].session()
            try await session.delete("/api/vault/compartments/\(compartment)/inbox/\(drop.id)")
            let left = try await content(of: drop, session)
            guard left == (isTaken ? drop.content : nil) else {
                throw WalletError.unexpectedAnswer(left == nil ? "no content" : "another content, or one too many")
            }
            return HammerHand.Done(value: ())
        }
    }

    private func content(of drop: HammerVault.File, _ session: ServerClient) async throws -> Bytes? {
        do {
            return try await session.bytes("/api/vault/contents/\(drop.upload)", limit: 1 << 20)
        } catch let problem as ProblemError where problem.slug == "not-found" {
            return nil
        }
    }
}
