extension Page {
    /// The vault of every account.
    static let ofVault = [
        Page(
            "/wallet/vault", "vault/vault", "Papers, photos and notes that only their owner opens",
            at: .init(.wallet, 101, "Vault", icon: "lock", also: "/wallet/vault/help"), asks: .camera, isIsolated: true),
        Page("/v/{id}", "vault/shared-item", "A file of a vault that somebody shows by a link", isIsolated: true),
        Page("/wallet/vault/help", "vault/help", "Questions about the vault, and its privacy"),
    ]
}
