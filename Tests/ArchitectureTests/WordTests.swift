import Foundation
import Testing

/// Checks the texts that people read for phrases that were given up: `scripts/check-words`.
@Suite("No phrase that was given up comes back")
struct WordTests {
    let repository = Repository()

    /// The script's output about these files, or about everything, and its exit status.
    private func check(_ files: [String] = []) throws -> (status: Int32, output: String) {
        let script = Process()
        let pipe = Pipe()
        script.executableURL = repository.root.appendingPathComponent("scripts/check-words")
        script.arguments = files
        script.standardOutput = pipe
        script.standardError = pipe
        try script.run()
        let output = pipe.fileHandleForReading.readDataToEndOfFile()
        script.waitUntilExit()
        return (script.terminationStatus, String(decoding: output, as: UTF8.self))
    }

    /// The same about one made file.
    private func check(_ text: String, ending: String) throws -> (status: Int32, output: String) {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("words-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appendingPathComponent("made." + ending)
        try Data(text.utf8).write(to: file)
        return try check([file.path])
    }

    @Test("Documents, pages and texts of the program have none")
    func everything() throws {
        let checked = try check()
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
            // In comments, of one line and of several, and behind code.
            ("swift", "let a = 1\n/// It is done\n/// once more.", 3), ("js", "/**\n * Begin anew.\n */", 2),
            ("js", "done();  \u{2F}/ in vain", 1), ("css", "/* Whoever reads. */", 1),
        ])
    func seen(ending: String, text: String, line: Int) throws {
        let checked = try check(text, ending: ending)
        #expect(checked.status == 1, "\(checked.output)")
        #expect(checked.output.contains("made.\(ending):\(line): \""), "\(checked.output)")
        #expect(checked.output.contains(": write "), "\(checked.output)")
    }

    @Test(
        "The script leaves other words alone, and names of programs, and in comments the words of pages",
        arguments: [
            ("md", "Nobody but Forrest stands indoors; a standstill."),
            ("swift", "// Wipe this browser.\nlet anew = her(\"Begin again.\")  // my log"),
            ("js", "/** Settings of the desk. */\nconst she = 'they';"),
        ])
    func unseen(ending: String, text: String) throws {
        let checked = try check(text, ending: ending)
        #expect(checked.status == 0, "\(checked.output)")
    }
}
