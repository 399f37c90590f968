import Encodings
import Foundation
import Glibc
import Testing

@testable import Wallet
@testable import countersign

/// Sessions that are open only while the wallet answers.
@Suite(
    "A machine that stays open while the wallet answers", .blocking, .serialized, .timeLimit(.minutes(15)),
    .enabled(if: PamMachine.isPossible && !ServerDatabase.isPostgres, "It \(PamMachine.needed)."))
struct PamStayTests {
    /// A machine whose hooks write down what they are told, and whose session waits for a file to go away.
    private static func machine() async throws -> (machine: PamMachine, account: String) {
        let machine = try await PamMachine()
        let account = try await machine.pair("root")
        let root = machine.root
        try machine.configure {
            $0.continuous = true
            // A wallet is lost after twice that, and speaks every ten seconds: a busy machine may be late.
            $0.interval = 15
            $0.lock = ["/bin/sh", "-c", "echo locked {state} {session} >>\(root)/hooks"]
            $0.unlock = ["/bin/sh", "-c", "echo unlocked {state} {session} >>\(root)/hooks"]
        }
        // What somebody does in a session: here until the file "done" is there.
        try """
        [ $PAM_TYPE = close_session ] || : >\(root)/opened
        until [ $PAM_TYPE = close_session -o -e \(root)/done ]; do sleep 0.05; done
        """.write(toFile: root + "/work", atomically: true, encoding: .utf8)
        try machine.service(
            "desk",
            [
                "auth required MODULE", "account required pam_permit.so", "session requisite MODULE",
                "session optional pam_exec.so /bin/sh \(root)/work",
            ])
        return (machine, account)
    }

    private static func hooks(_ machine: PamMachine) -> [String] {
        let text = (try? String(contentsOfFile: machine.root + "/hooks", encoding: .utf8)) ?? ""
        return text.split(separator: "\n").map(String.init)
    }

    private static func sockets(_ machine: PamMachine) -> [String] {
        (try? FileManager.default.contentsOfDirectory(atPath: machine.folder.runFolder)) ?? []
    }

    /// Opens a session, and waits until the wallet has been heard and the helper has taken the session.
    ///
    /// The wallet is heard while pamtester is still on its way from the sign-in to the session.
    private static func open(
        _ machine: PamMachine, _ account: String, session: String
    ) async throws -> (tester: LineProcess, wallet: LineProcess) {
        let tester = try machine.tester(
            "desk", "root", ["authenticate", "open_session", "close_session"],
            environment: ["XDG_SESSION_ID=\(session)"])
        let code = try await PamMachine.code(tester)
        let wallet = try machine.place.start(["scan", code, "--yes", "--stay", "--account", account])
        #expect(try await wallet.json()["stays"] == .bool(true))
        #expect(try await wallet.json().text("state") == "active")
        try await PamMachine.wait("the session is open") {
            FileManager.default.fileExists(atPath: machine.root + "/opened")
        }
        return (tester, wallet)
    }

    private static func finish(_ machine: PamMachine) throws {
        try Data().write(to: URL(fileURLWithPath: machine.root + "/done"))
    }

    @Test("pause locks, going on unlocks, the end of the session ends the helper and tells the wallet")
    func pause() async throws {
        let (machine, account) = try await Self.machine()
        let (tester, wallet) = try await Self.open(machine, account, session: "c1")
        // The helper's session is open. It takes no other, of nobody else, and hands nothing over.
        let socket = machine.folder.runFolder + "/" + (try #require(Self.sockets(machine).first))
        for (user, verb) in [("root", "O"), ("daemon", "O"), ("root", "T"), ("daemon", "X"), ("root", "A")] {
            let frames = [(UInt8(0x75), user), (0x70, "\(getpid())"), (0x78, "c1"), (verb.utf8.first ?? 0, "")]
            #expect(try #require(PamSocket.ask(socket, frames)).word == Bytes(text: "n"), "\(user) \(verb)")
        }
        #expect(PamSocket.ask(socket, [(0x3F, "")]) == nil)
        try wallet.type("pause")
        try await PamMachine.wait("locked") { Self.hooks(machine) == ["locked paused c1"] }
        try wallet.type("continue")
        try await PamMachine.wait("unlocked") { Self.hooks(machine).last == "unlocked active c1" }
        try Self.finish(machine)
        #expect(await tester.end() == 0)
        #expect(await wallet.end() == 0)
        try await machine.waitForSilence()
        #expect(Self.sockets(machine).isEmpty)
        #expect(Self.hooks(machine) == ["locked paused c1", "unlocked active c1"])
    }

    @Test("a lost wallet locks for good, until its user signs in again on the lock screen and the session goes on")
    func lost() async throws {
        let (machine, account) = try await Self.machine()
        let (tester, wallet) = try await Self.open(machine, account, session: "c2")
        let names = Self.sockets(machine)
        wallet.signal(SIGKILL)
        try await PamMachine.wait("locked") { Self.hooks(machine) == ["locked lost c2"] }
        try machine.strictService("locker", options: "resume")
        let locker = try machine.tester("locker", "root", environment: ["XDG_SESSION_ID=c2"])
        let code = try await PamMachine.code(locker)
        let again = try machine.place.start(["scan", code, "--yes", "--stay", "--account", account])
        #expect(await locker.end() == 0)
        try await PamMachine.wait("unlocked") { Self.hooks(machine).last == "unlocked active c2" }
        _ = try await again.json()
        #expect(try await again.json().text("state") == "active")
        // The helper of the first sign-in has gone, and the next one is in its place: it answers at the same name.
        try await PamMachine.wait("one helper") { machine.helpers.count == 1 }
        #expect(Self.sockets(machine) == names)
        let place = machine.folder.runFolder + "/" + (try #require(names.first))
        #expect(PamSocket.ask(place, [(PamRequest.Verb.recheck.rawValue, "")])?.verb == .result)
        // The wallet is removed: it is refused from its next word on.
        #expect(try machine.admin(["remove", "root"]).status == 0)
        try await PamMachine.wait("locked") { Self.hooks(machine).last == "locked removed c2" }
        #expect(await again.end() == 0)
        try Self.finish(machine)
        #expect(await tester.end() == 0)
        try await machine.waitForSilence()
        #expect(Self.hooks(machine) == ["locked lost c2", "unlocked active c2", "locked removed c2"])
    }

    @Test("a session that nothing can lock is not opened; a program that was killed leaves no helper behind")
    func unlockable() async throws {
        let (machine, account) = try await Self.machine()
        let (tester, wallet) = try await Self.open(machine, account, session: "c3")
        tester.signal(SIGKILL)
        try await machine.waitForSilence()
        #expect(await wallet.end() == 0)
        #expect(Self.sockets(machine).isEmpty && Self.hooks(machine).isEmpty)
        // What the killed program had started ends too.
        try Self.finish(machine)

        // logind gave this session no name, so no program can lock it.
        let nameless = try machine.tester("desk", "root", ["authenticate", "open_session"])
        let code = try await PamMachine.code(nameless)
        let second = try machine.place.start(["scan", code, "--yes", "--stay", "--account", account])
        _ = try await second.json()
        #expect(await nameless.end() != 0)
        // Once: the wallet does not stay, and the session needs nothing.
        try machine.strictService("once", options: "once")
        let once = try machine.tester("once", "root", ["authenticate", "open_session", "close_session"])
        let third = try await machine.place.json(
            ["scan", try await PamMachine.code(once), "--yes", "--account", account])
        #expect(third["stays"] == .bool(false))
        #expect(await once.end() == 0)
        // The nameless session's helper would wait for a minute for somebody to open it.
        for helper in machine.helpers { _ = kill(helper, SIGKILL) }
        second.signal(SIGKILL)
    }
}
