extension Page {
    /// The pages of the log.
    static let ofTransparency = [
        Page(
            "/wallet/log", "transparency/log", "Your entries in the log",
            at: .init(.wallet, 110, "Activity", icon: "log")),
        Page(
            "/console/log", "transparency/console-log", "The transparency log",
            at: .init(.settings, 40, "Public log", icon: "log")),
    ]
}
