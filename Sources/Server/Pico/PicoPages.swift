extension Page {
    /// Signing in on other computers with this wallet.
    static let ofPico = [
        Page(
            "/wallet/pico", "pico/pairings", "The wallets that sign you in elsewhere",
            at: .init(
                tabOf: "/wallet/devices", in: .settings, 11, "Sign in elsewhere",
                also: "/wallet/pico/answer /wallet/pico/accounts")),
        Page("/wallet/pico/answer", "pico/answer", "Who asks to be signed in, and your answer"),
        Page("/wallet/pico/accounts", "pico/accounts", "The accounts of this browser elsewhere, and their backup"),
    ]
}
