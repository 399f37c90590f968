extension Slice {
    /// All slices: the only list of them in the server.
    ///
    /// A slice may build on the tables of those before it.
    package static let all: [Slice] = [
        accounts, documents, handSignatures, approvals, pico, vault, notifications, transparency,
    ]
}
