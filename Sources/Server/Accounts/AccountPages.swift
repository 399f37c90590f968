extension Page {
    /// The pages of accounts and the organisation.
    static let ofAccounts = [
        Page(
            "/setup", "accounts/setup", "Name the organisation, once"),
        Page(
            "/join", "accounts/join", "Accept an invitation", asks: .camera),
        Page(
            "/sign-up", "accounts/sign-up", "Make a wallet"),
        Page(
            "/sign-in", "accounts/sign-in", "Sign in"),
        Page(
            "/add-device", "accounts/add-device", "Add a device to a wallet", asks: .camera),
        Page(
            "/wallet/devices", "accounts/devices", "Devices, passkeys and sessions",
            at: .init(.settings, 10, "Account", icon: "devices", tab: "Devices")),
        Page(
            "/console/members", "admin/members", "The accounts of the organisation",
            at: .init(
                .office, 30, "People", icon: "members", tab: "Members", needs: .readMembers,
                finder: "admin/member-finder")),
        Page(
            "/console/delegation", "admin/delegation", "Invitations and administrators",
            at: .init(tabOf: "/console/members", in: .office, 32, "Administrators", needs: .readMembers)),
        Page(
            "/console/feedback", "admin/feedback", "What people have told the organisation",
            at: .init(tabOf: "/console/members", in: .office, 36, "Feedback", needs: .readFeedback)),
        Page(
            "/console/server-log", "admin/server-log", "The newest lines of the server's log",
            at: .init(.settings, 50, "Server", icon: "offline", needs: .readServerLog)),
        Page(
            "/console/settings", "admin/settings", "The organisation, and its certificates",
            at: .init(.settings, 20, "Organisation", icon: "organisation", needs: .readMembers)),
    ]
}
