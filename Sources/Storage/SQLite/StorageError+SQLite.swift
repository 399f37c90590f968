import GRDB

extension StorageError {
    /// The meaning of an error of GRDB, by SQLite's result code.
    ///
    /// Messages of SQLite hold names, not values.
    init(_ error: any Error) {
        if let error = error as? StorageError {
            self = error
            return
        }
        guard let error = error as? DatabaseError else {
            self = .ioError(detail: String(describing: type(of: error)))
            return
        }
        let detail = error.message ?? "result code \(error.extendedResultCode.rawValue)"
        switch error.resultCode {
        case .SQLITE_CONSTRAINT: self = .constraint(Constraint(error.extendedResultCode), detail: detail)
        case .SQLITE_MISMATCH: self = .constraint(.other, detail: detail)
        case .SQLITE_BUSY, .SQLITE_LOCKED: self = .busy
        case .SQLITE_CORRUPT, .SQLITE_NOTADB, .SQLITE_FORMAT: self = .corrupt(detail: detail)
        case .SQLITE_FULL: self = .full
        case .SQLITE_READONLY, .SQLITE_PERM, .SQLITE_AUTH: self = .readOnly(detail: detail)
        case .SQLITE_IOERR, .SQLITE_CANTOPEN, .SQLITE_PROTOCOL, .SQLITE_NOMEM, .SQLITE_INTERRUPT:
            self = .ioError(detail: detail)
        default: self = .statement(detail: detail)
        }
    }
}

extension StorageError.Constraint {
    init(_ code: ResultCode) {
        switch code {
        case .SQLITE_CONSTRAINT_UNIQUE, .SQLITE_CONSTRAINT_PRIMARYKEY, .SQLITE_CONSTRAINT_ROWID: self = .unique
        case .SQLITE_CONSTRAINT_FOREIGNKEY: self = .foreignKey
        case .SQLITE_CONSTRAINT_NOTNULL: self = .notNull
        case .SQLITE_CONSTRAINT_CHECK: self = .check
        default: self = .other
        }
    }
}
