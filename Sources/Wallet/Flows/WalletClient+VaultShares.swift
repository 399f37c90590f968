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
    /// - Throws: `earlierOpens` if earlier ones may still open the vault.
    package func makeRecoveryShares(
        of vault: OpenVault, _ confirm: @Sendable ([Bytes]) async throws -> Void,
        settled: @Sendable (RecoverySecretOutcome) throws -> Void
    ) async throws -> LoggedAct {
        try await makeSecret(
            .shares, of: vault, words: { try RecoveryShare.split($0, suite: suite).map { $0.text(suite) } }, confirm,
            settled: settled)
    }
}
