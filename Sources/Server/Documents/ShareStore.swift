import Interface
import Storage

/// Shared links in the database.
///
/// A code's hash is stored, never the code.
struct ShareStore {
    let transaction: Transaction

    /// A shared link as stored.
    struct Stored {
        /// Its `document` is empty where another slice's rows say what it shows.
        var share: Share
        var account: String
        var codeHash: String
        /// How often a wrong code was given.
        var failures: Int64
        var blob: String
        /// Tells the link's key from others; empty where its maker has not told.
        var keyCheck = ""
        /// The last opening: the hash of what the opener calls the attempt, empty for none, and when it was.
        var attempt = ""
        var attempted: Int64 = 0
        /// How often an opening was given back.
        var returned: Int64 = 0
    }

    static let columns =
        """
        id, account, document, code_hash, failures, blob, created, expires, views, maximum_views, stopped, key_check,
        attempt, attempted, returned
        """

    /// Of links that can still be opened at the time `$2`.
    private static let isOpen = "stopped IS NULL AND expires > $2 AND views < maximum_views"

    func insert(_ stored: Stored) throws {
        try transaction.execute(
            """
            INSERT INTO shares
                (id, account, document, code_hash, failures, blob, created, expires, views, maximum_views, key_check)
            VALUES ($1, $2, $3, $4, 0, $5, $6, $7, 0, $8, $9)
            """,
            [
                .text(stored.share.id), .text(stored.account),
                .optional(stored.share.document.isEmpty ? nil : stored.share.document), .text(stored.codeHash),
                .text(stored.blob), .integer(stored.share.created), .integer(stored.share.expires),
                .integer(Int64(stored.share.maximumViews)), .text(stored.keyCheck),
            ])
    }

    func find(id: String) throws -> Stored? {
        try transaction.row("SELECT \(Self.columns) FROM shares WHERE id = $1", [.text(id)]).map(Self.stored)
    }

    /// How many links of an account can still be opened: those to documents, or those to what other slices show.
    func countOpen(account: String, documents: Bool, now: Int64) throws -> Int64 {
        try transaction.row(
            """
            SELECT COUNT(*) AS open FROM shares
            WHERE account = $1 AND document IS \(documents ? "NOT " : "")NULL AND \(Self.isOpen)
            """, [.text(account), .integer(now)])?.integer("open") ?? 0
    }

    /// Deletes a link.
    func delete(id: String) throws { try transaction.execute("DELETE FROM shares WHERE id = $1", [.text(id)]) }

    /// How many links of everybody can still be opened.
    func countOpen(now: Int64) throws -> Int64 {
        try transaction.row(
            "SELECT COUNT(*) AS open FROM shares WHERE stopped IS NULL AND expires > $1 AND views < maximum_views",
            [.integer(now)])?.integer("open") ?? 0
    }

    /// Stops every link; what they showed is removed within a day.
    func stopAll(at time: Int64) throws {
        try transaction.execute("UPDATE shares SET stopped = $1 WHERE stopped IS NULL", [.integer(time)])
    }

    /// The most links that ``finished(now:)`` stops.
    static let finishedTogether = 100

    /// Stops the links whose time or views are over; the last opening may be repeated or given back for a while.
    ///
    /// And those that five wrong codes ended under an older program, which did not stop them.
    ///
    /// - Returns: their blobs, which nobody can be given any more.
    func finished(now: Int64) throws -> [String] {
        let over = try transaction.rows(
            """
            SELECT id, blob FROM shares
            WHERE stopped IS NULL
                AND (expires <= $1 OR (views >= maximum_views AND attempted <= $2) OR failures >= $3)
            LIMIT $4
            """,
            [
                .integer(now), .integer(now - Limits.shareAgain), .integer(Limits.shareFailures),
                .integer(Int64(Self.finishedTogether)),
            ])
        for row in over { try stop(id: try row.text("id"), at: now) }
        return try over.map { try $0.text("blob") }
    }

    /// - Parameter attempt: the hash of what the opener calls this attempt; empty for none.
    func countView(id: String, attempt: String, at time: Int64) throws {
        try transaction.execute(
            "UPDATE shares SET views = views + 1, attempt = $1, attempted = $2 WHERE id = $3",
            [.text(attempt), .integer(time), .text(id)])
    }

    /// The last opening does not count, and its attempt is over.
    func giveBack(id: String) throws {
        try transaction.execute(
            "UPDATE shares SET views = views - 1, returned = returned + 1, attempt = '', attempted = 0 WHERE id = $1",
            [.text(id)])
    }

    /// Counts a wrong code; the last of those that are allowed stops the link.
    ///
    /// - Returns: whether it has.
    func countFailure(of stored: Stored, at time: Int64) throws -> Bool {
        try transaction.execute("UPDATE shares SET failures = failures + 1 WHERE id = $1", [.text(stored.share.id)])
        guard stored.failures + 1 >= Limits.shareFailures else { return false }
        try stop(id: stored.share.id, at: time)
        return true
    }

    func stop(id: String, at time: Int64) throws {
        try transaction.execute(
            "UPDATE shares SET stopped = $1 WHERE id = $2 AND stopped IS NULL", [.integer(time), .text(id)])
    }

    static func stored(_ row: Row) throws -> Stored {
        let (failures, stopped) = (try row.integer("failures"), try row.optionalInteger("stopped"))
        return Stored(
            share: Share(
                id: try row.text("id"), document: try row.optionalText("document") ?? "",
                created: try row.integer("created"),
                expires: try row.integer("expires"), views: Int(try row.integer("views")),
                maximumViews: Int(try row.integer("maximum_views")), stopped: stopped,
                stoppedByWrongCodes: stopped != nil && failures >= Limits.shareFailures ? true : nil),
            account: try row.text("account"), codeHash: try row.text("code_hash"),
            failures: failures, blob: try row.text("blob"), keyCheck: try row.text("key_check"),
            attempt: try row.text("attempt"), attempted: try row.integer("attempted"),
            returned: try row.integer("returned"))
    }
}
