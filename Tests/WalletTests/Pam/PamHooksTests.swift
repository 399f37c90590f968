import Foundation
import Glibc
import Testing

@testable import countersign

/// Programs that fail to lock a session.
@Suite("The PAM module's programs that lock", .timeLimit(.minutes(5)))
struct PamHooksTests {
    /// A process that stands for the one that opened a session, and programs that write down what they are told.
    private final class Stage {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("hooks-\(UUID().uuidString)")
        let owner = Process()
        let opened: PamStay.Opened

        init() throws {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
            owner.executableURL = URL(fileURLWithPath: "/bin/sleep")
            owner.arguments = ["600"]
            try owner.run()
            opened = PamStay.Opened(
                place: PamHook.Place(user: "ada", service: "sshd", terminal: "ssh", session: "c1"),
                owner: try #require(PamProcess(owner.processIdentifier)))
        }

        deinit {
            if owner.isRunning { _ = kill(owner.processIdentifier, SIGKILL) }
            try? FileManager.default.removeItem(at: folder)
        }

        /// - Parameter lock: what the program does after it has written, in a folder of its own.
        func hooks(lock: String) -> PamHooks {
            var configuration = PamConfiguration(name: "Desk 7", channel: "https://sign.example")
            func program(_ script: String) -> [String] {
                ["/bin/sh", "-c", "cd '\(folder.path)'; echo {state} >>told; \(script)"]
            }
            configuration.lock = program(lock)
            configuration.unlock = program("true")
            return PamHooks(configuration, pauses: [0, 0, 0])
        }

        /// The states that the programs were told.
        var told: [String] {
            let text = (try? String(contentsOf: folder.appendingPathComponent("told"), encoding: .utf8)) ?? ""
            return text.split(separator: "\n").map(String.init)
        }
    }

    @Test("one that fails is run again until it succeeds")
    func again() async throws {
        let stage = try Stage()
        let process = stage.owner.processIdentifier
        let hooks = stage.hooks(lock: "[ $(wc -l <told) -ge 3 ] && kill -KILL \(process)")
        hooks.follow(.lost, at: stage.opened)
        // Foundation's own waiting would keep one of the few threads that all tests share.
        while stage.owner.isRunning { try await Task.sleep(for: .milliseconds(10)) }
        hooks.wait()
        #expect(stage.told == ["lost", "lost", "lost"])
        #expect(stage.owner.terminationStatus == SIGKILL)
    }

    @Test("a session that nothing locks ends with the process that opened it", arguments: ["paused", "lost"])
    func never(state: String) async throws {
        let stage = try Stage()
        stage.hooks(lock: "false").follow(try #require(PamStay.Condition(rawValue: state)), at: stage.opened)
        // Foundation's own waiting would keep one of the few threads that all tests share.
        while stage.owner.isRunning { try await Task.sleep(for: .milliseconds(10)) }
        #expect(stage.told == Array(repeating: state, count: 4))
        // Where the tests' own parent holds SIGTERM back, which programs inherit, the second signal ends it.
        #expect(stage.owner.terminationReason == .uncaughtSignal)
        #expect([SIGTERM, SIGKILL].contains(stage.owner.terminationStatus))
    }

    @Test("what was asked for since is done instead, and nothing is ended")
    func superseded() throws {
        let stage = try Stage()
        let hooks = stage.hooks(lock: "until [ -e go ]; do sleep 0.01; done; false")
        hooks.follow(.paused, at: stage.opened)
        hooks.follow(.active, at: stage.opened)
        try Data().write(to: stage.folder.appendingPathComponent("go"))
        for _ in 0..<5 { hooks.wait() }
        #expect(stage.told == ["paused", "active"])
        // Another helper has the session now.
        let other = try Stage()
        let cancelled = other.hooks(lock: "until [ -e go ]; do sleep 0.01; done; false")
        cancelled.follow(.lost, at: other.opened)
        cancelled.cancel()
        try Data().write(to: other.folder.appendingPathComponent("go"))
        for _ in 0..<5 { cancelled.wait() }
        #expect(other.told == ["lost"])
        #expect(stage.owner.isRunning && other.owner.isRunning)
    }
}
