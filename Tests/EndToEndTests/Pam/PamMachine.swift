import Encodings
import Foundation
import Glibc
import Testing

@testable import Wallet
@testable import countersign

/// A Linux machine with the PAM module, as far as a test may have one: programs see a folder of ours in place of
/// `/etc/pam.d`, and everything of the module is below a folder of its own.
///
/// The machine's own PAM is never touched.
final class PamMachine: Sendable {
    /// What the tests need beside the module.
    static let needed = "needs pamtester and libpam0g-dev: scripts/install-dependencies test"
    static let isPossible = ["/usr/bin/pamtester", "/usr/include/security/pam_modules.h"].allSatisfy {
        FileManager.default.fileExists(atPath: $0)
    }

    /// Whether sshd and sudo can be tried: they change to other users, which a user namespace with one user has not.
    static let hasServices =
        isPossible && geteuid() == 0
        && ["/usr/sbin/sshd", "/usr/bin/ssh", "/usr/bin/sudo"].allSatisfy {
            FileManager.default.isExecutableFile(atPath: $0)
        }

    /// Built once for all tests.
    private static let module = Result {
        let folder = try TemporaryFolder()
        let file = folder.path("pam_countersign.so")
        let built = try Program.run(Program.repository.appendingPathComponent("scripts/build-pam").path, [file])
        guard built.status == 0 else { throw Program.Missing(description: built.errors) }
        return (folder, file)
    }

    private let connected: PicoPlace?
    /// The module's root, whose path is short, because those of sockets have to be.
    let root: String
    private let module: String

    /// - Parameter isConnected: whether there are a server and a wallet, which take seconds to start.
    init(isConnected: Bool = true) async throws {
        connected = isConnected ? try await PicoPlace() : nil
        module = try Self.module.get().1
        root = FileManager.default.temporaryDirectory.path + "/p\(UInt32.random(in: 0...UInt32.max))"
        for folder in [root, root + "/pam.d"] {
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
            // Programs that run as other users have to get through.
            try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder)
        }
    }

    /// The server and the wallet.
    var place: PicoPlace { get throws { try #require(connected) } }

    deinit { try? FileManager.default.removeItem(atPath: root) }

    // MARK: Settings

    var folder: PamFolder { PamFolder(root: root) }

    /// Pairs the wallet for a user; returns the wallet's account.
    @discardableResult
    func pair(_ user: String, channel: String? = nil) async throws -> String {
        let first = folder.isConfigured ? [] : ["--channel", try channel ?? place.server.url, "--name", "Desk 7"]
        let pairing = try LineProcess(
            Program.countersign, ["admin", "pam", "pair", user, "--root", root, "--json"] + first)
        let code = try #require(try await pairing.json().text("code"))
        let paired = try await place.json(["scan", code, "--yes"])
        #expect(try await pairing.json()["paired"]?.text("user") == user)
        #expect(await pairing.end() == 0)
        // Twice the usual: between a code and its scan whole programs start. The module itself waits for 150 seconds.
        if !first.isEmpty { try configure { $0.lifetime = 120 } }
        return try #require(paired["paired"]?.text("id"))
    }

    /// Changes the settings.
    func configure(_ change: (inout PamConfiguration) -> Void) throws {
        var configuration = try folder.configuration()
        change(&configuration)
        try AtomicFile.write(configuration.file, to: folder.configurationFile)
    }

    /// Writes `/etc/pam.d/NAME`; in its lines MODULE is the module with its usual options.
    func service(_ name: String, _ lines: [String], options: String = "") throws {
        let module = "\(module) program=\(Program.countersign) root=\(root) \(options)"
        let text = lines.joined(separator: "\n").replacing("MODULE", with: module) + "\n"
        try text.write(toFile: root + "/pam.d/" + name, atomically: true, encoding: .utf8)
    }

    /// The module alone decides.
    func strictService(_ name: String = "strict", options: String = "") throws {
        try service(
            name,
            [
                "auth required MODULE", "account required pam_permit.so", "session required pam_permit.so",
                "session required MODULE",
            ],
            options: options)
    }

    /// Users whom the module cannot decide about come in; users whom it refuses do not.
    func fallingService(_ name: String = "falling", options: String = "") throws {
        try service(
            name,
            [
                "auth [success=done authinfo_unavail=ignore default=die] MODULE", "auth required pam_permit.so",
                "account required pam_permit.so", "session required pam_permit.so", "session optional MODULE",
            ], options: options)
    }

    func admin(_ arguments: [String]) throws -> Program.Outcome {
        try Program.run(Program.countersign, ["admin", "pam"] + arguments + ["--root", root, "--json"])
    }

    /// Reads as far as the verb.
    private static let listening = #"while [ "$(dd bs=1 count=1 2>/dev/null)" != A ]; do :; done"#

    /// A program in place of the helper, which listens until the module has said what it wants; without a script there is
    /// none.
    func helper(_ script: String?, mode: Int = 0o755) throws -> String {
        let program = root + "/helper"
        try? FileManager.default.removeItem(atPath: program)
        if let script {
            try "#!/bin/sh\n\(Self.listening)\n\(script)\n".write(toFile: program, atomically: true, encoding: .utf8)
            try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: program)
        }
        return program
    }

    // MARK: Programs

    /// Starts a program that sees our `/etc/pam.d`, and an empty `/run`.
    ///
    /// - Parameter closes: whether it closes what it does not know, as daemons do. Foundation would take that for its end,
    ///   so another process is in between.
    func start(_ words: [String], before: String = ":", closes: Bool = false) throws -> LineProcess {
        let script = """
            set -e
            mount --bind "$1/pam.d" /etc/pam.d
            mount -t tmpfs -o mode=755 tmpfs /run
            \(before)
            shift
            exec "$@"
            """
        let spaces = geteuid() == 0 ? ["--mount"] : ["--user", "--map-root-user", "--mount"]
        return try LineProcess(
            "/usr/bin/unshare", spaces + (closes ? ["--kill-child"] : []) + ["sh", "-c", script, "sh", root] + words)
    }

    /// Starts pamtester, whose words come line by line.
    func tester(
        _ service: String, _ user: String, _ acts: [String] = ["authenticate"], environment: [String] = []
    ) throws -> LineProcess {
        let settings = environment.flatMap { ["-E", $0] }
        return try start(["stdbuf", "-oL", "pamtester"] + settings + [service, user] + acts)
    }

    /// Reads lines until the code has been shown, and reads the blocks as a camera does.
    static func code(_ program: LineProcess) async throws -> String {
        var lines: [String] = []
        // An end reads as an empty line, again and again.
        while lines.suffix(4) != ["", "", "", ""] {
            let line = await program.line()
            if line.contains(#"{"sc":"#) {
                let text = try TerminalCode.read(lines)
                #expect(line.contains(text), "the text below the picture says something else")
                return text
            }
            lines.append(line)
        }
        throw Program.Missing(description: "no code: \(lines) \(try program.complaint())")
    }

    /// Signs a user in with an account of the wallet, and says what PAM said.
    func signIn(
        _ service: String, _ user: String, with account: String
    ) async throws -> (tester: Int32, wallet: Program.Outcome) {
        let tester = try tester(service, user)
        let code = try await Self.code(tester)
        let wallet = try await place.run(["scan", code, "--yes", "--account", account])
        return (await tester.end(), wallet)
    }

    // MARK: Helpers

    /// The helpers of this machine that run.
    var helpers: [Int32] {
        let processes = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
        return processes.compactMap { Int32($0) }.filter { process in
            let words = FileManager.default.contents(atPath: "/proc/\(process)/cmdline").map(Bytes.init) ?? []
            let text = words.text
            return text.contains("authenticate") && text.contains(root)
        }
    }

    /// Waits until something is so.
    ///
    /// A helper whose program was killed before it opened a session waits for one for a minute: longer than that.
    static func wait(_ what: String, until isSo: () async throws -> Bool) async throws {
        let end = ContinuousClock.now + .seconds(120)
        while try await !isSo() {
            guard ContinuousClock.now < end else { throw Program.Missing(description: "waited in vain: \(what)") }
            try await Task.sleep(for: .milliseconds(20))
        }
    }

    /// Waits until no helper is left.
    func waitForSilence() async throws { try await Self.wait("a helper goes on") { helpers.isEmpty } }
}
