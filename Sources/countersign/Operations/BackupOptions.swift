import ArgumentParser
import Encodings
import Foundation
import Server
import Transparency
import Wallet

/// How a backup is opened and what it is held against.
struct BackupCheckOptions: ParsableArguments {
    @Argument(help: "The backup.") var file: String
    @Option(
        help: "A file whose first line is the passphrase of a sealed backup; asked for when missing.",
        completion: .file())
    var passphraseFile: String?
    @Option(
        help: "The log's verifier key, or a file with it or with a log policy. Without it the backup's own counts.",
        completion: .file())
    var logKey: String?
    @Option(
        help: """
            The newest checkpoint that anybody has: a file (an auditor's --state is one), a folder with a copy of \
            /log, or a server's address.
            """, completion: .file())
    var newestCheckpoint: String?

    /// Reads the whole backup and checks it.
    func run(bar: ProgressBar) async throws -> (check: BackupCheck, report: BackupCheck.Report) {
        let policy = try logKey.map(Files.logPolicy)
        let newest = try await newestNote()
        let passphrase = try passphraseFile.map(Passphrases.firstLine)
        do {
            return try await check(passphrase, policy, newest, bar)
        } catch BackupError.needsPassphrase {
            return try await check(
                try Terminal.askHidden("Passphrase of the backup"), policy, newest, bar)
        }
    }

    private func check(
        _ passphrase: String?, _ policy: LogPolicy?, _ newest: Bytes?, _ bar: ProgressBar
    ) async throws -> (check: BackupCheck, report: BackupCheck.Report) {
        let size = (try? FileManager.default.attributesOfItem(atPath: file)[.size] as? UInt64) ?? 0
        let check = BackupCheck(path: file, passphrase: passphrase, policy: policy, newest: newest)
        defer { bar.clear() }
        let report = try await check.run { bar.show(UInt64($0), max(size, UInt64($0))) }
        return (check, report)
    }

    private func newestNote() async throws -> Bytes? {
        guard let newestCheckpoint else { return nil }
        var isFolder: ObjCBool = false
        let isThere = unsafe FileManager.default.fileExists(atPath: newestCheckpoint, isDirectory: &isFolder)
        if isThere, !isFolder.boolValue { return try Files.read(newestCheckpoint) }
        guard let note = try await LogFiles.at(newestCheckpoint).checkpoint() else {
            throw CommandError("there is no checkpoint at \(newestCheckpoint)")
        }
        return note
    }
}

/// What a backup holds, in words and as JSON.
struct BackupView {
    let about: BackupAbout
    let manifest: BackupManifest

    private var contents: BackupContents { manifest.contents }

    /// The members of a JSON answer.
    var members: [(String, JSON)] {
        [
            ("blobs", .integer(contents.blobs)), ("bytes", .integer(contents.bytes)),
            ("created", .integer(about.created)), ("engine", .text(about.engine)),
            ("gone", .integer(contents.gone.count)),
            ("gone_blobs", .array(contents.gone.first.map(JSON.text))),
            ("keys", .array(contents.keys.map(JSON.text))),
            (
                "log",
                .members([
                    ("forgotten", .integer(Int64(manifest.log.forgotten))), ("key", .text(about.logKey)),
                    ("root", .string(Hex.encode(manifest.log.root))), ("size", .integer(Int64(manifest.log.size))),
                    ("waiting", .integer(Int64(manifest.log.waiting))),
                ])
            ), ("missing", .integer(contents.missing.count)),
            ("missing_blobs", .array(contents.missing.first.map(JSON.text))),
            ("organisation", .text(about.organisation)), ("program", .text(about.program)),
            ("public_url", .text(about.publicURL)),
            ("tables", .members(manifest.tables.map { ($0.name, .integer($0.rows)) })),
        ]
    }

    /// Lines for a person.
    func show() {
        Output.line("\(about.organisation), \(about.publicURL), as of \(Output.time(about.created))")
        let rows = "\(manifest.tables.reduce(0) { $0 + $1.rows }) rows of \(manifest.tables.count) tables"
        Output.line("  \(rows) (read from \(about.engine)), \(contents.blobs) documents")
        Output.line(
            "  log: \(manifest.log.size) entries, root \(String(decoding: Hex.encode(manifest.log.root), as: UTF8.self))"
        )
        if contents.missing.count > 0 {
            Output.line(
                Terminal.styled(
                    "  \(contents.missing.count) sealed documents were missing already: countersign admin doctor", .bad)
            )
        }
        Output.line(
            contents.keys.isEmpty
                ? "  without the server's keys: keep the folder 'keys' of the data directory elsewhere"
                : Terminal.styled(
                    "  with the server's keys: anyone with the file can sign as the organisation", .strong)
        )
    }
}
