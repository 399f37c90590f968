extension TrustEvent.Kind {
    /// What the log says of itself.
    static let ofTransparency: [Self] = [.logPolicyChanged]

    static let logPolicyChanged = Self("log_policy.changed")
}
