import Foundation
import Server
import Storage

/// The server's settings, as `countersign serve` and `countersign admin` find them.
struct Settings {
    /// What is set.
    let configuration: ServerConfiguration

    /// Where the tables are.
    var place: DatabasePlace {
        DatabasePlace(url: configuration.database, directory: configuration.dataDirectory)
    }

    /// Reads flags, then `COUNTERSIGN_…` in the environment, then the file.
    ///
    /// - Parameter config: the file; without it the one that `COUNTERSIGN_CONFIG` names.
    /// - Throws: `CommandError` with every mistake.
    static func read(flags: [String: String], config: String?) throws -> Settings {
        let environment = ProcessInfo.processInfo.environment
        var file: [String: String]?
        if let path = config ?? environment["COUNTERSIGN_CONFIG"] {
            guard let data = try? Data(contentsOf: URL(fileURLWithPath: path)) else {
                throw CommandError("the settings file \(path) cannot be read")
            }
            file = try ServerConfiguration.members(ofFile: Array(data))
        }
        switch ServerConfiguration.read(flags: flags, environment: environment, file: file) {
        case .success(let configuration): return Settings(configuration: configuration)
        case .failure(let mistakes):
            throw CommandError(
                "The configuration has mistakes:\n" + mistakes.list.map { "  - " + $0 }.joined(separator: "\n"))
        }
    }
}
