extension ServerKey {
    /// Signs status list tokens.
    static let status = ServerKey(
        name: "status", kind: .certified(.statusSigner), isFromSetUp: true)
}
