import Logging
import ServiceLifecycle
import Storage

/// Takes up keys that another server on the same database has rotated, from the key folder.
///
/// It stops the server if a new key is not there, or if only a start can take it up.
///
/// A server with old keys would make invitations that nobody can use, entries under labels that were to end, and seals
/// that nobody can open. Its next start reads the key folder again, and says so if the new key is not there.
struct KeyWatch: Service {
    let environment: Environment
    let logger: Logger
    private static let pause: Duration = .seconds(60)

    /// Why the server stops.
    struct Replaced: Error, Equatable, CustomStringConvertible {
        let name: String
        var description: String {
            "The key '\(name)' of this server is no longer in force: another server on this database has rotated it. This "
                + "server stops. Put the new key into the folder 'keys' of its data directory, then start it again."
        }
    }

    func run() async throws {
        let ended = await cancelWhenGracefulShutdown { await watch() }
        guard let ended else { return }
        logger.critical("\(ended)")
        throw ended
    }

    /// Looks every minute.
    ///
    /// - Returns: the key that another has replaced; `nil` when the server is told to stop.
    private func watch() async -> Replaced? {
        while true {
            do {
                try await environment.clock.sleep(Self.pause)
                try await check()
            } catch let replaced as Replaced {
                return replaced
            } catch is CancellationError {
                return nil
            } catch {
                // A database that does not answer says nothing of keys.
                if Task.isCancelled { return nil }
                if let error = error as? ServerKeys.KeyError { logger.error("\(error.words)") }
            }
        }
    }

    /// One look.
    ///
    /// - Throws: `Replaced`.
    func check() async throws {
        let (organisation, fingerprints) = try await environment.keysInForce()
        guard let organisation else { return }
        do {
            for name in try environment.serverKeys.takeUp(organisation, fingerprints) {
                logger.notice("the key '\(name)' was rotated: this server uses the new one")
            }
        } catch let error as ServerKeys.KeyError {
            // A key that is in force and cannot be taken up counts as missing; only the message differs.
            guard let name = error.name else { throw error }
            if error != .foreign(name: name) { logger.error("\(error.words)") }
            throw Replaced(name: name)
        }
        // The log's next key signs as soon as it is there and a policy names it.
        try await environment.takeUpLogKeys()
    }
}

extension Environment {
    /// The database's record of the keys: certificates, and fingerprints of secrets.
    func keysInForce() async throws -> (OrganisationStore.Stored?, [String: String]) {
        try await database.read { transaction in
            (
                try OrganisationStore(transaction: transaction).find(),
                try ServerKeyStore(transaction: transaction).fingerprints()
            )
        }
    }
}
