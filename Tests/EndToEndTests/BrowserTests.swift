import Foundation
import Testing

/// What scripts in `Tests/Browser` try in Chromium.
@Suite("In the browser", .serialized)
struct BrowserTests {
    /// Runs a script of `Tests/Browser` with the program that the build made, and the pages inside it.
    private func run(_ script: String) throws -> Program.Outcome {
        let path = Program.repository.appendingPathComponent("Tests/Browser/\(script)").path
        return try Program.run(Program.python, [path], environment: ["COUNTERSIGN": Program.countersign])
    }

    @Test("Core in WebAssembly answers as the native code does, under the policy of our pages")
    func webAssembly() throws {
        let outcome = try run("wasm_check.py")
        #expect(outcome.status == 0, "\(outcome.output)\(outcome.errors)")
        #expect(outcome.output.contains("all as native"))
    }

    @Test("People walk from set-up to a verified document and on, and what must hold of every page holds")
    func walk() throws {
        let outcome = try run("walk.py")
        #expect(outcome.status == 0, "\(outcome.output)\(outcome.errors)")
        #expect(outcome.output.contains("the whole walk held"))
    }
}
