import ArgumentParser
import Certificates
import CryptoProvider
import Encodings
import Transparency
import Verification
import Wallet

/// `countersign signatures verify`.
struct SignaturesVerifyCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify", abstract: "Check the report of a transaction. No network, no account.",
        discussion: """
            What you trust is the root certificate that you give. With the log's key or policy the receipt is checked \
            too, and with the signed file that it is the one. Exit codes: 0 it holds, 1 it does not, 2 could not be told.

              countersign signatures verify report.json --trust root.pem --log-key log.policy --document contract.pdf
            """)

    @Argument(help: "The report, JSON.") var report: String
    @Option(help: "The organisation's root certificate, PEM.") var trust: String
    @Option(help: "The log's verifier key, or a file with it or with a log policy.") var logKey: String?
    @Option(help: "The file that is said to have been signed.") var document: String?
    @OptionGroup var output: OutputOptions

    func run() throws {
        let (bytes, root) = (try Files.read(report), try Files.trustAnchor(trust))
        let (policy, signed) = (try logKey.map(Files.logPolicy), try document.map { try Files.read($0) })
        let checked: SigningReport
        do throws(SigningReportError) {
            checked = try SigningReport.verify(
                bytes, root: root, policy: policy, document: signed, now: systemTime(), suite: SwiftCryptoSuite())
        } catch {
            let words = error.words
            guard output.json else { throw CommandError("the report does not hold: \(words)", isRefusal: true) }
            Output.print(.members([("reason", .text(words)), ("verdict", .text("not_valid"))]))
            throw ExitCode(1)
        }
        let unchecked = (logKey == nil ? ["log"] : []) + (document == nil ? ["document"] : [])
        guard !output.json else {
            return Output.print(
                .members([
                    ("logged_at", checked.loggedAt.map { .integer($0) } ?? .null), ("made", .integer(checked.made)),
                    ("not_checked", .array(unchecked.map { .text($0) })), ("record", checked.record),
                    ("verdict", .text("valid")),
                ]))
        }
        let record = checked.record
        Output.line("valid: signed by the organisation, and not changed since")
        let (client, document, comparison) = (record["client"], record["document"], record["comparison"])
        var rows = [
            ["client", Self.text(client?["given_name"]) + " " + Self.text(client?["family_name"])],
            ["identity number", Self.text(client?["number"])], ["document", Self.text(document?["name"])],
            ["its SHA-256", Self.text(document?["sha256"])], ["decision", Self.text(record["decision"])],
            ["decided", record["decided_at"]?.integer.map(Output.time) ?? ""],
            ["operator", Self.text(record["operator"]?["name"])],
            [
                "score, threshold",
                [comparison?["score"], comparison?["threshold"]].map {
                    Fraction.text(Double($0?.integer ?? 0) / 1e6)
                }.joined(separator: ", "),
            ],
        ]
        if let time = checked.loggedAt { rows.append(["in the log", Output.time(time)]) }
        Output.table(["WHAT", ""], rows)
        if !unchecked.isEmpty { Output.line("not checked: \(unchecked.joined(separator: ", "))") }
    }

    private static func text(_ json: JSON?) -> String { (json?.string ?? []).shown }
}
