extension Page {
    /// Signing in on other computers with this wallet.
    static let ofPico: [Page] = []
}
