import Foundation
import Testing

/// Checks the texts that people read for phrases that were given up: `scripts/check-words`.
@Suite("No phrase that was given up comes back", .serialized)
struct WordTests {
    let repository = Repository()

    /// The script's output about these files, or about everything, and its exit status.
    ///
    /// It takes seconds, so it is waited for on a thread of its own: all tests share few.
    private func check(_ files: [String] = []) async throws -> Outcome {
        let script = repository.root.appendingPathComponent("scripts/check-words")
        return try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread { continuation.resume(with: Result { try Self.run(script, files) }) }
        }
    }

    private struct Outcome: Sendable {
        let status: Int32
        let output: String
    }

    private static func run(_ program: URL, _ files: [String]) throws -> Outcome {
        let script = Process()
        let pipe = Pipe()
        script.executableURL = program
        script.arguments = files
        script.standardOutput = pipe
        script.standardError = pipe
        try script.run()
        let output = pipe.fileHandleForReading.readDataToEndOfFile()
        script.waitUntilExit()
        return Outcome(status: script.terminationStatus, output: String(decoding: output, as: UTF8.self))
    }

    /// The same about one made file.
    private func check(_ text: String, ending: String) async throws -> Outcome {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("words-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appendingPathComponent("made." + ending)
        try Data(text.utf8).write(to: file)
        return try await check([file.path])
    }

    @Test("Documents, pages and texts of the program have none")
    func everything() async throws {
        let checked = try await check()
        #expect(checked.status == 0, "\(checked.output)")
        // It has read all of it: the report has a line for each page.
        for page in repository.files(below: "docs", endings: [".md"]) + ["README.md", "SECURITY.md"] {
            #expect(checked.output.contains("  \(page)\n"), "\(page)")
        }
    }

    @Test(
        "The script sees one, and says what to write instead",
        arguments: [
            // Broken over lines, in a list, in capitals, in a page.
            ("md", "All of it, but\nfor one.", 1), ("md", "Nothing.\n\n- It Stands\n  In the log.", 3),
            ("mustache", "<p>Wipe this browser</p>", 1),
            // In texts of a program, of one line and of several.
            ("swift", "let a = 1\nlet b = \"begin anew\"", 2),
            ("swift", "let a = \"\"\"\n    one\n    in vain\n    \"\"\"", 3),
            ("js", "say(`It is done once more.`)", 1), ("js", "say('It is done',\n  'once more')", 2),
            // At the end alone.
            ("js", "say(t`Meanwhile it goes on.`)\nsay(t`It was used meanwhile.`)", 2),
            // In comments, of one line and of several, and behind code.
            ("swift", "let a = 1\n/// It is done\n/// once more.", 3), ("js", "/**\n * Begin anew.\n */", 2),
            ("js", "done();  \u{2F}/ in vain", 1), ("css", "/* Whoever reads. */", 1),
        ])
    func seen(ending: String, text: String, line: Int) async throws {
        let checked = try await check(text, ending: ending)
        #expect(checked.status == 1, "\(checked.output)")
        #expect(checked.output.contains("made.\(ending):\(line): \""), "\(checked.output)")
        #expect(checked.output.contains(": write "), "\(checked.output)")
    }

    @Test(
        "The script sees a sentence of a document that begins with a relative clause, and no question, title or label",
        arguments: [
            ("The page locks.\nWhat it showed goes.", 1), ("- Whoever reads it\n  learns it.", 1),
            ("It **goes on.** Who asks waits. What waits is refused.", 2), ("Who may read it? The owner.", 0),
            ("# What it does.\n\nWhat it does:\n\n- **What opens it.** A key.\n- It says \"what\".", 0),
            ("| What was sent waits. | x |\n\n```\nWhat waits is refused.\n```", 0),
        ])
    func relative(text: String, count: Int) async throws {
        let checked = try await check(text, ending: "md")
        #expect(checked.status == (count == 0 ? 0 : 1), "\(checked.output)")
        #expect(checked.output.components(separatedBy: ": say who does what").count - 1 == count, "\(checked.output)")
    }

    @Test(
        "The script leaves other words alone, and names of programs, and in comments the words of pages",
        arguments: [
            ("md", "Nobody but Forrest stands indoors; a standstill."),
            ("swift", "// Wipe this browser.\nlet anew = her(\"Begin again.\")  // my log"),
            ("js", "/** Settings of the desk. */\nconst she = 'they';"),
        ])
    func unseen(ending: String, text: String) async throws {
        let checked = try await check(text, ending: ending)
        #expect(checked.status == 0, "\(checked.output)")
    }
}
