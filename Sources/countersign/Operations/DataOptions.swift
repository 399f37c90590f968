import ArgumentParser
import CryptoProvider
import Foundation
import Server
import Storage

/// Whose data a command works on.
struct DataOptions: ParsableArguments {
    @Option(help: "The data directory.", completion: .directory) var data: String?
    @Option(help: "The PostgreSQL that the server uses, if it uses one.") var database: String?
    @OptionGroup var bucket: BucketOptions
    @Option(help: "The server's file of settings, JSON.", completion: .file()) var config: String?
    @OptionGroup var output: OutputOptions

    private func settings() throws -> Settings {
        let flags = ["data-directory": data, "database": database].merging(bucket.flags) { $1 }
        let settings = try Settings.read(flags: flags.compactMapValues(\.self), config: config)
        let configuration = settings.configuration
        guard FileManager.default.fileExists(atPath: configuration.dataDirectory + "/keys") else {
            throw CommandError("\(configuration.dataDirectory) is not a server's data directory: name it with --data")
        }
        return settings
    }

    /// Works with the root's file, whether or not the server runs.
    func withRoot<T>(_ body: (RootTravel) async throws -> T) async throws -> T {
        try await Self.inWords {
            let settings = try settings()
            let (configuration, database) = (settings.configuration, try await settings.place.open())
            let result: Result<T, any Error>
            do {
                result = .success(
                    try await body(RootTravel(directory: configuration.dataDirectory, database: database)))
            } catch {
                result = .failure(error)
            }
            // A server that runs beside this keeps SQLite's log from being folded in: it will do so itself.
            try? await database.close()
            return try result.get()
        }
    }

    /// Works on keys and tables of a server that is stopped, and stays so until the work is done.
    func whileStopped<T>(_ body: (CountersignServer) async throws -> T) async throws -> T {
        try await Self.inWords {
            let settings = try settings()
            let configuration = settings.configuration
            let directory: DataDirectory
            do {
                directory = try DataDirectory.open(configuration.dataDirectory)
            } catch StorageError.inUse(let path, let process) {
                let number = process.map { " (process \($0))" } ?? ""
                throw CommandError("a server is running on \(path)\(number). Stop it, and every other on this data")
            }
            let database = try await settings.place.open()
            guard let url = try await CountersignServer.publicURL(in: database) else {
                throw RootTravel.TravelError.notSetUp
            }
            let server = try await CountersignServer(
                configuration: configuration, directory: directory, publicURL: url, database: database,
                stores: try await settings.triedBucket())
            let result: Result<T, any Error>
            do { result = .success(try await body(server)) } catch { result = .failure(error) }
            try await database.close()
            return try result.get()
        }
    }

    /// Has something done with the server's keys: by the server if it runs here, else by this command.
    ///
    /// - Parameter root: certifies a new key; only while the server is stopped.
    func carryOut(
        _ order: KeyOrder, by root: (() async throws -> IssuingAuthority)? = nil
    ) async throws -> KeyOrder.Answer {
        try await Self.inWords {
            let directory = try settings().configuration.dataDirectory
            guard Self.isServed(directory) else {
                return try await whileStopped { try await order.carryOut(on: $0, by: try await root?()) }
            }
            guard root == nil else {
                throw CommandError(
                    "a server is running on \(directory): --from works while it is stopped. Or bring the root back for a "
                        + "moment with 'countersign admin root import'")
            }
            do {
                let file = KeyOrderFile(directory: directory)
                // Nothing is lost by giving up: the server goes on, also after a restart.
                if case .rotate(let name) = order, name.isSealing {
                    return try await file.order(order, done: .seconds(86_400))
                }
                return try await file.order(order)
            } catch KeyOrderFile.OrderError.trouble(let trouble) {
                throw CommandError(trouble.words, isRefusal: trouble.isRefusal)
            } catch KeyOrderFile.OrderError.unheard {
                throw CommandError(
                    "a server is running on \(directory) and does not answer: it may be starting, busy, or of an older "
                        + "version. Nothing was changed; try again, or stop it to go on")
            } catch KeyOrderFile.OrderError.busy {
                throw CommandError(
                    "another command has just given an order to the server on \(directory). Nothing was changed; try "
                        + "again in a moment")
            } catch KeyOrderFile.OrderError.otherUser {
                throw CommandError(
                    "\(directory) belongs to another user: run this command as the server's user")
            } catch KeyOrderFile.OrderError.unanswered {
                throw CommandError(
                    "the server has taken the order and not answered: its log says what happened. Do not repeat it "
                        + "before you know")
            }
        }
    }

    /// Whether a server has the directory.
    private static func isServed(_ directory: String) -> Bool {
        do {
            _ = try DataDirectory.open(directory)
            return false
        } catch StorageError.inUse {
            return true
        } catch {
            return false
        }
    }

    /// Says in words why a key or file is refused.
    static func inWords<T>(_ body: () async throws -> T) async throws -> T {
        do {
            return try await body()
        } catch {
            guard let trouble = KeyTrouble(error) else { throw error }
            throw CommandError(trouble.words, isRefusal: trouble.isRefusal)
        }
    }
}
