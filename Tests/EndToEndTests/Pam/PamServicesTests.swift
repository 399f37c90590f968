import Encodings
import Foundation
import Glibc
import Testing

@testable import Wallet
@testable import countersign

/// The module where people meet it: in sshd and sudo.
@Suite(
    "Signing in with a scan at sshd and sudo", .serialized, .timeLimit(.minutes(5)),
    .enabled(
        if: PamMachine.hasServices && !ServerDatabase.isPostgres,
        "It needs root, openssh-server and sudo: scripts/install-dependencies test."))
struct PamServicesTests {
    private static let terminal = Program.repository.appendingPathComponent("Tests/Interop/pam_terminal.py").path

    /// Reads lines until one has a word in it.
    private static func lines(_ program: LineProcess, until word: String) async throws -> [String] {
        var lines: [String] = []
        while lines.last?.contains(word) != true {
            guard lines.suffix(4) != ["", "", "", ""] else {
                throw Program.Missing(description: "no '\(word)': \(lines) \(try program.complaint())")
            }
            lines.append(await program.line())
        }
        return lines
    }

    @Test("sshd on loopback lets the user of the wallet in; another wallet and no wallet stay outside")
    func sshd() async throws {
        let machine = try await PamMachine()
        let (own, foreign) = (try await machine.pair("root"), try await machine.pair("daemon"))
        let (root, port) = (machine.root, try DemoServer.freePort())
        try machine.configure {
            $0.continuous = true
            $0.interval = 1
            $0.lock = ["/bin/sh", "-c", "echo {state} {user} >>\(root)/hooks"]
            $0.unlock = $0.lock
        }
        try machine.service(
            "sshd", ["auth required MODULE", "account required pam_permit.so", "session required MODULE"])
        let key = try await Program.runAside("ssh-keygen", ["-q", "-t", "ed25519", "-N", "", "-f", root + "/host"])
        #expect(key.status == 0, "\(key)")
        let settings = """
            ListenAddress 127.0.0.1:\(port)
            HostKey \(root)/host
            UsePAM yes
            KbdInteractiveAuthentication yes
            PasswordAuthentication yes
            PubkeyAuthentication no
            PermitRootLogin yes
            StrictModes no
            PidFile none
            """
        try settings.write(toFile: root + "/sshd_config", atomically: true, encoding: .utf8)
        let sshd = try machine.start(
            ["/usr/sbin/sshd", "-D", "-e", "-f", root + "/sshd_config"], before: "mkdir -m 755 /run/sshd")
        try await PamMachine.wait("sshd listens") { try sshd.complaint().contains("Server listening") }
        func connect(_ command: String, method: String = "keyboard-interactive") throws -> LineProcess {
            try LineProcess(
                "/usr/bin/env",
                [
                    "LC_ALL=C.UTF-8", Program.python, Self.terminal, "ssh", "-F", "/dev/null", "-p", "\(port)",
                    "-o", "UserKnownHostsFile=\(root)/known", "-o", "StrictHostKeyChecking=no",
                    "-o", "PreferredAuthentications=\(method)", "-o", "NumberOfPasswordPrompts=1", "-o",
                    "LogLevel=ERROR",
                    "root@127.0.0.1", command,
                ])
        }

        let client = try connect("echo inside-$((40 + 2)) [${COUNTERSIGN_PAM_STAY-}]; cat; echo gone")
        let wallet = try machine.place.start(
            ["scan", try await PamMachine.code(client), "--yes", "--stay", "--account", own])
        #expect(try await wallet.json()["stays"] == .bool(true))
        try client.type("")
        let inside = try await Self.lines(client, until: "inside-42")
        // The name of the helper's socket is nothing for the user's programs.
        #expect(inside.last?.contains("inside-42 []") == true, "\(inside)")
        #expect(machine.helpers.count == 1)
        try wallet.type("pause")
        try await PamMachine.wait("locked") {
            (try? String(contentsOfFile: root + "/hooks", encoding: .utf8)) == "paused root\n"
        }
        // End of input ends the command, and with it the session.
        try client.type("\u{4}")
        #expect(await client.end() == 0)
        try await machine.waitForSilence()
        wallet.signal(SIGKILL)

        let wrong = try connect("true")
        let refused = try await machine.place.run(
            ["scan", try await PamMachine.code(wrong), "--yes", "--account", foreign])
        #expect(refused.status == 1)
        try wrong.type("")
        #expect(await wrong.end() == 255)
        // Somebody who has no wallet at hand: the stack has nothing else here.
        let other = try connect("true")
        _ = try await PamMachine.code(other)
        try other.type("p")
        #expect(await other.end() == 255)
        // sshd's own method for passwords can show no code: the module must not take the password for an answer.
        let password = try connect("true", method: "password")
        _ = try await Self.lines(password, until: "")
        try password.type("secret")
        #expect(await password.end() == 255)
        try await machine.waitForSilence()
        sshd.signal(SIGTERM)
    }

    @Test("sudo runs the command after a scan, and not after that of another wallet")
    func sudo() async throws {
        let machine = try await PamMachine()
        let (own, foreign) = (try await machine.pair("nobody"), try await machine.pair("daemon"))
        let root = machine.root
        try machine.service(
            "sudo", ["auth required MODULE", "account required pam_permit.so", "session required pam_permit.so"],
            options: "once")
        try "nobody ALL=(ALL) ALL\n".write(toFile: root + "/sudoers", atomically: true, encoding: .utf8)
        try FileManager.default.setAttributes([.posixPermissions: 0o440], ofItemAtPath: root + "/sudoers")
        func sudo() throws -> LineProcess {
            try machine.start(
                [
                    Program.python, Self.terminal, "setpriv", "--reuid=nobody", "--regid=nogroup", "--clear-groups",
                    "sudo", "-k", "sh", "-c", "echo $(id -un) for $SUDO_USER",
                ], before: "mount --bind \(root)/sudoers /etc/sudoers")
        }
        let first = try sudo()
        _ = try await machine.place.json(["scan", try await PamMachine.code(first), "--yes", "--account", own])
        let done = try await Self.lines(first, until: "root for nobody")
        #expect(done.last?.contains("root for nobody") == true)
        #expect(await first.end() == 0)
        let second = try sudo()
        let refused = try await machine.place.run(
            ["scan", try await PamMachine.code(second), "--yes", "--account", foreign])
        #expect(refused.status == 1)
        // sudo tries three times; nobody scans the second code.
        second.signal(SIGKILL)
        try await machine.waitForSilence()
    }
}
