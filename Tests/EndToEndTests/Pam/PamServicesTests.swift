import Encodings
import Foundation
import Glibc
import Testing

@testable import Wallet
@testable import countersign

/// The module where people meet it: in sshd and sudo.
@Suite(
    "Signing in with a scan at sshd and sudo", .serialized, .timeLimit(.minutes(15)),
    .enabled(
        if: PamMachine.hasServices && !ServerDatabase.isPostgres,
        "It needs root, openssh-server and sudo: scripts/install-dependencies test."))
struct PamServicesTests {
    private static let terminal = Program.repository.appendingPathComponent("Tests/Interop/terminal.py").path

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
            $0.interval = 15
            $0.lock = ["/bin/sh", "-c", "echo {state} {user} >>\(root)/hooks"]
            $0.unlock = $0.lock
        }
        try machine.fallingService("sshd")
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
            LoginGraceTime 0
            """
        try settings.write(toFile: root + "/sshd_config", atomically: true, encoding: .utf8)
        let sshd = try machine.start(
            ["/usr/sbin/sshd", "-D", "-e", "-f", root + "/sshd_config"], before: "mkdir -m 755 /run/sshd", closes: true)
        try await PamMachine.wait("sshd listens") { try sshd.complaint().contains("Server listening") }
        func words(_ command: String, method: String) -> [String] {
            [
                "-F", "/dev/null", "-p", "\(port)", "-o", "UserKnownHostsFile=\(root)/known", "-o",
                "StrictHostKeyChecking=no", "-o", "PreferredAuthentications=\(method)", "-o", "LogLevel=ERROR", "-o",
                "NumberOfPasswordPrompts=1", "root@127.0.0.1", command,
            ]
        }
        func connect(_ command: String) throws -> LineProcess {
            let words = words(command, method: "keyboard-interactive")
            return try LineProcess(
                "/usr/bin/env", ["LC_ALL=C.UTF-8", Program.python, Self.terminal, "ssh"] + words)
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
        // A paused wallet speaks seldom, and the helper waits half a minute for its next word.
        try wallet.type("continue")
        try await machine.waitForSilence()
        wallet.signal(SIGKILL)

        let wrong = try connect("true")
        let refused = try await machine.place.run(
            ["scan", try await PamMachine.code(wrong), "--yes", "--account", foreign])
        #expect(refused.status == 1)
        try wrong.type("")
        #expect(await wrong.end() == 255)
        // Somebody who has no wallet at hand: the next line decides, and here it lets everybody in.
        let other = try connect("true")
        _ = try await PamMachine.code(other)
        try other.type("p")
        #expect(await other.end() == 0)
        // sshd's own method for passwords can show no code. The module must neither wait nor take the password for an
        // answer.
        try "#!/bin/sh\necho secret\n".write(toFile: root + "/askpass", atomically: true, encoding: .utf8)
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: root + "/askpass")
        let password = try await Program.runAside(
            "ssh", words("true", method: "password"),
            environment: ["SSH_ASKPASS": root + "/askpass", "SSH_ASKPASS_REQUIRE": "force"])
        #expect(password.status == 0, "\(password)")
        try await machine.waitForSilence()
        sshd.signal(SIGKILL)
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
        // sudo asks again. Its terminal goes away, and it does not wait for a wallet.
        _ = try await PamMachine.code(second)
        second.signal(SIGKILL)
        try await machine.waitForSilence()
        // Ctrl-C goes on to the next line.
        try machine.service(
            "sudo",
            [
                "auth [success=done authinfo_unavail=ignore default=die] MODULE", "auth required pam_permit.so",
                "account required pam_permit.so", "session required pam_permit.so",
            ])
        let third = try sudo()
        _ = try await PamMachine.code(third)
        try third.type("\u{3}")
        _ = try await Self.lines(third, until: "root for nobody")
        #expect(await third.end() == 0)
        try await machine.waitForSilence()
    }
}
