import ArgumentParser
import Certificates
import CryptoProvider
import Encodings
import Interface
import Transparency
import Verification
import Wallet

/// `countersign signatures verify`.
struct SignaturesVerifyCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify", abstract: "Check the report of a transaction, or its page. No network, no account.",
        discussion: """
            Trusts only the root certificate that you give. With the log's key or policy it also checks the receipt, \
            and with the signed file that it is the one. Exit codes: 0 it holds, 1 it does not, 2 could not tell.

            A page (report.html) is checked against its detached signature: that every byte is as the organisation signed \
            it. It has no receipt, and nothing to hold a document or picture against: report.json has.

              countersign signatures verify report.json --trust root.pem --log-key log.policy --document contract.pdf
              countersign signatures verify report.html --signature report.html.jws --trust root.pem
            """)

    @Argument(help: "The report, JSON; or the page, with --signature.", completion: .file()) var report: String
    @Option(help: "The organisation's root certificate, PEM.", completion: .file()) var trust: String
    @Option(help: "The detached signature of a page: report.html.jws.") var signature: String?
    @Option(help: "The log's verifier key, or a file with it or with a log policy.", completion: .file())
    var logKey: String?
    @Option(help: "The file that should have been signed.", completion: .file()) var document: String?
    @OptionGroup var output: OutputOptions

    func validate() throws {
        guard signature == nil || logKey == nil && document == nil else {
            throw ValidationError("--log-key and --document are for report.json: a page has no receipt")
        }
    }

    func run() throws {
        let (bytes, root) = (try Files.read(report), try Files.trustAnchor(trust))
        if let signature {
            // Any change to a page breaks its signature and is refused; only another report is told apart.
            guard bytes.first != UInt8(ascii: "{") else {
                throw CommandError("\(report) is not a page: leave out --signature, the report holds its own")
            }
            return try verify(page: bytes, signature: try Files.read(signature), root)
        }
        guard !SignedPage.isPage(bytes) else {
            throw CommandError("\(report) is a page: give its detached signature, --signature report.html.jws")
        }
        let (policy, signed) = (try logKey.map(Files.logPolicy), try document.map { try Files.read($0) })
        let checked: SigningReport
        do throws(SigningReportError) {
            checked = try SigningReport.verify(
                bytes, root: root, policy: policy, document: signed, now: systemTime(), suite: SwiftCryptoSuite())
        } catch {
            throw refusal("the report", error.words)
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
            [
                "client",
                PersonName(
                    givenName: Self.text(client?["given_name"]), familyName: Self.text(client?["family_name"])
                ).whole,
            ],
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
        if let device = comparison?["device"]?["sentence"] { rows.append(["device", Self.text(device)]) }
        if let time = checked.loggedAt { rows.append(["in the log", Output.time(time)]) }
        Output.table(["WHAT", ""], rows)
        if !unchecked.isEmpty { Output.line("not checked: \(unchecked.joined(separator: ", "))") }
    }

    private func verify(page: Bytes, signature: Bytes, _ root: TrustAnchor) throws {
        let checked: SignedPage
        do throws(SigningReportError) {
            checked = try SignedPage(
                page, signature: signature, root: root, now: systemTime(), suite: SwiftCryptoSuite())
        } catch {
            throw refusal("the page", error.pageWords)
        }
        guard !output.json else {
            return Output.print(
                .members([
                    ("made", .integer(checked.made)),
                    ("not_checked", .array(["log", "document", "drawing"].map { .text($0) })),
                    ("organisation", .string(root.organisation)), ("sha256", .text(checked.digest.base64URL)),
                    ("verdict", .text("valid")),
                ]))
        }
        Output.line("valid: these bytes are those that the organisation signed")
        Output.table(
            ["WHAT", ""],
            [
                ["organisation", root.organisation.shown], ["signed", Output.time(checked.made)],
                ["SHA-256", checked.digest.hex],
            ])
        Output.line(
            "not checked: that the log has the decision, and that document and picture are those that were signed; "
                + "report.json shows these")
    }

    /// The end of a check that says no.
    private func refusal(_ what: String, _ words: String) -> any Error {
        guard output.json else { return CommandError("\(what) does not hold: \(words)", isRefusal: true) }
        Output.print(.members([("reason", .text(words)), ("verdict", .text("not_valid"))]))
        return ExitCode(1)
    }

    private static func text(_ json: JSON?) -> String { (json?.string ?? []).shown }
}
