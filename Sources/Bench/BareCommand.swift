import ArgumentParser
import Server

/// `countersign-bench bare`: the HTTP library with nothing of ours on it, as a process of its own.
struct BareCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "bare", abstract: "The HTTP library alone: 'hello', and event streams without events.",
        shouldDisplay: false)

    @Argument(help: "The port on 127.0.0.1.") var port: Int

    func run() async throws {
        let flags = ["log-level": "critical"]
        guard case .success(let configuration) = ServerConfiguration.read(flags: flags, environment: [:], file: nil)
        else { throw ValidationError("The server's settings are refused.") }
        try await BareServer.run(port: port, logger: ServerLog.makeLogger(configuration)) { _ in }
    }
}
