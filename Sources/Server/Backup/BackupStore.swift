import Storage

/// What a backup asks of the tables whose meaning it knows; all others it copies as they are.
struct BackupStore {
    let transaction: Transaction

    /// The names of all blobs that rows name and that somebody may still be given.
    ///
    /// - Parameter time: links that are over by then are left out.
    func blobs(at time: Int64) throws -> Set<String> {
        Set(
            try DocumentStore(transaction: transaction).blobs()
                + ShareStore(transaction: transaction).blobs(now: time))
    }

    /// Does to a row what its owner did after it was read: deletes the document, or stops the link.
    func remove(blob: String, at time: Int64) throws {
        try transaction.execute(
            "UPDATE documents SET deleted = $1 WHERE blob = $2 AND deleted IS NULL", [.integer(time), .text(blob)])
        try transaction.execute(
            "UPDATE shares SET stopped = $1 WHERE blob = $2 AND stopped IS NULL", [.integer(time), .text(blob)])
    }
}
