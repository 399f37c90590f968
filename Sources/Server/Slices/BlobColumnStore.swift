import Storage

/// Which blobs rows name, for all slices.
struct BlobColumnStore {
    let transaction: Transaction
    let slices: [Slice]

    /// The names of all blobs that rows name and that somebody may still be given.
    ///
    /// - Parameter time: links that are over by then are left out.
    func names(at time: Int64) throws -> Set<String> {
        var names: Set<String> = []
        for blob in try columns() { try names.formUnion(self.names(blob, at: time)) }
        return names
    }

    /// Those of some names that rows name.
    func names(among candidates: [String], at time: Int64) throws -> Set<String> {
        var names: Set<String> = []
        let columns = try columns()
        for start in stride(from: 0, to: candidates.count, by: Self.together) {
            let some = candidates[start..<min(start + Self.together, candidates.count)].map(SQLValue.text)
            for blob in columns { try names.formUnion(self.names(blob, among: some, at: time)) }
        }
        return names
    }

    /// Names that one statement asks for.
    private static let together = 500

    private func names(_ blob: BlobColumn, among candidates: [SQLValue]? = nil, at time: Int64) throws -> [String] {
        var conditions = [blob.rows, blob.kept].compactMap(\.self)
        var values: [SQLValue] = conditions.contains { $0.contains("$1") } ? [.integer(time)] : []
        if let candidates {
            let places = candidates.indices.map { "$\(values.count + $0 + 1)" }
            conditions.append("\(blob.column) IN (\(places.joined(separator: ", ")))")
            values += candidates
        }
        return try transaction.rows(
            """
            SELECT \(blob.column) AS name FROM \(blob.table)
            WHERE \(conditions.isEmpty ? "1 = 1" : conditions.map { "(\($0))" }.joined(separator: " AND "))
            """, values
        ).map { try $0.text("name") }
    }

    /// The names of all blobs that are an account's, removed or not.
    func names(ofAccount account: String) throws -> Set<String> {
        var names: Set<String> = []
        for blob in try columns() {
            guard let owner = blob.owner else { continue }
            let rows = try transaction.rows(
                "SELECT \(blob.column) AS name FROM \(blob.table) WHERE \(owner) = $1 AND \(blob.rows ?? "1 = 1")",
                [.text(account)])
            for row in rows { names.insert(try row.text("name")) }
        }
        return names
    }

    /// Does to rows what their owner did after they were read: says that the blob is gone.
    func end(_ name: String, at time: Int64) throws {
        for blob in try columns() {
            guard let ended = blob.ended else { continue }
            try transaction.execute(
                """
                UPDATE \(blob.table) SET \(ended) = $1
                WHERE \(blob.column) = $2 AND \(ended) IS NULL AND \(blob.rows ?? "1 = 1")
                """, [.integer(time), .text(name)])
        }
    }

    /// The columns that there are: tables of older versions are backed up before they are migrated.
    private func columns() throws -> [BlobColumn] {
        let tables = try transaction.tables()
        return slices.flatMap(\.blobs).filter { blob in
            tables.contains { $0.name == blob.table && $0.columns.contains(blob.column) }
        }
    }
}
