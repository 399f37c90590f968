extension Page {
    /// The pages of accounts and the organisation.
    static let ofAccounts = [
        Page(
            "/setup", "accounts/setup", "Name the organisation, once"),
        Page(
            "/join", "accounts/join", "Accept an invitation"),
        Page(
            "/sign-up", "accounts/sign-up", "Make a wallet"),
        Page(
            "/sign-in", "accounts/sign-in", "Sign in"),
        Page(
            "/add-device", "accounts/add-device", "Add a device to a wallet"),
        Page(
            "/wallet/devices", "accounts/devices", "Devices, passkeys and sessions",
            at: .init(.wallet, 110, "Devices", icon: "devices")),
        Page(
            "/console/members", "admin/members", "The accounts of the organisation",
            at: .init(.console, 30, "Members", icon: "members")),
        Page(
            "/console/delegation", "admin/delegation", "Invitations and administrators",
            at: .init(.console, 110, "Delegation", icon: "delegation")),
        Page(
            "/console/server-log", "admin/server-log", "The newest lines of the server's log"),
        Page(
            "/console/settings", "admin/settings", "The organisation, and your own devices",
            at: .init(.console, 130, "Settings", icon: "settings")),
    ]
}
