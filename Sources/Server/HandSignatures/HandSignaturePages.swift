extension Page {
    /// The pages of the desk.
    static let ofHandSignatures = [
        Page(
            "/desk", "hand-signatures/desk", "The desk at a glance",
            at: .init(.desk, 10, "Today", icon: "home", needs: .readDesk)),
        Page(
            "/desk/documents", "hand-signatures/workspace", "Documents for signing by hand",
            at: .init(.desk, 40, "Templates", icon: "document", also: "/desk/document")),
        Page(
            "/desk/document", "hand-signatures/editor", "Write a document, or upload one"),
        Page(
            "/desk/clients", "hand-signatures/clients", "The clients",
            at: .init(
                .desk, 30, "Clients", icon: "members", also: "/desk/client /desk/enrol",
                finder: "hand-signatures/client-finder")),
        Page(
            "/desk/client", "hand-signatures/client", "One client", isIsolated: true),
        Page(
            "/desk/enrol", "hand-signatures/enrol", "Register a client", isIsolated: true),
        Page(
            "/desk/sign", "hand-signatures/sign", "Have a client sign a document",
            at: .init(.desk, 20, "Sign", icon: "sign", needs: .takeSignatures), asks: .cameraAndPlace, isIsolated: true),
        Page(
            "/desk/transactions", "hand-signatures/transactions", "Transactions: confirmed, refused and pending",
            at: .init(
                .desk, 110, "Transactions", icon: "log", also: "/desk/transaction /desk/copy",
                finder: "hand-signatures/transaction-finder")),
        Page(
            "/desk/transaction", "hand-signatures/transaction", "One transaction and its report"),
        Page(
            "/desk/copy", "hand-signatures/copy", "What a client takes home, to be printed", isIsolated: true),
        Page("/copy/{id}", "hand-signatures/shared-copy", "A client opens their copy with a code", isIsolated: true),
        Page(
            "/desk/operators", "hand-signatures/operators", "Operators",
            at: .init(.desk, 120, "Operators", icon: "identity", needs: .manageOperators)),
        Page(
            "/desk/settings", "hand-signatures/settings", "What the desk may do",
            at: .init(.settings, 30, "Desk", icon: "sign", needs: .changeDesk)),
        Page(
            "/sign-here", "hand-signatures/sign-here", "Sign by hand on this device", asks: .camera, isIsolated: true),
    ]
}
