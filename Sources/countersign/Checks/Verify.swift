import ArgumentParser
import Certificates
import CryptoProvider
import Documents
import Encodings
import Foundation
import Transparency
import Verification
import Wallet

/// `countersign verify`: the whole check of a file, without a network unless somebody has agreed to one.
struct VerifyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify",
        abstract: "Check a file that somebody presented. No account, and no network without --live.",
        discussion: """
            Answers three questions: is it genuine, does it still hold, was it shown to you and lately? It trusts only \
            the root certificate that you give; nothing in the file can replace it. Say who you are, or a file that \
            was passed on looks as good as one for you. Exit codes: 0 three times yes, 1 one no, 2 one question is open.

            With --live it asks the issuer's server whether anything was revoked since. That server learns that somebody \
            checks, and not what or why. If it does not answer, the word in the file stands. With --live --remember it \
            always asks from then on; --no-live leaves it out once, and --no-live --remember for good.

              countersign verify ada.countersign --trust root.pem --audience hr@example.com
              countersign verify ada.countersign --trust root.pem --audience hr@example.com --nonce 8f3k --maximum-age 1
              countersign verify ada.countersign --trust root.pem --audience hr@example.com --live --document degree.pdf
            """)

    @Argument(help: "The file: *.countersign.", completion: .file()) var file: String
    @Option(help: "The organisation's root certificate, PEM.", completion: .file()) var trust: String
    @Option(
        help: "The log's verifier key, or a file with it or with a log policy. Without it receipts do not count.",
        completion: .file())
    var logKey: String?
    @Option(help: "Your name, as the holder wrote it: the file must have been made for it.") var audience: String?
    @Flag(help: "Accept a file made for anybody.") var anyAudience = false
    @Option(help: "The nonce that you gave: it shows that the file was made in answer to you.") var nonce: String?
    @Option(help: "Check as of this time: seconds since 1970, YYYY-MM-DD or YYYY-MM-DDThh:mm:ssZ. Default: now.")
    var at: String?
    @Option(help: "How old the file may be, in whole hours, 0 to 876600. Default: as its holder chose, often 30 days.")
    var maximumAge: Int?
    @Option(help: "A fresh status list token, fetched by you; may be repeated.", completion: .file())
    var status: [String] = []
    @Flag(
        inversion: .prefixedNo, help: "Ask the issuer's server for the status of now. It learns that somebody checks.")
    var live: Bool?
    @Flag(help: "Do as --live or --no-live says from now on.") var remember = false
    @Option(help: "A PDF or picture beside the file: is it the document that was signed?", completion: .file())
    var document: String?
    @Flag(help: "Refuse a file without its document.") var requireDocument = false
    @Option(
        help: "Write the document and the parts of a file that is not refused into this folder.", completion: .directory
    )
    var extract: String?
    @OptionGroup var output: OutputOptions

    /// A hundred years: more than anybody asks for, and far from where hours in seconds leave 64 bits.
    private static let greatestAge = 876_600

    func validate() throws {
        guard (0...Self.greatestAge).contains(maximumAge ?? 0) else {
            throw ValidationError("--maximum-age is 0 to \(Self.greatestAge) hours")
        }
        guard audience == nil || !anyAudience else {
            throw ValidationError("--audience and --any-audience exclude each other")
        }
        guard !remember || live != nil else { throw ValidationError("--remember goes with --live or --no-live") }
        guard live != true || at == nil && status.isEmpty else {
            throw ValidationError("--live asks for the status of now: leave out --at and --status")
        }
    }

    func run() async throws {
        let bytes = try Files.read(file)
        let root = try Files.trustAnchor(trust)
        var options = try options()
        if let live, remember { try LiveConsent().remember(live) }
        // As of another time, or with tokens that somebody has fetched, the status of now is not asked for.
        if live ?? (at == nil && status.isEmpty && LiveConsent().isGiven) {
            options.liveStatus = await liveStatus(LiveStatus(bytes, root: root))
        }
        let report = Verifier(root: root, policy: try policy(), suite: SwiftCryptoSuite()).verify(
            bytes, options: options)
        let beside = try document.map { try DocumentBeside(path: $0, report: report) }
        if output.json {
            Output.print(report.json(beside))
        } else {
            ReportView(report, beside: beside).show()
        }
        if let extract, report.verdict != .notValid {
            let parts = try Extraction(bytes).write(to: extract)
            if !output.json { parts.forEach { Output.line("wrote \($0)") } }
        }
        let code = beside?.exitCode(report.verdict) ?? report.verdict.exitCode
        guard code == 0 else { throw ExitCode(code) }
    }

    /// The server's present status; nothing when it does not answer, and then the file's own status counts.
    private func liveStatus(_ status: LiveStatus) async -> [Bytes] {
        guard !status.paths.isEmpty else {
            Terminal.note("--live: this file names no status list of the organisation that you trust.")
            return []
        }
        do {
            return try await status.fetch()
        } catch {
            Terminal.note("--live: the issuer's server does not answer; the file's own status counts. Try again later.")
            return []
        }
    }

    private func policy() throws -> LogPolicy? { try logKey.map(Files.logPolicy) }

    private func options() throws -> VerificationOptions {
        let tokens = try status.map { path in
            let bytes = try Files.read(path)
            let token = bytes.last == 0x0A ? Array(bytes.dropLast()) : bytes
            // A mistaken file must not look like a live check that was passed.
            guard (try? UnverifiedStatusListToken.parse(token)) != nil else {
                throw CommandError("'\(path)' is not a status list token")
            }
            return token
        }
        return VerificationOptions(
            time: try at.map(TimeText.parse) ?? systemTime(), audience: audience.map { Bytes(text: $0) },
            acceptsAnyAudience: anyAudience, nonce: nonce.map { Bytes(text: $0) },
            maximumAge: maximumAge.map { Int64($0) * 3_600 },
            requiresDocument: requireDocument, liveStatus: tokens)
    }
}

/// Times as people type them.
enum TimeText {
    /// Reads seconds since 1970, a day in UTC, or a day and a time in UTC.
    static func parse(_ text: String) throws -> Int64 {
        if let seconds = parseDecimal(Bytes(text: text)), seconds <= UInt64(JSON.safeInteger) { return Int64(seconds) }
        let day = Date.ISO8601FormatStyle(timeZone: .gmt).year().month().day()
        let isDay = text.utf8.count == 10
        if let date = (try? Date(text, strategy: .iso8601)) ?? (isDay ? try? Date(text, strategy: day) : nil),
            // A year may have more digits than seconds have room for.
            abs(date.timeIntervalSince1970) <= Double(JSON.safeInteger)
        {
            return Int64(date.timeIntervalSince1970)
        }
        throw CommandError("'\(text)' is not a time: give seconds since 1970, YYYY-MM-DD or YYYY-MM-DDThh:mm:ssZ")
    }
}

/// Writes what is in a bundle as files that other programs read.
struct Extraction {
    private let bundle: PresentationBundle

    init(_ bytes: Bytes) throws { bundle = try PresentationBundle.parse(bytes) }

    /// - Returns: the files.
    func write(to folder: String) throws -> [String] {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        var parts: [(String, Bytes)] = [("presentation.sd-jwt", bundle.presentation)]
        let chain = try UnverifiedSDJWT.parse(bundle.presentation).certificates()
        parts.append(("chain.pem", chain.flatMap { PEM.encode($0) }))
        if let receipt = bundle.receipt { parts.append(("receipt.tlog-proof", receipt)) }
        for (index, token) in bundle.status.enumerated() { parts.append(("status-list-\(index + 1).jwt", token)) }
        if let document = bundle.document {
            // A document that calls itself like one of the parts does not replace it.
            let name = document.name.text
            let isTaken = parts.contains { $0.0 == name } || name.hasPrefix(".")
            parts.append((isTaken ? "document-" + name : name, document.content))
        }
        return try parts.map { name, bytes in
            let path = "\(folder)/\(name)"
            guard !FileManager.default.fileExists(atPath: path) else {
                throw CommandError("\(path) exists already; give --extract another folder")
            }
            try Files.write(bytes, to: path, force: nil, option: "--extract")
            return path
        }
    }
}
