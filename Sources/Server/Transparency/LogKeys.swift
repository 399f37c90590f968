extension ServerKey {
    /// Signs the log's checkpoints.
    static let log = ServerKey(name: "log", kind: .log, isFromSetUp: true)
    /// Makes the log's pseudonymous labels.
    static let labelSecret = ServerKey(
        name: "label-secret", kind: .secret, isFromSetUp: true)
}
