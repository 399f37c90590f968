extension NotificationKind {
    /// What documents tell their owners.
    static let ofDocuments = [request, document]

    /// A request was accepted or cancelled.
    static let request = Self(name: "request", page: "/wallet/requests")
    /// A document has come.
    static let document = Self(name: "document", page: "/wallet/document")
}
