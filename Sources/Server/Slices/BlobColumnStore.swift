import Storage

/// Which blobs rows name, for all slices.
struct BlobColumnStore {
    let transaction: Transaction
    let slices: [Slice]

    /// How many names a page has: nobody holds more than two pages at once.
    static let page = 1_000

    /// The names of the blobs that rows name and that may still be handed out.
    ///
    /// Each comes once, in order, a page at a time: there may be more than memory should hold.
    ///
    /// - Parameter time: links that are over by then are left out.
    func forEachPage(at time: Int64, _ body: ([String]) throws -> Void) throws {
        let columns = try columns()
        var last = ""
        while case let page = try names(in: columns, after: last, at: time), let end = page.last {
            try body(page)
            last = end
        }
    }

    /// One of these pages: the names behind one, none at the end.
    func names(after last: String, at time: Int64) throws -> [String] {
        try names(in: columns(), after: last, at: time)
    }

    private func names(in columns: [BlobColumn], after last: String, at time: Int64) throws -> [String] {
        var names: [String] = []
        for blob in columns {
            let more = try self.names(blob, at: time) { place in
                ("\(blob.column) > \(place(0))", [.text(last)], "ORDER BY \(blob.column) LIMIT \(Self.page)")
            }
            guard !more.isEmpty else { continue }
            names = names.isEmpty ? more : Array(Set(names).union(more).sorted().prefix(Self.page))
        }
        return names
    }

    /// Those of some names that rows name.
    func names(among candidates: [String], at time: Int64) throws -> Set<String> {
        var names: Set<String> = []
        let columns = try columns()
        for start in stride(from: 0, to: candidates.count, by: Self.together) {
            let some = candidates[start..<min(start + Self.together, candidates.count)].map(SQLValue.text)
            for blob in columns {
                try names.formUnion(
                    self.names(blob, at: time) { place in
                        ("\(blob.column) IN (\(some.indices.map(place).joined(separator: ", ")))", some, "")
                    })
            }
        }
        return names
    }

    /// The blobs of rows that get others in time, with the keys of their rows.
    func replaceable(at time: Int64) throws -> [String: String] {
        var found: [String: String] = [:]
        for (blob, key) in try replacing() {
            for row in try rows(blob, key, at: time) { found[try row.text("name")] = try row.text("key") }
        }
        return found
    }

    /// Those of some blobs from ``replaceable(at:)`` whose rows are still kept, and hold something else by now.
    func replaced(among blobs: [String: String], at time: Int64) throws -> Set<String> {
        var names: Set<String> = []
        for (blob, key) in try replacing() {
            for (name, row) in blobs {
                let now = try rows(blob, key, at: time, ofKey: row).first?.text("name")
                if let now, now != name { names.insert(name) }
            }
        }
        return names
    }

    private func replacing() throws -> [(blob: BlobColumn, key: String)] {
        try columns().compactMap { blob in blob.replacing.map { (blob, $0) } }
    }

    private func rows(_ blob: BlobColumn, _ key: String, at time: Int64, ofKey row: String? = nil) throws -> [Row] {
        // One row is looked at whatever it holds by now.
        let conditions = [row == nil ? blob.rows : nil, blob.kept].compactMap(\.self)
        var values: [SQLValue] = conditions.contains { $0.contains("$1") } ? [.integer(time)] : []
        var condition = "1 = 1"
        if let row {
            values.append(.text(row))
            condition = "\(key) = $\(values.count)"
        }
        return try transaction.rows(
            """
            SELECT \(key) AS key, \(blob.column) AS name FROM \(blob.table)
            WHERE \((conditions + [condition]).map { "(\($0))" }.joined(separator: " AND "))
            """, values)
    }

    /// Names that one statement asks for.
    private static let together = 500

    /// Some of a column's names, each once.
    ///
    /// - Parameter choice: which, as a condition with its values, and what comes behind it; it is given the
    ///   placeholders of the values by their numbers.
    private func names(
        _ blob: BlobColumn, at time: Int64,
        _ choice: (_ place: (Int) -> String) -> (condition: String, values: [SQLValue], end: String)
    ) throws -> [String] {
        let conditions = [blob.rows, blob.kept].compactMap(\.self)
        let first: [SQLValue] = conditions.contains { $0.contains("$1") } ? [.integer(time)] : []
        let (condition, values, end) = choice { "$\(first.count + $0 + 1)" }
        return try transaction.rows(
            """
            SELECT DISTINCT \(blob.column) AS name FROM \(blob.table)
            WHERE \((conditions + [condition]).map { "(\($0))" }.joined(separator: " AND ")) \(end)
            """, first + values
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
        var known: [String: [String]] = [:]
        return try slices.flatMap(\.blobs).filter { blob in
            let columns = try known[blob.table] ?? transaction.columns(ofTable: blob.table)
            known[blob.table] = columns
            return columns.contains(blob.column)
        }
    }
}
