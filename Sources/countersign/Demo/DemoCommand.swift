import ArgumentParser
import Foundation
import Wallet

/// `countersign demo`: the whole story through the real HTTP interface of a real server process.
struct DemoCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "demo", abstract: "Watch a degree being issued, verified and attacked.",
        discussion: """
            Starts a server process over a fresh directory and plays the whole story with one wallet for each person. \
            The wallets open with a passphrase that the demo chose itself: they protect nobody.

              countersign demo --keep ./kept    leaves what a third party would hold
              countersign demo --serve          leaves the server running, and says who can sign in
            """)

    @Flag(help: "Print one JSON object instead of a line for each step.") var json = false
    @Option(help: "Leave what a third party would hold in this folder.", completion: .directory) var keep: String?
    @Option(
        help: "The folder for server and wallets; it must be empty. A temporary one otherwise.", completion: .directory)
    var data: String?
    @Option(help: "An empty PostgreSQL database for the server, postgres://…; SQLite otherwise.") var database: String?
    @Option(help: "The server's port; a free one otherwise.") var port: Int?
    @Flag(help: "Leave the server running until Ctrl-C.") var serve = false

    func validate() throws {
        if let port, !(1...65_535).contains(port) { throw ValidationError("--port takes a number from 1 to 65535.") }
    }

    func run() async throws {
        let isTemporary = data == nil && !serve
        let folder = try emptyFolder()
        defer { if isTemporary { try? FileManager.default.removeItem(atPath: folder) } }
        let report = DemoReport(isQuiet: json)
        if !json {
            print(
                "All wallets of the demo open with the passphrase \"\(DemoCast.passphrase)\", which it chose itself.\n")
        }
        do {
            let ends = DemoEnds()
            defer { ends.cancel() }
            let server = try await start(report, folder: folder, ends)
            defer { server.stop() }
            try await play(report, server, folder: folder)
            try report.conclude(json: json)
            guard serve else { return }
            let bank = try await bank(beside: server, folder)
            defer { bank?.stop() }
            waitForEnd(server, bank, folder)
        } catch is DemoFailure {
            try report.conclude(json: json)
            throw ExitCode(1)
        }
    }

    private func start(_ report: DemoReport, folder: String, _ ends: DemoEnds) async throws -> DemoServer {
        try await report.step("A server process starts over an empty directory") {
            let server = try DemoServer(
                directory: folder + "/server", port: port ?? DemoServer.freePort(),
                settings: database.map { ["--database", $0] } ?? []
            ) { ends.stop($0) }
            return (server, server.url)
        }
    }

    private func play(_ report: DemoReport, _ server: DemoServer, folder: String) async throws {
        let cast = DemoCast(server: server, folder: folder)
        let story = DemoStory(cast: cast, report: report)
        let root = try await story.setUp()
        let delegation = try await story.delegate()
        try await story.signUp(DemoCast.student, rootFingerprint: root)
        try await story.identify(DemoCast.student, given: "Stella", family: "Student", number: "s1234567")
        let request = try await story.request()
        try await story.decline()
        let document = try await story.issue(request)
        try await story.open(document)
        let presentation = try await story.present(document)
        let trust = try await cast.unlock(DemoCast.student).trust()
        let employer = DemoEmployer(trust)
        try await story.verify(presentation, employer)
        try await story.share(presentation, of: document, employer)
        try await story.attack(presentation, employer)
        try await story.auditLog()
        if let keep {
            try DemoKeepsake(folder: keep).write(presentation, trust: trust, log: folder + "/server/log")
        }
        try await story.revokeAdministrator(delegation, document, employer)
        try await story.revokeDocument(document, presentation, employer)
        try await story.revokeDevice()
    }

    private func emptyFolder() throws -> String {
        let folder =
            data
            ?? FileManager.default.temporaryDirectory
            .appendingPathComponent("countersign-demo-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        guard try FileManager.default.contentsOfDirectory(atPath: folder).isEmpty else {
            throw ValidationError("\(folder) is not empty. The demo needs a folder of its own.")
        }
        return folder
    }

    /// The example bank, if it was built.
    private func bank(beside server: DemoServer, _ folder: String) async throws -> DemoBank? {
        guard let program = DemoBank.program else { return nil }
        let owner = try await DemoCast(server: server, folder: folder).unlock(DemoCast.owner)
        return try await DemoBank(program, beside: server, owner: owner, folder: folder)
    }

    private func waitForEnd(_ server: DemoServer, _ bank: DemoBank?, _ folder: String) {
        guard !json else { return server.wait() }
        print(
            """

            The server goes on at \(server.url). These can sign in, with the passphrase above:
            """)
        for person in [DemoCast.owner, DemoCast.registrar] {
            print("  countersign wallet sign-in --wallet \(folder)/\(person.username).wallet    (\(person.name))")
        }
        if let bank {
            print(
                """
                A bank that asks for approvals is at \(bank.url): sign in as ada with the password "purple", and choose
                "Approval in your wallet" under "Second factor".
                """)
        }
        print("Ctrl-C stops it.")
        fflush(nil)
        server.wait()
    }
}
