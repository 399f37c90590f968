import CryptoProvider
import Encodings
import Interface
import Wallet

/// Members of the load who take a file from one compartment of theirs to another, with its content.
struct HammerMoves: Sendable {
    let hand: HammerHand
    let member: HammerPerson

    /// - Parameter sequence: of the compartment where the file is.
    func move(_ file: HammerVault.File, from compartment: String, _ sequence: Int64) async throws {
        let other = try await makeCompartment()
        let (id, version) = (HammerVault.identifier(), HammerVault.identifier())
        try await hand.act(.moveFile, by: member.username, subject: file.id) { server in
            let session = try await member.clients[server].session()
            let put = HammerVault.item(
                id, version: version, content: file.upload, size: Int64(file.content.count))
            let _: VaultHandedOver = try await session.post(
                "/api/vault/handovers",
                VaultHandover(
                    from: compartment, departure: VaultChange(sequence: sequence, head: Self.head(), remove: [file.id]),
                    to: other, arrival: VaultChange(sequence: 0, head: Self.head(), put: [put])))
            let found = try await session.bytes("/api/vault/contents/\(file.upload)", limit: 1 << 20)
            guard found == file.content else { throw WalletError.unexpectedAnswer("another content") }
            return HammerHand.Done(value: (), result: id)
        }
    }

    private func makeCompartment() async throws -> String {
        let id = HammerVault.identifier()
        return try await hand.act(.makeCompartment, by: member.username, subject: member.username) { server in
            let session = try await member.clients[server].session()
            let made: VaultCompartment = try await session.post(
                "/api/vault/compartments", NewVaultCompartment(id: id, head: Self.head()))
            guard made.id == id else { throw WalletError.unexpectedAnswer("another compartment") }
            return HammerHand.Done(value: id, result: id)
        }
    }

    private static func head() -> String { HammerVault.text(RandomBytes.make(64)) }
}
