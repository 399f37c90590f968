extension Page {
    /// The pages of identity, requests and documents.
    static let ofDocuments = [
        Page(
            "/verify", "verification/verify", "Check a document, in the browser alone"),
        Page(
            "/s/{id}", "verification/shared", "A document that somebody shares"),
        Page(
            "/wallet", "documents/home", "The wallet at a glance",
            at: .init(.wallet, 10, "Home", icon: "home")),
        Page(
            "/wallet/identity", "documents/identity", "Have your identity checked face to face",
            at: .init(.wallet, 40, "Identity", icon: "identity")),
        Page(
            "/wallet/requests", "documents/requests", "Ask for documents",
            at: .init(.wallet, 30, "Requests", icon: "requests")),
        Page(
            "/wallet/documents", "documents/documents", "Your documents",
            at: .init(.wallet, 20, "Documents", icon: "documents", also: "/wallet/document")),
        Page(
            "/wallet/document", "documents/document", "One document"),
        Page(
            "/wallet/offline", "documents/offline", "The wallet without a network",
            at: .init(.wallet, 130, "Offline", icon: "offline")),
        Page(
            "/console", "admin/requests", "Requests for documents",
            at: .init(.console, 10, "Requests", icon: "requests", also: "/console/issue")),
        Page(
            "/console/check", "admin/check", "Check a member face to face",
            at: .init(.console, 20, "Check", icon: "check")),
        Page(
            "/console/issue", "admin/issue", "Sign a document and send it"),
        Page(
            "/console/documents", "admin/documents", "Issued documents, and their revocation",
            at: .init(.console, 40, "Documents", icon: "documents")),
    ]
}
