package import Interface

extension WalletClient {
    /// The ways to open the owner's vault.
    package func vault() async throws -> VaultState { try await session().get("/api/vault") }
}
