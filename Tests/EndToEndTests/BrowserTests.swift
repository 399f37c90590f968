import Foundation
import Testing

/// Runs the scripts in `Tests/Browser` in real browsers, each with its own server, three at a time.
///
/// Mostly they wait, as people do. With more of them, two cores are so busy that a page waits longer than a person
/// would.
@Suite("In the browser")
struct BrowserTests {
    private static let lanes = Lanes(3)

    /// Runs a script of `Tests/Browser` with the program that the build made, and the pages inside it.
    ///
    /// - Parameter isLong: it takes longer than most, and should not be alone at the end.
    func run(_ script: String, flags: [String] = [], isLong: Bool = false) async throws -> Program.Outcome {
        let path = Program.repository.appendingPathComponent("Tests/Browser/\(script)").path
        return try await Self.lanes.run(isNext: isLong) {
            let began = ContinuousClock.now
            let outcome = try await Program.runAside(
                Program.python, [path] + flags, environment: ["COUNTERSIGN": Program.countersign])
            // For the table at the end of `./test`: a test's own time also has what it waited for its turn.
            print("\(began.duration(to: .now).components.seconds) s  \(URL(fileURLWithPath: path).lastPathComponent)")
            return outcome
        }
    }

    @Test(
        "Core in WebAssembly answers as the native code does, under the policy of our pages",
        .enabled(if: !ServerDatabase.isPostgres, "It needs no server."))
    func webAssembly() async throws {
        let outcome = try await run("wasm_check.py")
        #expect(outcome.status == 0, "\(outcome.output)\(outcome.errors)")
        #expect(outcome.output.contains("all as native"))
    }

    @Test(
        "The page's reader of the vault's format opens all that the Swift code made",
        .enabled(if: !ServerDatabase.isPostgres, "It needs no server."))
    func vaultFormat() async throws {
        let outcome = try await run("vault_format.py")
        #expect(outcome.status == 0, "\(outcome.output)\(outcome.errors)")
        #expect(outcome.output.contains("opens every example"))
    }

    @Test("People walk from set-up to a verified document and on, and what must hold of every page holds")
    func walk() async throws {
        let database = try ServerDatabase()
        defer { withExtendedLifetime(database) {} }
        let outcome = try await run("walk.py", flags: database.flags, isLong: true)
        #expect(outcome.status == 0, "\(outcome.output)\(outcome.errors)")
        #expect(outcome.output.contains("the whole walk held"))
    }

    /// The same way from right to left, on phones, in the dark and without a mouse.
    ///
    /// All other ways take twenty minutes, so they run only on request (CONTRIBUTING, "Pages").
    @Test(
        "They walk to a verified document in Arabic, by keyboard",
        .enabled(if: !ServerDatabase.isPostgres, "It is about pages."))
    func arabicWalk() async throws {
        let flags = ["--language", "ar", "--keyboard", "--width", "390", "--scheme", "dark", "--degree"]
        let outcome = try await run("walk.py", flags: flags, isLong: true)
        #expect(outcome.status == 0, "\(outcome.output)\(outcome.errors)")
        #expect(outcome.output.contains("the whole walk held"))
    }

    @Test(
        "the first page of each section costs less than 70 kB, and stays where it is",
        .enabled(if: !ServerDatabase.isPostgres, "It is about pages."))
    func sizes() async throws {
        let outcome = try await run("../../scripts/page-sizes", isLong: true)
        #expect(outcome.status == 0, "\(outcome.output)\(outcome.errors)")
        #expect(outcome.output.contains("approvals") && outcome.output.contains("from area to area"))
    }

    /// Attacks, faults of a network and two tabs, less capable browsers, a log with witnesses, and the pad that people
    /// sign on.
    ///
    /// The desk, long lists, the ways between areas, codes in front of a camera, and the answers of a check on other
    /// days.
    @Test(
        "all cases of a script pass", .enabled(if: !ServerDatabase.isPostgres, "They are about pages."),
        // Those that take longest come first: none of them is alone at the end.
        arguments: [
            "vault_sharing.py", "faults.py", "vault_locks.py", "desk.py", "attacks.py", "verdicts.py", "vault.py",
            "pico.py", "vault_export.py", "approvals.py", "vault_away.py", "witnesses.py", "lists.py", "pico_backup.py",
            "vault_offline.py", "fallbacks.py", "names.py", "areas.py", "scanning.py", "vault_languages.py", "pad.py",
            "bank.py", "face.py", "handover.py", "languages.py", "air_gap.py", "vault_issued.py", "vault_canary.py",
            "vault_tasks.py", "notifications.py",
        ])
    func cases(_ script: String) async throws {
        let outcome = try await run(script)
        #expect(outcome.status == 0, "\(outcome.output)\(outcome.errors)")
        let counts = outcome.output.split(separator: "\n").compactMap { line -> (passed: Int, all: Int)? in
            let words = line.split(separator: " ")
            guard words.count > 4, words[1] == "of", words[3] == "cases" else { return nil }
            return Int(words[0]).flatMap { passed in Int(words[2]).map { (passed, $0) } }
        }
        // A script that tried nothing has shown nothing.
        #expect(counts.count == 1 && counts.allSatisfy { $0.passed == $0.all && $0.all > 3 })
    }
}

/// Lets so many through at once; the others wait in the order in which they came, unless one is to be next.
private actor Lanes {
    private var free: Int
    private var waiting: [CheckedContinuation<Void, Never>] = []

    init(_ count: Int) { free = count }

    func run<Result: Sendable>(
        isNext: Bool, _ work: @Sendable () async throws -> Result
    ) async rethrows -> Result {
        if free > 0 {
            free -= 1
        } else {
            await withCheckedContinuation { waiting.insert($0, at: isNext ? 0 : waiting.count) }
        }
        defer { if waiting.isEmpty { free += 1 } else { waiting.removeFirst().resume() } }
        return try await work()
    }
}
