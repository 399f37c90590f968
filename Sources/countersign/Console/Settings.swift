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
        var lines: [String: Int] = [:]
        let path = config ?? environment["COUNTERSIGN_CONFIG"]
        if let path {
            guard let data = try? Data(contentsOf: URL(fileURLWithPath: path)) else {
                throw CommandError("the settings file \(path) cannot be read; check its name and who may read it")
            }
            do {
                file = try ServerConfiguration.members(ofFile: Array(data))
            } catch {
                throw CommandError(
                    "The file of settings has mistakes:\n"
                        + error.list.map { "  - \(path), \($0)" }.joined(separator: "\n"))
            }
            lines = ServerConfiguration.lines(ofFile: Array(data))
        }
        switch ServerConfiguration.read(flags: flags, environment: environment, file: file) {
        case .success(let configuration): return Settings(configuration: configuration)
        case .failure(let mistakes):
            let list = mistakes.list.map { "  - " + located($0, in: path, lines) }
            throw CommandError("The configuration has mistakes:\n" + list.joined(separator: "\n"))
        }
    }

    /// A mistake of a file with the file's name and the line.
    private static func located(_ mistake: String, in path: String?, _ lines: [String: Int]) -> String {
        guard let path, let found = mistake.prefixMatch(of: #/file '([^']*)'/#) else { return mistake }
        let place = lines[String(found.1)].map { "\(path), line \($0): '\(found.1)'" } ?? "\(path): '\(found.1)'"
        return place + String(mistake[found.range.upperBound...])
    }
}
