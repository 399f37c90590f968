extension ServerKey {
    /// Signs records and reports of hand signatures.
    static let desk = ServerKey(name: "desk", kind: .certified(.deskSigner))
    /// Seals templates, captures and what is known of clients.
    static let templateSecret = ServerKey(name: "template-secret", kind: .secret, isSealing: true)
}
