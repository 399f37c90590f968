import Storage

/// What a backup asks of the tables whose meaning it knows; all others it copies as they are.
struct BackupStore {
    let transaction: Transaction

    /// The names of all blobs that rows name and that somebody may still be given.
    ///
    /// - Parameter time: links that are over by then are left out.
    func blobs(at time: Int64) throws -> Set<String> {
        var blobs = Set(
            try DocumentStore(transaction: transaction).blobs()
                + ShareStore(transaction: transaction).blobs(now: time))
        if try hasDesk { blobs.formUnion(try WorkspaceStore(transaction: transaction).blobs()) }
        return blobs
    }

    /// Whether the tables are of a version that has hand signatures: older ones are copied before they are migrated.
    private var hasDesk: Bool {
        get throws { try transaction.tables().contains { $0.name == "signed_files" } }
    }

    /// Does to a row what its owner did after it was read: deletes the document, or stops the link.
    func remove(blob: String, at time: Int64) throws {
        try transaction.execute(
            "UPDATE documents SET deleted = $1 WHERE blob = $2 AND deleted IS NULL", [.integer(time), .text(blob)])
        try transaction.execute(
            "UPDATE shares SET stopped = $1 WHERE blob = $2 AND stopped IS NULL", [.integer(time), .text(blob)])
        guard try hasDesk else { return }
        try transaction.execute(
            "UPDATE workspace_documents SET deleted = $1 WHERE kind = 'pdf' AND content = $2 AND deleted IS NULL",
            [.integer(time), .text(blob)])
    }
}
