import Interface

extension Permission {
    /// What accounts may do about the log.
    static let ofTransparency = [
        readOwnLog, changeLogPolicy,
    ]

    static let readOwnLog = Permission(
        "read_own_log", Role.allCases,
        "see every log entry about themselves, with its receipt")

    static let changeLogPolicy = Permission(
        "change_log_policy", [.owner],
        "say which keys and witnesses sign the log's checkpoints")
}
