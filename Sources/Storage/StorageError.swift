/// The errors of the database, the blob store and the data directory.
///
/// Details name tables, columns, paths and system errors, never stored values: they may be logged.
package enum StorageError: Error, Equatable {
    /// A rule of the schema was broken.
    case constraint(Constraint, detail: String)
    /// The write queue is full, or another program holds the database. Nothing was stored; trying again may help.
    case busy
    /// The database or store was closed. Nothing was stored.
    case closed
    /// The file on the disk is damaged or not a database.
    case corrupt(detail: String)
    /// The disk or the quota is full. Nothing was stored.
    case full
    /// The file or the transaction does not allow writing.
    case readOnly(detail: String)
    /// The operating system refused to read or write.
    case ioError(detail: String)
    /// SQL that is not in the common subset, or values that do not fit its placeholders: a mistake in the program.
    case statement(detail: String)
    /// The row has no such column.
    case noSuchColumn(String)
    /// The column holds another type, or null where a value is required.
    case wrongType(column: String)
    /// An earlier statement of this transaction failed; nothing more can be done in it.
    case transactionFailed
    /// The database does not promise durable commits.
    case notDurable(detail: String)
    /// The database's history of migrations is not the program's.
    case migration(MigrationProblem)
    /// Another process uses the data directory.
    case inUse(path: String, process: Int32?)
    /// Others than the server's user may enter the data directory.
    case exposed(path: String)
    /// The database server does not answer, or hung up. What was under way may or may not have been stored.
    case unreachable(detail: String)
    /// The database was set up in a way that the program cannot use.
    case unfit(detail: String)
    /// The object store does not answer, or says that it cannot now, after several attempts. What was under way may or
    /// may not have been stored.
    case objectStoreFails(detail: String)
    /// The object store refuses, or what it needs is not there: the operator has to put something right.
    case objectStoreRefuses(detail: String)
    /// Not a name for a blob: see `BlobStore`.
    case invalidName

    /// The kinds of constraints.
    package enum Constraint: Sendable, Equatable {
        /// `UNIQUE` or `PRIMARY KEY`.
        case unique
        /// `REFERENCES`.
        case foreignKey
        /// `NOT NULL`.
        case notNull
        /// `CHECK`.
        case check
        /// A column's type, or a rule that only one engine has.
        case other
    }

    /// Why migrations were refused.
    package enum MigrationProblem: Sendable, Equatable {
        /// The database was written by a newer program, which ran this migration.
        case unknown(name: String)
        /// The text of a migration that already ran was changed.
        case changed(name: String)
        /// The program has another migration instead of one that already ran.
        case reordered(expected: String, found: String)
        /// Two migrations of the program have the same name.
        case duplicate(name: String)
    }

    /// Whether a `UNIQUE` or `PRIMARY KEY` rule was broken.
    package var isUniqueViolation: Bool {
        if case .constraint(.unique, _) = self { true } else { false }
    }

    /// Whether a `REFERENCES` rule was broken.
    package var isForeignKeyViolation: Bool {
        if case .constraint(.foreignKey, _) = self { true } else { false }
    }
}

extension StorageError: CustomStringConvertible {
    /// One sentence for the operator, with advice where there is any.
    package var description: String {
        switch self {
        case .constraint(_, let detail): "a rule of the database was broken: \(detail)"
        case .busy: "the database is busy; nothing was stored, try again"
        case .closed: "the database is closed"
        case .corrupt(let detail): "the stored data are damaged: \(detail); restore a backup"
        case .full: "the disk is full"
        case .readOnly(let detail): "not writable: \(detail)"
        case .ioError(let detail): "cannot read or write: \(detail)"
        case .statement(let detail): "mistake in an SQL statement: \(detail)"
        case .noSuchColumn(let column): "the row has no column \(column)"
        case .wrongType(let column): "column \(column) holds another type"
        case .transactionFailed: "an earlier statement of the transaction failed"
        case .notDurable(let detail): "commits would not be durable: \(detail)"
        case .migration(let problem): problem.description
        case .inUse(let path, let process):
            """
            the data directory \(path) is in use by \(process.map { "process \($0)" } ?? "another process"); \
            stop that process or choose another directory
            """
        case .exposed(let path):
            """
            other users of this machine may enter the data directory \(path), and may have read its keys; close it with \
            'chmod 700 \(path)', and change the keys if somebody may have looked (docs/keys.md)
            """
        case .unreachable(let detail): "the database cannot be reached: \(detail)"
        case .unfit(let detail): "the database cannot be used: \(detail)"
        case .objectStoreFails(let detail): "the object store fails: \(detail)"
        case .objectStoreRefuses(let detail): "the object store cannot be used: \(detail)"
        case .invalidName: "not a name for a blob"
        }
    }
}

extension StorageError.MigrationProblem: CustomStringConvertible {
    /// One sentence for the operator.
    package var description: String {
        switch self {
        case .unknown(let name):
            "the database was written by a newer program (migration \(name)); use that program or a backup"
        case .changed(let name): "the text of migration \(name), which already ran, was changed"
        case .reordered(let expected, let found):
            "the database ran migration \(found) where this program has \(expected)"
        case .duplicate(let name): "two migrations have the name \(name)"
        }
    }
}
