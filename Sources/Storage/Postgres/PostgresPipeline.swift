import CLibPQ

/// A statement as the server gets it.
struct PostgresStatement {
    let sql: String
    var values: [SQLValue] = []
    /// Whether its answer is to come before those of the statements behind it are made.
    var isAwaited = false

    /// All statements behind it see one unchanging state.
    static let beginReading = PostgresStatement(sql: "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
}

/// What came back for statements that were sent together.
struct PostgresAnswers {
    /// The results of the statements that succeeded: all of them, or those before the first that failed.
    var results: [PostgresResult] = []
    /// Why the next one failed; those behind it were not run.
    var failure: StorageError?

    /// The answer to the last statement.
    ///
    /// - Throws: why one of them failed.
    func last() throws(StorageError) -> PostgresResult {
        if let failure { throw failure }
        guard let last = results.last else { throw .corrupt(detail: "a statement has no answer") }
        return last
    }
}

extension PostgresConnection {
    /// Sends statements one behind the other and then waits for their answers: one round trip for all.
    ///
    /// libpq reads while it sends, so that neither side waits for the other; callers keep them few all the same.
    ///
    /// - Parameter answered: is told the index of each statement when its answer is there.
    /// - Throws: `unreachable`, when the line is cut; then nobody knows which were run.
    func pipeline(
        _ statements: [PostgresStatement], answered: (Int) -> Void = { _ in }
    ) throws(StorageError) -> PostgresAnswers {
        try forgetStatements(beyond: Self.preparedLimit)
        guard unsafe PQenterPipelineMode(handle) == 1 else { throw lost }
        // Not left when the line is cut; then the connection is of no use anyway.
        defer { unsafe PQexitPipelineMode(handle) }
        var preparing: [PostgresStatementKey?] = []
        defer { for key in preparing { if let key { prepared[key] = nil } } }
        for statement in statements { preparing.append(try send(statement)) }
        guard unsafe PQpipelineSync(handle) == 1 else { throw lost }
        var answers = PostgresAnswers()
        for index in statements.indices {
            if preparing[index] != nil {
                if try take(into: &answers) != nil { preparing[index] = nil }
            }
            if let result = try take(into: &answers) {
                answers.results.append(result)
                answered(index)
            }
        }
        guard let sync = unsafe PQgetResult(handle) else { throw lost }
        unsafe PQclear(sync)
        return answers
    }

    /// - Returns: the key under which the statement will be known, if it was not before.
    private func send(_ statement: PostgresStatement) throws(StorageError) -> PostgresStatementKey? {
        let parameters = PostgresParameters(statement.values)
        let key = PostgresStatementKey(sql: statement.sql, types: parameters.types)
        var fresh: PostgresStatementKey?
        let name: String
        if let known = prepared[key] {
            name = known
        } else {
            fresh = key
            name = newName()
            let isSent = unsafe parameters.types.withUnsafeBufferPointer { types in
                unsafe PQsendPrepare(handle, name, statement.sql, Int32(types.count), types.baseAddress)
            }
            guard isSent == 1 else { throw lost }
            prepared[key] = name
        }
        let isSent = unsafe parameters.withPointers { texts, lengths, formats in
            unsafe PQsendQueryPrepared(handle, name, Int32(statement.values.count), texts, lengths, formats, 0)
        }
        guard isSent == 1, unsafe !statement.isAwaited || PQsendFlushRequest(handle) == 1 else { throw lost }
        return fresh
    }

    /// Takes one answer.
    ///
    /// - Returns: it, unless this or an earlier one is a failure.
    private func take(into answers: inout PostgresAnswers) throws(StorageError) -> PostgresResult? {
        guard let answer = unsafe PQgetResult(handle) else { throw answers.failure ?? lost }
        // A null follows each.
        while let more = unsafe PQgetResult(handle) { unsafe PQclear(more) }
        guard answers.failure == nil else {
            unsafe PQclear(answer)
            return nil
        }
        do {
            return unsafe try checked(answer)
        } catch {
            answers.failure = error
            guard isAlive else { throw error }
            return nil
        }
    }

    private var lost: StorageError { .unreachable(detail: unsafe Self.message(handle)) }
}
