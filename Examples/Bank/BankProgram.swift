import CountersignService
import Foundation
import Hummingbird
import Logging
import NIOCore

/// An example of a service: a bank that asks Countersign for approvals.
///
/// It uses the SDK alone, and knows nothing of the server's code.
@main
struct BankProgram {
    static let usage = """
        example-bank --server URL --service DOMAIN --key PUBLIC-KEY --api-key-file FILE [--port PORT] [--patience SECONDS]

        DOMAIN, PUBLIC-KEY and the API key are what 'countersign admin service add' shows. A second factor is waited for
        10 to 600 seconds, 120 without --patience.
        """

    static func main() async throws {
        guard let settings = Settings(Array(CommandLine.arguments.dropFirst())) else {
            FileHandle.standardError.write(Data((usage + "\n").utf8))
            exit(2)
        }
        let service = try PinnedService(domain: settings.service, publicKey: settings.key)
        let client = try ServiceClient(server: settings.server, apiKey: settings.apiKey, service: service)
        let bank = Bank(client: client, customers: try Customer.demo(), patience: settings.patience)
        var logger = Logger(label: "bank")
        logger.logLevel = .warning
        let application = Application(
            router: Site(bank: bank, pages: try await PageLibrary()).routes(),
            configuration: .init(address: .hostname("127.0.0.1", port: settings.port)),
            onServerRunning: { channel in
                print("The bank is at http://localhost:\(channel.localAddress?.port ?? settings.port) .")
                fflush(nil)
            }, logger: logger)
        try await application.runService()
    }

    private struct Settings {
        let server: String
        let service: String
        let key: String
        let apiKey: String
        let port: Int
        let patience: Int64

        init?(_ arguments: [String]) {
            var flags: [String: String] = [:]
            guard arguments.count.isMultiple(of: 2) else { return nil }
            for place in stride(from: 0, to: arguments.count, by: 2) { flags[arguments[place]] = arguments[place + 1] }
            let known = ["--server", "--service", "--key", "--api-key-file", "--port", "--patience"]
            guard flags.keys.allSatisfy(known.contains), let server = flags["--server"],
                let service = flags["--service"], let key = flags["--key"], let file = flags["--api-key-file"],
                let apiKey = try? String(contentsOfFile: file, encoding: .utf8),
                let port = Int(flags["--port"] ?? "8081"), (0...65_535).contains(port),
                let patience = Int64(flags["--patience"] ?? "120"), (10...600).contains(patience)
            else { return nil }
            (self.server, self.service, self.key, self.port, self.patience) = (server, service, key, port, patience)
            self.apiKey = apiKey.trimmingCharacters(in: .whitespacesAndNewlines)
        }
    }
}
