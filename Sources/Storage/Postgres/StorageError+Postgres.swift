extension StorageError {
    /// The meaning of an error of PostgreSQL, by its SQLSTATE (its manual, appendix A).
    ///
    /// - Parameters:
    ///   - sqlState: five letters or digits; empty when the error is the client library's.
    ///   - message: the server's primary message.
    ///   - isAlive: whether the connection can still be used.
    init(sqlState: String, message: String, isAlive: Bool) {
        let detail = "\(message) (SQLSTATE \(sqlState))"
        self =
            switch sqlState {
            // Not the server's word but the library's, which may notice that a connection is lost before the connection
            // says so.
            case "": .unreachable(detail: message)
            case "23505": .constraint(.unique, detail: detail)
            case "23503": .constraint(.foreignKey, detail: detail)
            case "23502": .constraint(.notNull, detail: detail)
            case "23514": .constraint(.check, detail: detail)
            // Serialization failure, deadlock, lock not available, statement cancelled.
            case "40001", "40P01", "55P03", "57014": .busy
            case "53100": .full
            case "25006", "42501": .readOnly(detail: detail)
            case "XX001", "XX002": .corrupt(detail: detail)
            default: Self.byClass(String(sqlState.prefix(2)), sqlState: sqlState, detail: detail, isAlive: isAlive)
            }
    }

    private static func byClass(_ code: String, sqlState: String, detail: String, isAlive: Bool) -> StorageError {
        switch code {
        // Its message would repeat the value.
        case "22": .constraint(.other, detail: "a value that the column does not take (SQLSTATE \(sqlState))")
        case "23": .constraint(.other, detail: detail)
        case "53", "57", "08": .unreachable(detail: detail)
        case "58": .ioError(detail: detail)
        default: isAlive ? .statement(detail: detail) : .unreachable(detail: detail)
        }
    }
}
