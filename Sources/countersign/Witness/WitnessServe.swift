import ArgumentParser
import Encodings
import Foundation
import Logging
import Server
import Storage
import Transparency

/// `countersign witness serve`.
struct WitnessServeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve", abstract: "Run a witness.",
        discussion: """
            At the first start it makes its key and takes its name, which then stay. It prints the verifier key that \
            goes into log policies. Its directory must never be copied and run twice, nor restored from an old \
            backup while logs still rely on it: it would forget what it has signed.
            """)

    @Option(help: "The witness's directory: its key and what it signed.") var data = "./witness"
    @Option(help: "Its name, by convention its address without https://; needed at the first start.")
    var name: String?
    @Option(
        help: ArgumentHelp(
            "A log to watch: its verifier key, or a file with it or with a log policy; may be repeated."),
        completion: .file())
    var logKey: [String] = []
    @Option(help: "The address to listen on.") var host = "127.0.0.1"
    @Option(help: "The port to listen on; 0 takes a free one.") var port = 8090
    @Option(help: "The certificate chain, PEM.") var tlsCertificate: String?
    @Option(help: "The private key of the certificate, PEM.") var tlsKey: String?
    @Flag(help: "Trust X-Forwarded-For: only behind a proxy of yours.") var trustProxy = false
    @Option(help: "trace, debug, info, notice, warning, error or critical.") var logLevel: String = "notice"
    @Option(help: "text or json.") var logFormat: String = "text"
    @Flag(help: "Print the name and key as JSON.") var json = false

    func run() async throws {
        let logs = try logKey.flatMap { try Files.logPolicy($0).logs.map(\.key) }
        guard !logs.isEmpty else { throw ValidationError("Name at least one log with --log-key.") }
        let configuration = try configuration()
        do {
            let directory = try DataDirectory.open(data)
            let witness = try await WitnessServer(
                configuration: configuration, directory: directory, name: name, logs: logs)
            try await witness.run(logger: ServerLog.makeLogger(configuration)) { [json] port in
                defer { fflush(nil) }
                let key = String(decoding: witness.verifierKey.encoded(), as: UTF8.self)
                if json {
                    Output.print(
                        .members([
                            ("key", .text(key)), ("name", .string(witness.verifierKey.name)),
                            ("port", .integer(Int64(port))),
                        ]))
                } else {
                    Output.line("Witness on port \(port). Its verifier key, for log policies:\n\n  \(key)\n")
                }
            }
        } catch let error as ListenError {
            throw CommandError("The witness cannot start: \(error.words)")
        } catch let error as WitnessServer.StartError {
            throw CommandError(error.words)
        } catch let error as StorageError {
            throw CommandError("The witness cannot start: \(error).")
        }
    }

    /// The settings that a witness shares with the server, checked as the server's are.
    private func configuration() throws -> ServerConfiguration {
        let flags = [
            "data-directory": data, "host": host, "port": String(port), "tls-certificate": tlsCertificate,
            "tls-key": tlsKey, "log-level": logLevel, "log-format": logFormat,
            "trust-proxy": trustProxy ? "true" : nil,
        ]
        switch ServerConfiguration.read(flags: flags.compactMapValues(\.self), environment: [:], file: nil) {
        case .success(let configuration): return configuration
        case .failure(let mistakes): throw CommandError(mistakes.list.joined(separator: "\n"))
        }
    }
}

extension WitnessServer.StartError {
    /// What to do.
    fileprivate var words: String {
        switch self {
        case .renamed(let name):
            "this witness is called \(name), and its key's identity holds that name: leave out --name"
        case .forgetful:
            "the witness's key is here, but not its memory of what it has signed, so it could sign a second history. "
                + "Make a new witness, with another name, in an empty directory"
        case .unnamed: "a new witness needs a --name, such as witness.example.org/w1"
        case .badName: "a witness's name has 1 to 255 bytes, and neither spaces nor plus signs"
        }
    }
}
