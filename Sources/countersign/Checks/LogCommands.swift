import ArgumentParser
import Encodings
import Foundation
import Transparency
import Wallet

/// `countersign log`.
struct LogCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "log", abstract: "Check the transparency log.",
        discussion: "  countersign log audit https://sign.example.edu --log-key log.vkey --state audit.json",
        subcommands: [LogAuditCommand.self, LogMonitorCommand.self, LogMineCommand.self])
}

/// `countersign log audit`.
struct LogAuditCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "audit", abstract: "Hash the whole log again, and compare with the last audit.",
        discussion: """
            Reads every entry and every tile, from a folder or from a server, and checks that they lead to the signed \
            checkpoint. With --state it also checks that the log still begins as it did at the last audit: run it \
            regularly. Exit codes: 0 clean, 1 not clean, 2 could not tell (without --log-key nobody vouches for \
            the checkpoint).

              countersign log audit ./data/log --log-key log.vkey
              countersign log audit https://sign.example.edu --log-key 'sign.example.edu/log+…' --state audit.json
            """)

    @Argument(help: "A folder with checkpoint and tile/, or a server's address.", completion: .file()) var place: String
    @Option(help: "The log's verifier key, or a file with it or with a log policy.", completion: .file())
    var logKey: String?
    @Option(help: "The file that keeps the last checkpoint from audit to audit.", completion: .file())
    var state: String?
    @OptionGroup var output: OutputOptions

    func run() async throws {
        let policy = try logKey.map(Files.logPolicy)
        var previous: Bytes?
        if let state, FileManager.default.fileExists(atPath: state) { previous = try Files.read(state) }
        let bar = ProgressBar(isShown: Terminal.isInteractive && !output.json)
        let report: AuditReport
        do {
            report = try await LogAudit(try LogFiles.at(place), policy: policy, previous: previous).run(
                progress: bar.show)
        } catch let fault as AuditFault {
            bar.clear()
            let opening = fault == .noCheckpoint ? "no log to check at \(place)" : "the log is not clean"
            throw CommandError("\(opening): \(fault.words)", isRefusal: fault != .noCheckpoint)
        }
        bar.clear()
        // A checkpoint that nobody vouched for must not become the one that later audits compare with.
        if let state, report.isSigned { try Files.write(report.note, to: state, force: true) }
        show(report)
        guard report.isSigned else { throw ExitCode(2) }
    }

    private func show(_ report: AuditReport) {
        guard !output.json else {
            return Output.print(
                .members([
                    ("clean", .bool(true)), ("foreign", .integer(Int64(report.foreign))),
                    ("origin", .string(report.checkpoint.origin)),
                    ("previous_size", report.previousSize.map { .integer(Int64($0)) } ?? .null),
                    ("root", .text(report.checkpoint.root.hex)), ("signed", .bool(report.isSigned)),
                    ("size", .integer(Int64(report.checkpoint.size))), ("tiles", .integer(Int64(report.tiles))),
                    ("types", .members(report.types.map { ($0.type, .integer(Int64($0.count))) })),
                ]))
        }
        Output.line(
            "\(report.checkpoint.origin.text): \(report.checkpoint.size) entries, root \(report.checkpoint.root.hex)")
        for (type, count) in report.types { Output.line("  \(type): \(count)") }
        if let size = report.previousSize { Output.line("continues the \(size) entries of the last audit") }
        if report.foreign > 0 { Output.line("  not of our format: \(report.foreign)") }
        if report.isSigned {
            Output.line(Terminal.styled("clean", .good))
        } else {
            Output.line(Terminal.styled("consistent, but nobody vouches for the checkpoint: give --log-key", .doubtful))
        }
    }
}

extension AuditFault {
    /// What is wrong.
    var words: String {
        switch self {
        case .noCheckpoint: "there is no checkpoint here"
        case .badCheckpoint(let error): "its checkpoint is refused (\(error))"
        case .missing(let path): "\(path) is missing"
        case .wrong(let path): "\(path) holds something else than the entries hash to"
        case .rewritten: "it does not begin as it did at the last audit: it was rewritten"
        case .wrongRoot(let error): "the entries do not lead to the signed root (\(error))"
        }
    }
}

/// How far a long work has come, on a terminal.
struct ProgressBar {
    let isShown: Bool

    func show(_ done: UInt64, _ all: UInt64) {
        guard isShown, all > 0 else { return }
        let filled = Int(done * 40 / all)
        let bar = String(repeating: "█", count: filled) + String(repeating: "░", count: 40 - filled)
        FileHandle.standardError.write(Data("\r\(bar) \(done) of \(all)".utf8))
    }

    func clear() {
        guard isShown else { return }
        FileHandle.standardError.write(Data("\r\u{1B}[K".utf8))
    }
}

/// `countersign wallet log`: the same as `countersign log mine`, where one looks for it.
struct WalletLogCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "log", abstract: "Check every log entry about you.",
        discussion: "  countersign wallet log")

    @OptionGroup var options: WalletOptions

    func run() async throws { try await LogMineCommand.show(options) }
}

/// `countersign log mine`.
struct LogMineCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "mine", abstract: "Check every log entry about you.",
        discussion: """
            Verifies the receipt of every entry against the pinned log key, and that the log continues the one that \
            this wallet saw last.

              countersign log mine
            """)

    @OptionGroup var options: WalletOptions

    func run() async throws { try await Self.show(options) }

    static func show(_ options: WalletOptions) async throws {
        let log = try await options.unlock().checkLog()
        guard !options.output.json else {
            return Output.print(
                .members([
                    (
                        "items",
                        .array(
                            log.acts.map {
                                .members([
                                    ("index", .integer($0.index)), ("receipt", .text($0.receipt)),
                                    ("time", .integer($0.time)), ("type", .text($0.type)),
                                ])
                            })
                    ), ("previous_size", .integer(Int64(log.previousSize))),
                    ("size", .integer(Int64(log.checkpoint.size))),
                ]))
        }
        Output.table(
            ["ENTRY", "WHEN", "WHAT"],
            log.acts.map { [String($0.index), Output.time($0.time), $0.type] })
        Output.line(
            (log.acts.count == 1 ? "The receipt verifies." : "All \(log.acts.count) receipts verify.")
                + " The log has \(log.checkpoint.size) entries"
                + (log.previousSize > 0 ? " and continues the \(log.previousSize) seen before." : "."))
    }
}
