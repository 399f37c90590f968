import Storage

/// Digests of signed files as older versions stored them, in the database: in clear.
struct DigestStore {
    let transaction: Transaction

    /// The step that replaces them.
    private static let step = "keyed-digests"

    /// Whether none are left.
    func isDone() throws -> Bool {
        try transaction.row("SELECT done FROM desk_steps WHERE name = $1", [.text(Self.step)]) != nil
    }

    /// Says that none are left.
    func finish(at time: Int64) throws {
        try transaction.execute(
            "INSERT INTO desk_steps (name, done) VALUES ($1, $2) ON CONFLICT (name) DO NOTHING",
            [.text(Self.step), .integer(time)])
    }

    /// Some digests that are stored in clear.
    func plain(limit: Int) throws -> [String] {
        try transaction.rows(
            "SELECT digest FROM signed_files WHERE digest NOT LIKE 'i.%' AND blob <> '' ORDER BY digest LIMIT $1",
            [.integer(Int64(limit))]
        ).map { try $0.text("digest") }
    }

    /// Replaces a digest with an index, in the file's row and in all transactions that name it.
    func replace(_ digest: String, with index: String) throws {
        try transaction.execute(
            """
            INSERT INTO signed_files (digest, blob, media_type, created)
            SELECT $1, blob, media_type, created FROM signed_files WHERE digest = $2
            ON CONFLICT (digest) DO NOTHING
            """, [.text(index), .text(digest)])
        try transaction.execute(
            "UPDATE signings SET digest = $1 WHERE digest = $2", [.text(index), .text(digest)])
        try transaction.execute("DELETE FROM signed_files WHERE digest = $1", [.text(digest)])
    }
}
