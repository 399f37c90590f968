import ArgumentParser
import Encodings
import Foundation
import Interface
import Transparency
import Wallet

/// `countersign log monitor`.
struct LogMonitorCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "monitor", abstract: "Follow a log: read every new entry, and compare with what witnesses saw.",
        discussion: """
            Prints each new entry once; with --watch only those about these labels, which 'countersign log mine' \
            shows. With --witness it also fetches the checkpoint that a witness has signed last: two that contradict \
            each other prove two histories. Runs until stopped; with --once it looks once. Exit codes: 0 clean, 1 not \
            clean, 2 could not tell.

              countersign log monitor https://sign.example.edu --log-key policy.txt --state seen.txt \\
                  --witness https://witness.union.example --every 300
            """)

    @Argument(help: "A server's address, or a folder with checkpoint and tile/.", completion: .file()) var place: String
    @Option(help: "The log's verifier key, or a file with it or with a log policy.", completion: .file())
    var logKey: String
    @Option(help: "The file that keeps the last checkpoint from look to look.", completion: .file()) var state: String
    @Option(help: "Show only entries about this label, base64url; may be repeated.") var watch: [String] = []
    @Option(help: "A witness's address; may be repeated.") var witness: [String] = []
    @Option(help: "Seconds between two looks.") var every = 60
    @Flag(help: "Look once.") var once = false
    @OptionGroup var output: OutputOptions

    func validate() throws {
        guard (1...86_400).contains(every) else { throw ValidationError("--every takes 1 to 86400 seconds.") }
    }

    func run() async throws {
        let monitor = LogMonitor(try LogFiles.at(place), policy: try Files.logPolicy(logKey))
        let witnesses = try witness.map { try WitnessAddress($0) }
        repeat {
            do {
                try await look(monitor, witnesses)
            } catch let error where !once && Self.mayPass(error) {
                Terminal.note("\(Date().ISO8601Format()): \(Self.words(error)). Trying again in \(every) seconds")
            }
            if !once { try await Task.sleep(for: .seconds(every)) }
        } while !once
    }

    private func look(_ monitor: LogMonitor, _ witnesses: [WitnessAddress]) async throws {
        let last = FileManager.default.fileExists(atPath: state) ? try Files.read(state) : nil
        do {
            let newest = try await monitor.follow(from: last) { entry in
                if watch.isEmpty || entry.entry.map({ watch.contains($0.label.base64URL) }) == true { show(entry) }
            }
            for witness in witnesses {
                guard let note = try await witness.checkpoint(origin: newest.checkpoint.origin) else {
                    Terminal.note("\(witness.text) has not signed this log yet")
                    continue
                }
                let seen = try await monitor.compare(note, with: newest)
                if !output.json { Output.line("  \(witness.text) signed \(seen.size) entries of the same log") }
            }
            try Files.write(newest.note, to: state, force: true)
            show(newest)
        } catch let fault as AuditFault {
            let opening = fault == .noCheckpoint ? "no log to check at \(place)" : "the log is not clean"
            throw CommandError("\(opening): \(fault.words)", isRefusal: fault != .noCheckpoint)
        }
    }

    private func show(_ entry: MonitoredEntry) {
        let label = entry.entry?.label.base64URL ?? ""
        let type = entry.entry?.type.shown ?? "not of our format"
        guard output.json else {
            let time = entry.entry.map { Output.time($0.time) } ?? ""
            return Output.line("\(entry.index)  \(time)  \(type)  \(Terminal.styled(label, .faint))")
        }
        Output.print(
            .members([
                ("index", .integer(Int64(entry.index))), ("label", .text(label)),
                ("time", entry.entry.map { .integer($0.time) } ?? .null), ("type", .text(type)),
            ]))
    }

    private func show(_ newest: VerifiedCheckpoint) {
        defer { fflush(nil) }
        let (size, witnesses) = (newest.checkpoint.size, newest.witnesses.count)
        guard output.json else {
            return Output.line(
                "\(Terminal.styled("clean", .good)): \(newest.checkpoint.origin.shown) has \(size) entries"
                    + (witnesses > 0 ? ", signed by \(witnesses) of the policy's witnesses" : ""))
        }
        Output.print(
            .members([
                ("clean", .bool(true)), ("origin", .string(newest.checkpoint.origin)),
                ("size", .integer(Int64(size))), ("witnesses", .integer(Int64(witnesses))),
            ]))
    }

    /// Whether trying again may help: nobody answers.
    private static func mayPass(_ error: any Error) -> Bool {
        switch error {
        case WalletError.unreachable: true
        case let error as ProblemError: error.problem.status >= 500
        default: false
        }
    }

    private static func words(_ error: any Error) -> String {
        switch error {
        case let error as WalletError: error.words
        case let error as ProblemError: error.problem.title
        default: "\(error)"
        }
    }
}

/// A witness that is asked what it has signed.
private struct WitnessAddress {
    let text: String
    private let client: ServerClient

    init(_ text: String) throws {
        self.text = text
        client = ServerClient(address: try ServerAddress(text))
    }

    /// The newest checkpoint that it has signed for a log, or `nil` when there is none.
    func checkpoint(origin: Bytes) async throws -> Bytes? {
        let name = origin.text.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
        do {
            return try await client.bytes("/checkpoint?origin=\(name)", limit: SignedNote.maximumLength)
        } catch let error as ProblemError where error.problem.status == 404 {
            return nil
        }
    }
}
