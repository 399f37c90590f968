import Encodings
import Foundation
import Glibc
import Testing

@testable import Wallet
@testable import countersign

/// The module in a real PAM stack: pamtester shows the code, a wallet of the command line scans it.
@Suite(
    "Signing in to a machine with a scan", .blocking, .serialized, .timeLimit(.minutes(15)),
    .enabled(if: PamMachine.isPossible && !ServerDatabase.isPostgres, "It \(PamMachine.needed)."))
struct PamModuleTests {
    @Test("the paired wallet signs its user in, and no other user; once removed, nobody")
    func users() async throws {
        let machine = try await PamMachine()
        let (own, foreign) = (try await machine.pair("root"), try await machine.pair("daemon"))
        try machine.strictService()
        let signed = try await machine.signIn("strict", "root", with: own)
        #expect(signed.tester == 0 && signed.wallet.status == 0, "\(signed)")
        // The wallet is paired with somebody else.
        let wrong = try await machine.signIn("strict", "root", with: foreign)
        #expect(wrong.tester != 0 && wrong.wallet.status == 1 && wrong.wallet.output.contains("rejected"), "\(wrong)")
        // A user without a wallet, and one that there is not, see the same code and the same refusal.
        for user in ["bin", "nobody-of-this-name"] {
            let refused = try await machine.signIn("strict", user, with: own)
            #expect(refused.tester != 0 && refused.wallet.status == 1, "\(refused)")
        }
        let listed = try ServerMachine.json(try machine.admin(["list"]))["items"]?.array
        #expect(listed?.compactMap { $0.text("user") } == ["root", "daemon"])
        let removed = try machine.admin(["remove", try #require(listed?[0].text("wallet"))])
        #expect(removed.status == 0, "\(removed)")
        #expect(try machine.admin(["remove", "root"]).status == 1)
        let revoked = try await machine.signIn("strict", "root", with: own)
        #expect(revoked.tester != 0 && revoked.wallet.status == 1, "\(revoked)")
        // Users without a wallet are passed over only if the settings say so.
        try machine.configure { $0.skipsUnpaired = true }
        try machine.service(
            "skipping", ["auth [user_unknown=ignore default=die] MODULE", "auth required pam_permit.so"])
        #expect(await (try machine.tester("skipping", "bin")).end() == 0)
        try await machine.waitForSilence()
    }

    @Test("a changed message signs nobody in")
    func tampered() async throws {
        let machine = try await PamMachine()
        let account = try await machine.pair("root")
        try machine.strictService()
        // Start, ServiceAuth and PicoAuth; and none, to see that the proxy is not the reason.
        for (message, isGood) in [(1, false), (2, false), (3, false), (9, true)] {
            let proxy = try LineProcess(
                Program.python, [PicoPlace.script("tampering"), machine.place.server.url, "\(message)"])
            let url = await proxy.line()
            try machine.configure { $0.channel = url }
            let outcome = try await machine.signIn("strict", "root", with: account)
            #expect((outcome.tester == 0) == isGood && (outcome.wallet.status == 0) == isGood, "\(outcome)")
            proxy.signal(SIGKILL)
        }
        try await machine.waitForSilence()
    }

    /// Nobody scans, and the user is refused after the code's time.
    ///
    /// The helper of a program that was killed ends.
    private static func late(_ machine: PamMachine) async throws {
        try machine.configure { $0.lifetime = 5 }
        // Refused is not the same as unavailable: here the next line would let everybody in.
        let tester = try machine.tester("falling", "root")
        _ = try await PamMachine.code(tester)
        #expect(await tester.end() != 0)
        try machine.configure { $0.lifetime = 300 }
        let killed = try machine.tester("falling", "root")
        _ = try await PamMachine.code(killed)
        // The helper of the first one may still be on its way out.
        try await PamMachine.wait("one helper") { machine.helpers.count == 1 }
        killed.signal(SIGKILL)
        try await machine.waitForSilence()
    }

    @Test(
        "a code that nobody scans is refused; a server that is down, and settings that others can change, leave it to the next line"
    )
    func unavailable() async throws {
        let machine = try await PamMachine()
        try await machine.pair("root")
        try machine.strictService()
        try machine.fallingService()
        try await Self.late(machine)
        func expectUnavailable(_ why: String) async throws {
            #expect(await (try machine.tester("strict", "root")).end() != 0, "\(why)")
            #expect(await (try machine.tester("falling", "root")).end() == 0, "\(why)")
        }
        // Where something is tried all the same, it does not take long to see that.
        try machine.configure { $0.lifetime = 5 }
        let channel = try machine.folder.configuration().channel
        try machine.configure { $0.channel = "http://127.0.0.1:1" }
        try await expectUnavailable("down")
        // Nobody is shown a code that leads nowhere.
        let silent = try machine.tester("strict", "root")
        #expect(await !silent.line().contains("Scan"))
        #expect(await silent.end() != 0)
        #expect(try silent.complaint().contains("cannot be reached. Sign in another way."))
        try machine.configure { $0.channel = channel }

        let folder = machine.folder
        for (path, mode, usual) in [
            (folder.usersFile, 0o640, 0o600), (folder.keyFile, 0o604, 0o600), (folder.configurationFile, 0o620, 0o600),
            (folder.path, 0o720, 0o700), (machine.root + "/etc", 0o757, 0o755),
        ] {
            try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
            try await expectUnavailable(path)
            #expect(try machine.admin(["check"]).status == 1, "\(path)")
            try FileManager.default.setAttributes([.posixPermissions: usual], ofItemAtPath: path)
        }
        let checked = try machine.admin(["check"])
        #expect(checked.status == 0, "\(checked)")
        // Half a users file lets nobody in, and a line that is none is not thrown away.
        let users = try String(contentsOfFile: folder.usersFile, encoding: .utf8)
        try AtomicFile.write(Bytes(text: users + "root:AAAA\n"), to: folder.usersFile)
        try await expectUnavailable("half a users file")
        #expect(try machine.admin(["remove", "root"]).status == 2)
        try await machine.waitForSilence()
    }

    @Test("a helper that is missing, unsafe, dead or hostile signs nobody in")
    func helpers() async throws {
        let machine = try await PamMachine(isConnected: false)
        // The time is long, so that what is refused is refused for what it is.
        func outcome(_ script: String?, mode: Int = 0o755, timeout: Int = 120) async throws -> Int32 {
            let program = try machine.helper(script, mode: mode)
            try machine.strictService(options: "program=\(program) timeout=\(timeout)")
            return await (try machine.tester("strict", "root")).end()
        }
        // What a good helper says, to see that the others are refused for what they are.
        #expect(try await outcome(#"printf 'R\000\001y'"#) == 0)
        #expect(try await outcome(nil) != 0)
        #expect(try await outcome(#"printf 'R\000\001y'"#, mode: 0o775) != 0)
        for bad in [
            "exit 0", "kill -9 $$", #"printf 'R\000'"#, #"printf 'R\000\001'"#, #"printf 'R\000\000'"#,
            #"printf 'R\000\002yy'"#, #"printf 'R\000\002ny'"#, #"printf 'R\000\001Y'"#, #"printf 'R\377\377y'"#,
            #"printf 'Y\000\001y'"#, #"printf 'R\000\021y../../../../etc/a'"#, #"printf 'C\000\002a\000R\000\001y'"#,
        ] {
            #expect(try await outcome(bad) != 0, "\(bad)")
        }
        #expect(try await outcome("exec sleep 60", timeout: 5) != 0)
    }

    @Test("an option that there is not leaves it to the next line")
    func options() async throws {
        let machine = try await PamMachine(isConnected: false)
        // It would let everybody in.
        let program = try machine.helper(#"printf 'R\000\001y'"#)
        for option in ["tmeout=5", "timeout=0", "prompt=yes"] {
            try machine.strictService(options: "program=\(program) \(option)")
            #expect(await (try machine.tester("strict", "root")).end() != 0, "\(option)")
            try machine.fallingService(options: option)
            #expect(await (try machine.tester("falling", "root")).end() == 0, "\(option)")
        }
    }

    @Test("the example for consoles never asks root")
    func console() async throws {
        let machine = try await PamMachine(isConnected: false)
        let program = try machine.helper(#"printf 'R\000\001y'"#)
        let example = Program.repository.appendingPathComponent("deploy/pam.d/login")
        let lines = try String(contentsOf: example, encoding: .utf8).split(separator: "\n").map(String.init)
        let sign = lines.filter { $0.hasPrefix("auth") }.map { $0.replacing("pam_countersign.so", with: "MODULE") }
        #expect(sign.count == 2)
        try machine.service("console", sign + ["auth required pam_deny.so"], options: "program=\(program)")
        #expect(await (try machine.tester("console", "daemon")).end() == 0)
        #expect(await (try machine.tester("console", "root")).end() != 0)
    }

    @Test("the parsers of the module read nothing that is not theirs")
    func parsers() async throws {
        let build = Program.repository.appendingPathComponent("scripts/build-pam").path
        let checked = try await Program.runAside(build, ["--check"])
        #expect(checked.status == 0, "\(checked)")
    }
}
