import CryptoProvider
package import Encodings
import Interface
import Vault

/// Recovery shares as people type them.
package enum VaultShares {
    /// Whether somebody has typed two different ones of these shares back.
    package static func areTwo(_ first: Bytes, _ second: Bytes, of shares: [Bytes]) -> Bool {
        let suite = SwiftCryptoSuite()
        let known = shares.compactMap { try? RecoveryShare($0, suite: suite) }
        guard let one = try? RecoveryShare(first, suite: suite), let two = try? RecoveryShare(second, suite: suite)
        else { return false }
        return one != two && known.contains(one) && known.contains(two)
    }

    /// The secret of two shares.
    ///
    /// - Throws: `badShares` for a wrong letter, the same share twice, or shares of two sets.
    static func secret(_ first: Bytes, _ second: Bytes) throws(VaultFault) -> VaultSecret {
        let suite = SwiftCryptoSuite()
        do {
            return try RecoveryShare.combine(
                RecoveryShare(first, suite: suite), RecoveryShare(second, suite: suite))
        } catch {
            throw .badShares
        }
    }
}

// Two of three recovery shares open the vault. `Web/vault/shares.js` does the same.
extension WalletClient {
    /// Makes three recovery shares, any two of which open the vault.
    ///
    /// Earlier ones of this vault open nothing any more.
    ///
    /// - Parameters:
    ///   - confirm: called with the shares before anything is stored; it throws if they were not written down.
    ///   - settled: called with what became of them, before earlier ones are removed.
    package func makeRecoveryShares(
        of vault: OpenVault, _ confirm: @Sendable ([Bytes]) async throws -> Void,
        settled: @Sendable (RecoverySecretOutcome) throws -> Void
    ) async throws -> LoggedAct {
        let server = try session()
        let state = try await self.vault()
        let account = try Self.account(state)
        let secret = try VaultSecret.random(suite)
        let made = try slot(.shares, secret, account, vault.compartment)
        try await confirm(RecoveryShare.split(secret, suite: suite).map { $0.text(suite) })
        let acknowledged: Acknowledgement
        do {
            acknowledged = try await server.put(
                "/api/vault/slots/\(made.id)", NewVaultSlot(kind: made.kind, sealed: made.sealed))
        } catch {
            let outcome = await self.outcome(of: made.id, after: error)
            try settled(outcome)
            throw error
        }
        try settled(.stored)
        let act = try await check(acknowledged.receipt, "vault.slot_changed")
        for old in state.slots where old.kind == .share && isSlot(old, of: vault.compartment, account) {
            _ = try await removeSlot(old.id)
        }
        return act
    }

    /// Whether a slot opens a compartment, as far as its key can tell without the slot's secret.
    ///
    /// Others may be of a decoy, which has its own.
    private func isSlot(_ stored: StoredVaultSlot, of compartment: Compartment, _ account: VaultAccount) -> Bool {
        guard let id = SlotID(text: stored.id), let sealed = stored.sealed.fromBase64URL,
            let slot = try? SecretSlot(sealed)
        else { return false }
        // Only a slot that somebody with the compartment's key has made is made again.
        return (try? slot.renewed(from: compartment, to: compartment, id: id, of: account, suite: suite)) != nil
    }
}
