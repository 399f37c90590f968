import Storage

@testable import Server

extension TestOrganisation {
    /// The columns in which the name of a stored blob is, as `table.column`, and how many slices claim each.
    ///
    /// Nothing is known of columns by their names here: every text of every table is looked at.
    func blobColumns(claimedBy slices: [Slice] = Slice.all) async throws -> [String: Int] {
        let names = try await server.environment.blobs.list().map(\.name)
        let found = try await place.snapshot { transaction in
            var found: Set<String> = []
            for table in try transaction.tables() {
                for row in try transaction.page(of: table, after: nil, limit: 100_000) {
                    for (column, value) in zip(table.columns, row) {
                        guard case .text(let text) = value, names.contains(where: { text.contains($0) }) else {
                            continue
                        }
                        found.insert("\(table.name).\(column)")
                    }
                }
            }
            return found
        }
        let claims = slices.flatMap(\.blobs).map { "\($0.table).\($0.column)" }
        return Dictionary(uniqueKeysWithValues: found.map { column in (column, claims.count { $0 == column }) })
    }
}
