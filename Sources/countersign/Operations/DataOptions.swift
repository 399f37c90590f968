import ArgumentParser
import Foundation
import Server
import Storage

/// Whose data a command works on.
struct DataOptions: ParsableArguments {
    @Option(help: "The data directory.") var data: String?
    @Option(help: "The PostgreSQL that the server uses, if it uses one.") var database: String?
    @OptionGroup var bucket: BucketOptions
    @Option(help: "The server's file of settings, JSON.") var config: String?
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

    /// Says in words why a key or file is refused.
    static func inWords<T>(_ body: () async throws -> T) async throws -> T {
        do {
            return try await body()
        } catch let error as ServerKeys.KeyError {
            throw CommandError(error.words, isRefusal: true)
        } catch let error as LogKeyChange.StepError {
            throw CommandError(error.words, isRefusal: true)
        } catch let error as RootTravel.TravelError {
            throw CommandError(error.words, isRefusal: true)
        } catch let error as KeyFileError {
            throw CommandError(error.words, isRefusal: true)
        } catch let error as RootCertificates.AnswerError {
            throw CommandError(error.words, isRefusal: true)
        } catch let error as RootRequest.FormError {
            throw CommandError(error.words, isRefusal: error.isRefusal)
        } catch KeyRotation.RotationError.unreadable(let table, let key) {
            throw CommandError(
                "nothing was changed: what is sealed in row '\(key)' of table '\(table)' does not open. Restore it from a "
                    + "backup first")
        } catch is RootKey.Missing {
            throw CommandError(
                "the root is offline: give its file with --from, or bring it back with 'countersign admin root import'",
                isRefusal: true)
        } catch AuthorityError.rootOffline {
            throw CommandError(
                "the root is offline: bring it back for a moment with 'countersign admin root import'", isRefusal: true)
        } catch TransparencyLog.LogError.unwitnessed(let failures) {
            throw CommandError(
                "it is done and in the log, and must not be repeated; its receipt comes when enough witnesses have "
                    + "signed: \(failures.joined(separator: "; "))")
        } catch TransparencyLog.LogError.damaged(let detail) {
            throw CommandError(
                "the log's files, key and database do not belong together (\(detail)): "
                    + "'countersign admin doctor' says more")
        } catch let error as StorageError {
            throw CommandError("the data cannot be used: \(error)")
        }
    }
}

extension RootTravel.TravelError {
    var words: String {
        switch self {
        case .notSetUp: "this server is not set up yet: there is no root"
        case .otherRoot: "the file holds another organisation's root. Nothing was changed"
        case .isHere: "the root is in the data directory already. Nothing was changed"
        }
    }
}

extension KeyFileError {
    var words: String {
        switch self {
        case .malformed: "the file is not one that 'countersign admin root export' wrote"
        case .unacceptableDerivation:
            "the file asks for a weaker or dearer passphrase check than allowed: it was changed"
        case .weakPassphrase:
            "the passphrase needs \(RootFile.shortestPassphrase) bytes at least: whoever finds the file may guess for years"
        case .wrongPassphrase: "the passphrase is not this file's, or the file was changed"
        }
    }
}

extension RootCertificates.AnswerError {
    var words: String {
        switch self {
        case .unfit: "the answer holds a certificate that is not by this organisation's root for a key in use"
        case .notNewer: "the answer is old: a certificate in it ends no later than the one in use"
        }
    }
}

extension RootRequest.FormError {
    var words: String {
        switch self {
        case .malformed: "the file is not a request to the root, or not an answer of it"
        case .unknownKey:
            "stop: a key is to be certified that this root has never certified. Somebody has changed the server's data"
        }
    }

    /// Whether this is a no, rather than something that could not be told.
    var isRefusal: Bool { self == .unknownKey }
}
