import Storage

/// The links that show the copy of a transaction, in the database.
struct SigningCopyStore {
    let transaction: Transaction

    func insert(share: String, signing: String) throws {
        try transaction.execute(
            "INSERT INTO signing_copies (share, signing) VALUES ($1, $2)", [.text(share), .text(signing)])
    }

    /// The links to a transaction's copy.
    func shares(of signing: String) throws -> [String] {
        try transaction.rows("SELECT share FROM signing_copies WHERE signing = $1", [.text(signing)])
            .map { try $0.text("share") }
    }

    /// The links to the copies of all transactions of a client.
    func shares(client: String) throws -> [String] {
        try transaction.rows(
            """
            SELECT share FROM signing_copies
            WHERE signing IN (SELECT id FROM signings WHERE client = $1)
            """, [.text(client)]
        ).map { try $0.text("share") }
    }
}
