extension Transaction {
    /// The faults that the engine itself finds in the stored data, in words that hold no values.
    ///
    /// SQLite reads everything. PostgreSQL has no such check; reading every table finds pages that cannot be read.
    package func faults() throws(StorageError) -> [String] {
        var faults: [String] = []
        switch session.dialect {
        case .sqlite:
            for row in try rows("SELECT integrity_check AS found FROM pragma_integrity_check LIMIT 20") {
                let found = try row.text("found")
                if found != "ok" { faults.append("SQLite: \(found)") }
            }
            for row in try rows("SELECT DISTINCT \"table\" AS name FROM pragma_foreign_key_check LIMIT 20") {
                faults.append("rows of \(try row.text("name")) point to rows that are not there")
            }
        case .postgres:
            for table in try tables() { _ = try count(table) }
        }
        return faults
    }
}
