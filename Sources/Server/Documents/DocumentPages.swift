extension Page {
    /// The pages of identity, requests and documents.
    static let ofDocuments = [
        Page(
            "/verify", "verification/verify", "Check a document, in the browser alone", asks: .camera,
            isIsolated: true),
        Page(
            "/s/{id}", "verification/shared", "A document that somebody shares", asks: .camera, isIsolated: true),
        Page(
            "/wallet", "documents/home", "The wallet at a glance",
            at: .init(.wallet, 10, "Home", icon: "home", also: "/wallet/offline")),
        Page(
            "/wallet/identity", "documents/identity", "Have your identity checked face to face",
            at: .init(.wallet, 105, "Identity", icon: "identity")),
        Page(
            "/wallet/scan", "documents/scan", "Scan any code, and go where it belongs",
            at: .init(.wallet, 25, "Scan", icon: "qr"), asks: .camera),
        Page(
            "/wallet/requests", "documents/requests", "Ask for documents",
            at: .init(.wallet, 103, "Requests", icon: "requests")),
        Page(
            "/wallet/documents", "documents/documents", "Your documents",
            at: .init(
                .wallet, 20, "Documents", icon: "documents", tab: "Mine", also: "/wallet/document",
                finder: "documents/finder")),
        Page(
            "/wallet/shared", "documents/shared", "The links that you have made",
            at: .init(tabOf: "/wallet/documents", in: .wallet, 21, "Shared")),
        Page(
            "/wallet/document", "documents/document", "One document", isIsolated: true),
        Page(
            "/wallet/offline", "documents/offline", "The wallet without a network", isIsolated: true),
        Page(
            "/console", "admin/requests", "Requests for documents",
            at: .init(
                .office, 10, "Inbox", icon: "requests", needs: .readRequests, finder: "admin/request-finder")),
        Page(
            "/console/check", "admin/check", "Check a member face to face",
            at: .init(tabOf: "/console/members", in: .office, 31, "Checks", needs: .identifyMembers), asks: .camera),
        Page(
            "/console/issue", "admin/issue", "Sign a document and send it",
            at: .init(.office, 20, "Issue", icon: "sign", needs: .signDocuments)),
        Page(
            "/console/documents", "admin/documents", "Issued documents, and their revocation",
            at: .init(
                .office, 40, "Issued", icon: "documents", needs: .revokeDocuments, finder: "admin/document-finder")),
    ]
}
