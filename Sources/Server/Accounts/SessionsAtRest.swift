import Storage

/// Sessions of a server that is open and not running.
package struct SessionsAtRest: Sendable {
    let environment: Environment

    /// Those of this server.
    package init(of server: CountersignServer) { environment = server.environment }

    /// Ends all of them, and anything that would give one: devices that were added and have not fetched theirs.
    ///
    /// - Returns: how many sessions there were.
    package func endAll() async throws -> Int {
        try await environment.database.write { transaction in
            try PairingStore(transaction: transaction).deleteOpen()
            return try SessionStore(transaction: transaction).deleteAll()
        }
    }
}
