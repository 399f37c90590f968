extension Page {
    /// The pages of the log.
    static let ofTransparency = [
        Page(
            "/wallet/log", "transparency/log", "Your entries in the log",
            at: .init(.wallet, 120, "My log", icon: "log")),
        Page(
            "/console/log", "transparency/console-log", "The transparency log",
            at: .init(.console, 120, "Log", icon: "log")),
    ]
}
