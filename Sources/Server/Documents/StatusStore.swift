import Storage

/// A place in one of the organisation's status lists.
struct StatusPlace: Sendable, Equatable {
    /// The list's number, from 1.
    var list: Int64
    /// The index in the list.
    var position: Int64
}

/// Places in status lists, taken and revoked.
///
/// A place that was never taken is valid and means nothing.
struct StatusStore {
    let transaction: Transaction

    /// A revoked place.
    struct Revocation {
        var position: Int64
        var isCertificate: Bool
        var time: Int64
    }

    /// Takes a place.
    ///
    /// - Returns: whether it was free.
    func reserve(_ place: StatusPlace, isCertificate: Bool) throws -> Bool {
        try transaction.changes(
            """
            INSERT INTO status_entries (list, position, is_certificate) VALUES ($1, $2, $3)
            ON CONFLICT (list, position) DO NOTHING
            """,
            [.integer(place.list), .integer(place.position), .integer(isCertificate ? 1 : 0)]) > 0
    }

    /// How many places of a list are taken.
    func count(list: Int64) throws -> Int64 {
        try transaction.row("SELECT COUNT(*) AS taken FROM status_entries WHERE list = $1", [.integer(list)])?
            .integer("taken") ?? 0
    }

    /// The highest list that has a place taken, or 1.
    func lastList() throws -> Int64 {
        try transaction.row("SELECT COALESCE(MAX(list), 1) AS last FROM status_entries", [])?.integer("last") ?? 1
    }

    /// Revokes a place for ever.
    ///
    /// - Returns: whether it was valid before.
    func revoke(_ place: StatusPlace, at time: Int64) throws -> Bool {
        try transaction.changes(
            "UPDATE status_entries SET revoked = $1 WHERE list = $2 AND position = $3 AND revoked IS NULL",
            [.integer(time), .integer(place.list), .integer(place.position)]) > 0
    }

    /// How many places of a list are revoked: a number that only grows.
    func revoked(list: Int64) throws -> Int64 {
        try transaction.row(
            "SELECT COUNT(*) AS revoked FROM status_entries WHERE list = $1 AND revoked IS NOT NULL", [.integer(list)])?
            .integer("revoked") ?? 0
    }

    func revocations(list: Int64) throws -> [Revocation] {
        try transaction.rows(
            """
            SELECT position, is_certificate, revoked FROM status_entries WHERE list = $1 AND revoked IS NOT NULL
            ORDER BY position
            """, [.integer(list)]
        ).map {
            Revocation(
                position: try $0.integer("position"), isCertificate: try $0.integer("is_certificate") == 1,
                time: try $0.integer("revoked"))
        }
    }
}
