import GRDB

extension SQLiteDatabase {
    /// Reads one unchanging state of a file that another process may be writing.
    ///
    /// - Throws: what the closure throws, or a `StorageError`.
    static func snapshot<T: Sendable>(
        _ path: String, _ body: @escaping @Sendable (Transaction) throws -> T
    ) async throws -> T {
        try await BlockingThreads.run {
            do {
                var configuration = Configuration()
                configuration.label = "storage.snapshot"
                configuration.readonly = true
                configuration.busyMode = .timeout(5)
                configuration.prepareDatabase { try $0.execute(sql: "PRAGMA trusted_schema = OFF") }
                let queue = try DatabaseQueue(path: path, configuration: configuration)
                defer { try? queue.close() }
                return try queue.read { try run(body, $0) }
            } catch let error as DatabaseError {
                throw StorageError(error)
            }
        }
    }
}
