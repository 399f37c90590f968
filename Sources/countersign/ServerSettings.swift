import Foundation
import Server
import Storage

/// How the server's settings are read, and its database opened: by `serve`, and by what works on its data.
enum ServerSettings {
    /// - Parameters:
    ///   - flags: those that were given, by the names of the settings.
    ///   - config: the file of settings that was named, if one was.
    static func read(flags: [String: String], config: String?) throws -> ServerConfiguration {
        let environment = ProcessInfo.processInfo.environment
        var file: [String: String]?
        if let path = config ?? environment["COUNTERSIGN_CONFIG"] {
            guard let data = try? Data(contentsOf: URL(fileURLWithPath: path)) else {
                throw CommandError("the file of settings \(path) cannot be read")
            }
            file = try ServerConfiguration.members(ofFile: Array(data))
        }
        switch ServerConfiguration.read(flags: flags, environment: environment, file: file) {
        case .success(let configuration): return configuration
        case .failure(let mistakes):
            throw CommandError(
                "The configuration has mistakes:\n" + mistakes.list.map { "  - " + $0 }.joined(separator: "\n"))
        }
    }

    /// The database of a server with this data directory.
    static func database(_ configuration: ServerConfiguration) async throws -> any Database {
        if let postgres = configuration.database { return try await PostgresDatabase.open(postgres) }
        return try await SQLiteDatabase.open(configuration.dataDirectory + "/countersign.sqlite")
    }
}

extension ServerKeys.KeyError {
    /// What is wrong with a key of the server, and what to do.
    var words: String {
        switch self {
        case .missing(let name):
            "the key '\(name)' is missing from the data directory's folder 'keys'. Put it back from a backup: none is "
                + "made anew, because the organisation's certificates and log belong to the old one"
        case .foreign(let name):
            "the key '\(name)' in the data directory's folder 'keys' is not this organisation's: its certificate is "
                + "for another key. Put the right one back"
        case .malformed(let name):
            "the file 'keys/\(name)' of the data directory is not a key. Put it back from a backup"
        case .exposed(let name):
            "others than the server's user may read 'keys/\(name)' of the data directory: chmod 600, and think about "
                + "who may have copied it"
        }
    }
}
