import ArgumentParser
import Encodings
import Foundation
import Interface
import Server
import Storage
import Transparency
import Wallet

/// `countersign admin doctor`.
struct DoctorCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor", abstract: "Look at a deployment, and say what is wrong and what to do.",
        discussion: """
            Runs beside the server, as its user, with its settings, and changes nothing. With --online it also asks \
            the public URL. Exit codes: 0 all is well, 1 something is wrong or ends soon, 2 something could not be checked.

              countersign admin doctor --data /srv/countersign
              countersign admin doctor --config /etc/countersign.json --online --json
            """)

    @OptionGroup var options: OperatorOptions
    @Option(help: "The address that everybody knows.") var publicURL: String?
    @Option(help: "The server's certificate chain, PEM.") var tlsCertificate: String?
    @Option(help: "The server's private key, PEM.") var tlsKey: String?
    @Flag(help: "Also ask the public URL.") var online = false

    func run() async throws {
        let settings = try options.settings([
            "public-url": publicURL, "tls-certificate": tlsCertificate, "tls-key": tlsKey,
        ])
        let deployment = Deployment(
            configuration: settings.configuration, place: settings.place, stores: try settings.storesAsTheyAre(),
            now: systemTime())
        var findings = await Doctor(deployment).run()
        if online { findings.append(await OnlineCheck(deployment: deployment).run()) }
        findings.append(Finding("version", .good, CountersignVersion.text))
        FindingsView(findings).show(json: options.output.json)
        if findings.contains(where: { $0.result == .bad || $0.result == .warning }) { throw ExitCode(1) }
        if findings.contains(where: { $0.result == .unknown }) { throw ExitCode(2) }
    }
}

/// Whether the public URL answers, and with the log that is here.
struct OnlineCheck {
    let deployment: Deployment

    func run() async -> Finding {
        do {
            guard let known = try await deployment.log() else {
                return Finding("online", .unknown, "the organisation is not set up yet", "set it up first")
            }
            let client = ServerClient(address: try ServerAddress(known.publicURL))
            _ = try await client.bytes("/healthz", limit: 1_024)
            guard let note = try await LogFiles.server(client).checkpoint(), deployment.accepts(note, after: known)
            else {
                return Finding(
                    "online", .bad, "\(known.publicURL) shows another log than the one here",
                    "find out which server answers there")
            }
            return Finding("online", .good, "\(known.publicURL) answers, and its log goes on from the one here")
        } catch {
            let words = (error as? WalletError)?.words ?? "\(error)"
            return Finding("online", .bad, words, "look at the server, the proxy, and the name in DNS")
        }
    }
}

/// Findings as a table with what to do below, or as JSON.
struct FindingsView {
    let findings: [Finding]

    init(_ findings: [Finding]) { self.findings = findings }

    func show(json: Bool) {
        guard !json else {
            let items = findings.map { finding in
                JSON.members([
                    ("advice", .text(finding.advice)), ("check", .text(finding.name)),
                    ("detail", .text(finding.detail)), ("result", .text(finding.result.rawValue)),
                ])
            }
            return Output.print(.members([("items", .array(items))]))
        }
        for finding in findings {
            let name = finding.name.padding(toLength: 13, withPad: " ", startingAt: 0)
            Output.line("\(Self.mark(finding.result))  \(name) \(Bytes(text: finding.detail).shown)")
            if !finding.advice.isEmpty { Output.line("   \(finding.advice)") }
        }
    }

    /// Signs on a terminal, words in a file.
    private static func mark(_ result: Finding.Result) -> String {
        guard Terminal.isInteractive else {
            return result.rawValue.padding(toLength: 8, withPad: " ", startingAt: 0)
        }
        return switch result {
        case .good: Terminal.styled("✓", .good)
        case .bad: Terminal.styled("✗", .bad)
        case .warning: Terminal.styled("!", .doubtful)
        case .unknown: Terminal.styled("?", .doubtful)
        }
    }
}
