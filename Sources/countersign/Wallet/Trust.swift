import ArgumentParser
import Certificates
import Encodings
import Transparency
import Wallet

/// `countersign wallet trust`: what this wallet has pinned, for verifiers to pin too.
struct TrustCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "trust", abstract: "Show or write the root certificate and log key that this wallet has pinned.",
        discussion: """
            A verifier needs both, once, and from the organisation itself: publish the fingerprint where people already \
            trust you, on paper or on your own website.

              countersign wallet trust --out root.pem --log-key-out log.vkey
              countersign verify degree.countersign --trust root.pem --log-key log.vkey
            """)

    @Option(help: "Write the root certificate to this file, PEM.", completion: .file()) var out: String?
    @Option(help: "Write the log's verifier key to this file.", completion: .file()) var logKeyOut: String?
    @Flag(help: "Write over files that are there.") var force = false
    @OptionGroup var options: WalletOptions

    func run() async throws {
        let trust = try await options.unlock().trust()
        let logKey = Bytes(text: trust.log)
        let root = PEM.encode(trust.root.certificate.der)
        if let out { try Files.write(root, to: out, force: force) }
        if let logKeyOut {
            try Files.write(
                logKey.last == 0x0A ? logKey : logKey + [0x0A], to: logKeyOut, force: force, option: "--log-key-out")
        }
        guard !options.output.json else {
            return Output.print(
                .members([
                    ("fingerprint", .text(trust.fingerprint)), ("log_key", .string(logKey)),
                    ("organisation", .string(trust.root.organisation)), ("root", .string(root)),
                ]))
        }
        Output.line("\(String(decoding: trust.root.organisation, as: UTF8.self))")
        Output.line("root fingerprint (SHA-256): \(trust.fingerprint)")
        Output.line("log key: \(String(decoding: logKey, as: UTF8.self))")
        if out == nil { Output.line("Write the certificate for verifiers with --out root.pem.") }
    }
}
