import Interface
import Storage

/// Clients and their templates in the database.
struct ClientStore {
    let transaction: Transaction

    /// A client as stored.
    struct Stored {
        var id: String
        var numberHash: String
        var givenName: String
        var familyName: String
        var tool: SignatureTool
        /// Identity number and paper, sealed.
        var sealed: String
        var created: Int64
        var erased: Int64?
    }

    /// A template as stored.
    struct StoredTemplate {
        /// Changes with every enrolment.
        var id: String
        var client: String
        var sealed: String
        var enrolled: Int64
        /// 1 after the enrolment, 2 after another visit, `visitDue` when one is needed again.
        var sittings: Int64

        /// The template has learnt as far as it may without another visit.
        static let visitDue: Int64 = 0

        /// From when on the signatures of another visit can be taken; `nil` when they were.
        var secondSittingFrom: Int64? { sittings < 2 ? enrolled + Limits.secondSittingRest : nil }

        /// Refuses a second sitting that is not the second, or is no other visit.
        func checkSecondSitting(at time: Int64) throws(HandSignatureError) {
            guard let from = secondSittingFrom else { throw .secondSittingDone }
            guard time >= from else { throw .secondSittingTooEarly(from: from) }
        }
    }

    private static let columns = "id, number_hash, given_name, family_name, tool, sealed, created, erased"

    func insert(_ client: Stored) throws {
        try transaction.execute(
            """
            INSERT INTO clients (id, number_hash, given_name, family_name, tool, sealed, created, number_form, sort_name)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
            """,
            [
                .text(client.id), .text(client.numberHash), .text(client.givenName), .text(client.familyName),
                .text(client.tool.rawValue), .text(client.sealed), .integer(client.created),
                .integer(IdentityNumber.form), .text(SortName.of(client.familyName, client.givenName)),
            ])
        try setWords(client)
    }

    func update(_ client: Stored) throws {
        try transaction.execute(
            """
            UPDATE clients SET given_name = $1, family_name = $2, tool = $3, sealed = $4, sort_name = $5 WHERE id = $6
            """,
            [
                .text(client.givenName), .text(client.familyName), .text(client.tool.rawValue), .text(client.sealed),
                .text(SortName.of(client.familyName, client.givenName)), .text(client.id),
            ])
        try setWords(client)
    }

    /// By what the client is found in lists.
    private func setWords(_ client: Stored) throws {
        try SearchWordStore(transaction: transaction).set(
            .clients, client.id, sort: SortName.of(client.familyName, client.givenName),
            [client.givenName, client.familyName])
    }

    /// Gives what lists find and sort people by to the clients of a database that had none, some at a time.
    static func fillNames(in database: any Database) async throws {
        try await SearchWordStore.fill(.clients, in: database) { last, transaction in
            let rows = try transaction.rows(
                """
                SELECT id, given_name, family_name FROM clients WHERE id > $1 AND erased IS NULL ORDER BY id LIMIT 500
                """, [.text(last)])
            return try rows.map { row in
                let (id, given, family) = (
                    try row.text("id"), try row.text("given_name"), try row.text("family_name")
                )
                let sort = SortName.of(family, given)
                try transaction.execute(
                    "UPDATE clients SET sort_name = $1 WHERE id = $2", [.text(sort), .text(id)])
                return (id, sort, [given, family])
            }
        }
    }

    /// A client who was not erased.
    func find(id: String) throws -> Stored? {
        try transaction.row(
            "SELECT \(Self.columns) FROM clients WHERE id = $1 AND erased IS NULL", [.text(id)]
        ).map(Self.stored)
    }

    /// Those who were not erased, by id.
    func find(ids: [String]) throws -> [String: Stored] {
        var found: [String: Stored] = [:]
        // No statement has a thousand placeholders.
        for start in stride(from: 0, to: ids.count, by: 500) {
            let part = ids[start..<min(start + 500, ids.count)]
            var conditions = SQLConditions()
            conditions.add("id IN (\(part.map { _ in "?" }.joined(separator: ", ")))", part.map { .text($0) })
            conditions.add("erased IS NULL")
            for row in try transaction.rows(
                "SELECT \(Self.columns) FROM clients \(conditions.clause)", conditions.values)
            {
                let client = try Self.stored(row)
                found[client.id] = client
            }
        }
        return found
    }

    /// - Parameter numberHashes: one, or two while the template secret is being replaced: in one statement, or a row that
    ///   changes from one to the other would be missed.
    func find(numberHashes: [String]) throws -> Stored? {
        try transaction.row(
            "SELECT \(Self.columns) FROM clients WHERE number_hash IN ($1, $2)",
            [.text(numberHashes[0]), .text(numberHashes[numberHashes.count - 1])]
        ).map(Self.stored)
    }

    func count() throws -> Int64 {
        try transaction.row("SELECT COUNT(*) AS total FROM clients WHERE erased IS NULL", [])?.integer("total") ?? 0
    }

    /// Removes what is known of a client except the row that transactions point to.
    func erase(id: String, at time: Int64) throws {
        try transaction.execute("DELETE FROM client_templates WHERE client = $1", [.text(id)])
        try SearchWordStore(transaction: transaction).remove(.clients, id)
        // The hash is no number's: the same person may come again.
        try transaction.execute(
            """
            UPDATE clients SET number_hash = id, given_name = $1, family_name = $2, sealed = '', next_visit = NULL,
                sort_name = '', erased = $3
            WHERE id = $4
            """,
            [
                .text(PersonName.erased.givenName), .text(PersonName.erased.familyName), .integer(time), .text(id),
            ])
    }

    /// Clients whose index was made by older rules, the first registered first.
    func withOldIndex(limit: Int) throws -> [Stored] {
        try transaction.rows(
            """
            SELECT \(Self.columns) FROM clients WHERE number_form < $1 ORDER BY created, id LIMIT $2
            """, [.integer(IdentityNumber.form), .integer(Int64(limit))]
        ).map(Self.stored)
    }

    /// Stores by what a client is found from now on.
    func setIndex(_ hash: String, of id: String) throws {
        try transaction.execute(
            "UPDATE clients SET number_hash = $1, number_form = $2 WHERE id = $3",
            [.text(hash), .integer(IdentityNumber.form), .text(id)])
    }

    func template(client: String) throws -> StoredTemplate? {
        try transaction.row(
            "SELECT id, client, sealed, enrolled, sittings FROM client_templates WHERE client = $1", [.text(client)]
        ).map {
            StoredTemplate(
                id: try $0.text("id"), client: try $0.text("client"), sealed: try $0.text("sealed"),
                enrolled: try $0.integer("enrolled"), sittings: try $0.integer("sittings"))
        }
    }

    /// Replaces the client's template; nothing of the old one stays.
    func replace(_ template: StoredTemplate) throws {
        try transaction.execute("DELETE FROM client_templates WHERE client = $1", [.text(template.client)])
        try transaction.execute(
            "INSERT INTO client_templates (client, id, sealed, enrolled, sittings) VALUES ($1, $2, $3, $4, $5)",
            [
                .text(template.client), .text(template.id), .text(template.sealed), .integer(template.enrolled),
                .integer(template.sittings),
            ])
        try setNextVisit(template)
    }

    /// Stores what was added to a template.
    func update(_ template: StoredTemplate) throws {
        try transaction.execute(
            "UPDATE client_templates SET sealed = $1, sittings = $2 WHERE client = $3",
            [.text(template.sealed), .integer(template.sittings), .text(template.client)])
        try setNextVisit(template)
    }

    /// The list of those who are due is walked by an index over clients alone.
    private func setNextVisit(_ template: StoredTemplate) throws {
        try transaction.execute(
            "UPDATE clients SET next_visit = $1 WHERE id = $2",
            [template.secondSittingFrom.map(SQLValue.integer) ?? .null, .text(template.client)])
    }

    private static func stored(_ row: Row) throws -> Stored {
        guard let tool = SignatureTool(rawValue: try row.text("tool")) else {
            throw StoredValueError(column: "clients.tool")
        }
        return Stored(
            id: try row.text("id"), numberHash: try row.text("number_hash"), givenName: try row.text("given_name"),
            familyName: try row.text("family_name"), tool: tool, sealed: try row.text("sealed"),
            created: try row.integer("created"), erased: try row.optionalInteger("erased"))
    }
}
