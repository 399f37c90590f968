import Interface
import Storage

/// Removes a person from the tables of all slices, as these say (``PersonColumn``).
///
/// Rows about the person go; a row that others' rows point to stays as a pseudonym, and the log's entries stay as
/// numbers that nothing opens.
struct ErasureStore {
    let transaction: Transaction
    let slices: [Slice]

    private var columns: [PersonColumn] { slices.flatMap(\.people) }

    /// Whether rows name the account that must go on naming it.
    func isRefused(account: String) throws -> Bool {
        try columns.contains { try $0.erasure == .refuse && isNamed(account, in: $0) }
    }

    /// Deletes what opens the log's entries about an account or a client.
    func forgetEntries(about id: String) throws {
        for column in columns where column.table == "log_entries" {
            guard case .clear(let others) = column.erasure else { continue }
            try clear([column.column] + others, where: column, is: id)
        }
    }

    /// Lets an account look up an entry of the log from now on.
    func hand(entry position: Int64, to keeper: String) throws {
        try transaction.execute(
            "UPDATE log_entries SET account = $1 WHERE position = $2", [.text(keeper), .integer(position)])
    }

    /// Deletes everything about an account, and the account.
    ///
    /// - Parameter pseudonym: no username; takes its place where others' rows go on naming the account.
    func remove(_ account: Account, pseudonym: String) throws {
        let handle = try transaction.row("SELECT user_handle FROM accounts WHERE id = $1", [.text(account.id)])?
            .optionalText("user_handle")
        // Rows that point to others of its rows go before them.
        for shape in try transaction.tables().reversed() {
            let own = columns.filter { $0.table == shape.name }
            for column in own {
                let name: String? =
                    switch column.holds {
                    case .id: account.id
                    case .username: account.username
                    case .handle: handle
                    }
                guard let name else { continue }
                try apply(column, to: name, of: shape)
            }
        }
        let id = SQLValue.text(account.id)
        guard try columns.contains(where: { try $0.erasure == .pseudonym && isNamed(account.id, in: $0) }) else {
            try transaction.execute("DELETE FROM accounts WHERE id = $1", [id])
            return
        }
        try transaction.execute(
            """
            UPDATE accounts SET username = $1, name = '', given_name = '', family_name = '', passphrase = '', verified = 0,
                user_handle = NULL, blocked_reason = '', sort_name = $2
            WHERE id = $3
            """, [.text(pseudonym), .text(SortName.last), id])
    }

    private func apply(_ column: PersonColumn, to name: String, of shape: TableShape) throws {
        switch column.erasure {
        case .pseudonym, .refuse: break
        case .delete:
            for reference in shape.ownReferences {
                try set("\(reference.column) = NULL", where: column, is: name)
            }
            try transaction.execute("DELETE FROM \(column.table) WHERE \(column.column) = $1", [.text(name)])
        case .null: try set("\(column.column) = NULL", where: column, is: name)
        case .clear(let others): try clear([column.column] + others, where: column, is: name)
        }
    }

    private func clear(_ columns: [String], where column: PersonColumn, is name: String) throws {
        try set(columns.map { "\($0) = ''" }.joined(separator: ", "), where: column, is: name)
    }

    private func set(_ change: String, where column: PersonColumn, is name: String) throws {
        try transaction.execute(
            "UPDATE \(column.table) SET \(change) WHERE \(column.column) = $1", [.text(name)])
    }

    private func isNamed(_ account: String, in column: PersonColumn) throws -> Bool {
        try transaction.row(
            "SELECT 1 AS found FROM \(column.table) WHERE \(column.column) = $1 LIMIT 1", [.text(account)]) != nil
    }
}
