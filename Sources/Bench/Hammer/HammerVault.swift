import CryptoProvider
import Encodings
import Interface
import Wallet

/// Members of the load who keep files in a vault: opaque bytes, as the server has them.
struct HammerVault: Sendable {
    let office: HammerOffice
    private var hand: HammerHand { office.hand }

    func live(_ member: HammerPerson, _ dice: inout HammerDice) async throws {
        let (compartment, pins) = try await setUp(member)
        // First: a kill ends lives, and few come to what they do last.
        try await HammerVaultWays(pins: pins).live(&dice)
        var last: File?
        let count = Int64.random(in: 1...3, using: &dice)
        for number in 0..<count {
            let content = RandomBytes.make(Int.random(in: 1...40_000, using: &dice))
            let file = try await put(content, number, in: compartment, member)
            if dice.happens(30) {
                try await remove(file.id, number + 1, in: compartment, member)
                return
            }
            last = file
        }
        var sequence = count
        if dice.happens(40) {
            let inbox = HammerInbox(vault: self, owner: member, compartment: compartment)
            sequence = try await inbox.live(sequence, &dice)
        }
        if let last, dice.happens(60) {
            try await HammerMoves(hand: hand, member: member).move(last, from: compartment, sequence)
        }
    }

    /// A file that was put.
    struct File: Sendable {
        let id: String
        let upload: String
        let content: Bytes
    }

    /// - Returns: the compartment, and the PINs.
    func setUp(_ member: HammerPerson) async throws -> (compartment: String, pins: HammerVaultPINs) {
        let id = Self.identifier()
        let pins = try HammerVaultPINs(hand: hand, member: member)
        try await hand.act(.keepVault, by: member.username, subject: member.username) { server in
            let session = try await member.clients[server].session()
            let fresh = try await pins.fresh(pins.beginning, session)
            let made: Acknowledgement = try await session.post(
                "/api/vault",
                NewVault(
                    salt: pins.salt, slots: [], enrolment: fresh.enrolment, pins: fresh.pins,
                    compartment: NewVaultCompartment(id: id, head: Self.text(RandomBytes.make(64)))))
            return HammerHand.Done(
                value: (), result: id, receipt: made.receipt.proof, slots: fresh.pins.map(\.sealed))
        }
        return (id, pins)
    }

    private func put(
        _ content: Bytes, _ sequence: Int64, in compartment: String, _ member: HammerPerson
    ) async throws -> File {
        let (id, version) = (Self.identifier(), Self.identifier())
        return try await hand.act(.putFile, by: member.username, subject: compartment) { server in
            let session = try await member.clients[server].session()
            let upload: VaultUpload = try await session.post(
                "/api/vault/uploads", NewVaultUpload(compartment: compartment, size: Int64(content.count)))
            try await session.put(content, to: "/api/vault/uploads/\(upload.id)/parts/0")
            let put = Self.item(id, version: version, content: upload.id, size: Int64(content.count))
            let _: VaultChanged = try await session.post(
                "/api/vault/compartments/\(compartment)/changes",
                VaultChange(sequence: sequence, head: Self.text(RandomBytes.make(64)), put: [put]))
            let found = try await session.bytes("/api/vault/contents/\(upload.id)", limit: 1 << 20)
            guard found == content else { throw WalletError.unexpectedAnswer("another content") }
            return HammerHand.Done(value: File(id: id, upload: upload.id, content: content), result: id)
        }
    }

    private func remove(
        _ file: String, _ sequence: Int64, in compartment: String, _ member: HammerPerson
    ) async throws {
        try await hand.act(.removeFile, by: member.username, subject: file) { server in
            let session = try await member.clients[server].session()
            let _: VaultChanged = try await session.post(
                "/api/vault/compartments/\(compartment)/changes",
                VaultChange(sequence: sequence, head: Self.text(RandomBytes.make(64)), remove: [file]))
            return HammerHand.Done(value: ())
        }
    }

    /// A new item with one version.
    static func item(_ id: String, version: String, content: String, size: Int64) -> VaultChange.Put {
        VaultChange.Put(
            id: id, revision: 1, place: text(RandomBytes.make(44)), key: text(RandomBytes.make(60)),
            metadata: text(RandomBytes.make(512)),
            versions: [.init(id: version, content: content, key: text(RandomBytes.make(60)), size: size)])
    }

    static func identifier() -> String {
        String(decoding: Hex.encode(RandomBytes.make(16)), as: UTF8.self)
    }

    static func text(_ bytes: Bytes) -> String {
        String(decoding: Base64.encode(bytes, .url), as: UTF8.self)
    }
}
