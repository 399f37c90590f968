import CryptoProvider
import Encodings
package import Logging
package import Storage
package import Transparency

/// A witness: a separate program with its own key and database, not run by the log's operator.
package struct WitnessServer: Sendable {
    /// The key by which its signatures are checked.
    package let verifierKey: NoteVerifierKey
    private let service: WitnessService
    private let configuration: ServerConfiguration
    private let shell: Shell
    private let directory: DataDirectory

    /// Why it cannot start.
    package enum StartError: Error, Equatable {
        /// Its name is fixed at the first start, since its key's identity holds it.
        case renamed(from: String)
        /// It has no name yet.
        case unnamed
        /// The key is there, but no record of what it has signed: it would sign another history.
        case forgetful
        /// The name is empty, too long, or has a space or a plus.
        case badName
    }

    /// Opens, or makes, the witness in a directory.
    ///
    /// - Parameters:
    ///   - directory: holds the key and the database. A copy that runs beside it makes a witness that can be made to
    ///     sign two histories.
    ///   - name: of the witness, by convention an address without scheme; needed the first time.
    ///   - logs: the keys of the logs that it watches.
    ///   - isLimitingRates: false for a benchmark only.
    package init(
        configuration: ServerConfiguration, directory: DataDirectory, name: String?, logs: [NoteVerifierKey],
        clock: ServerClock = .system, random: RandomSource = .system, isLimitingRates: Bool = true
    ) async throws {
        let database = try await SQLiteDatabase.open(directory.file("witness.sqlite"))
        try await database.migrate(WitnessSchema.migrations)
        let known = try await database.read { try WitnessStore(transaction: $0).name() }
        guard let chosen = known ?? name else { throw StartError.unnamed }
        if let name, name != chosen { throw StartError.renamed(from: chosen) }
        if known == nil, try KeyFolder(in: directory.path).read("witness") != nil { throw StartError.forgetful }
        let key = try ServerKeys.witness(in: directory.path, isNew: known == nil, random: random)
        do {
            verifierKey = try NoteVerifierKey(
                name: Bytes(text: chosen), publicKey: key.publicKey, algorithm: .cosignature)
        } catch {
            throw StartError.badName
        }
        if known == nil { try await database.write { try WitnessStore(transaction: $0).setName(chosen) } }
        service = WitnessService(
            database: database, key: key, verifierKey: verifierKey, logs: logs, clock: clock)
        shell = Shell(
            clock: clock, authenticator: NoSessions(),
            readiness: [
                ReadinessCheck("database") { _ = try await database.read { try WitnessStore(transaction: $0).name() } }
            ],
            trustsProxy: configuration.trustsProxy, isLimitingRates: isLimitingRates)
        self.configuration = configuration
        self.directory = directory
    }

    /// Serves until told to stop.
    package func run(
        logger: Logger, stopsOnSignals: Bool = true, onListening: @escaping @Sendable (Int) async -> Void = { _ in }
    ) async throws {
        var routes = RouteTable()
        WitnessRoutes(service: service).add(to: &routes)
        ShellRoutes().add(to: &routes, publicURL: "")
        do {
            try await HTTPServer.run(
                configuration: configuration, shell: shell, routes: routes, logger: logger,
                stopsOnSignals: stopsOnSignals, onListening: onListening)
        } catch {
            try? await service.database.close()
            throw error
        }
        try await service.database.close()
    }

    /// The checkpoints that a witness has signed, and the proofs it keeps against logs that it caught.
    package struct Memory: Sendable {
        /// The newest checkpoint of each log: origin, entries, and when it was signed.
        package let cosigned: [(origin: String, size: Int64, time: Int64)]
        /// Two notes each that one log signed and that cannot both be true.
        package let contradictions: [(origin: String, kept: String, shown: String, time: Int64)]
    }

    /// The memory of the witness in a directory, also while it runs.
    package static func memory(in path: String) async throws -> Memory {
        let database = try await SQLiteDatabase.open("\(path)/witness.sqlite")
        try await database.migrate(WitnessSchema.migrations)
        let memory = try await database.read { transaction in
            let store = WitnessStore(transaction: transaction)
            return Memory(
                cosigned: try store.list().map { ($0.origin, $0.size, $0.time) },
                contradictions: try store.contradictions())
        }
        try await database.close()
        return memory
    }
}

/// A witness has no accounts.
private struct NoSessions: SessionAuthenticator {
    func authenticate(token: String, evenLocked: Bool) async throws -> Principal? { nil }
}
