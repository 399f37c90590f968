extension Page {
    /// The pages of the log.
    static let ofTransparency = [
        Page(
            "/wallet/log", "transparency/log", "What the log says about oneself",
            at: .init(.wallet, 120, "My log", icon: "log")),
        Page(
            "/console/log", "transparency/console-log", "The transparency log",
            at: .init(.console, 120, "Log", icon: "log")),
    ]
}
