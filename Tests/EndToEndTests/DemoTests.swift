import Encodings
import Foundation
import Testing

/// The demo, and independent programs over what it leaves: `sd-jwt`, OpenSSL, Go's `x/mod/sumdb`.
@Suite("The degree, end to end", .blocking, .serialized)
struct DemoTests {
    /// Runs the demo once for all tests of this suite.
    private static let kept = Result { try Kept() }

    private struct Kept: Sendable {
        let folder: TemporaryFolder
        let outcome: Program.Outcome

        init() throws {
            folder = try TemporaryFolder()
            let database = try ServerDatabase()
            outcome = try Program.run(
                Program.countersign, ["demo", "--json", "--keep", folder.path("kept")] + database.flags)
        }

        func path(_ name: String) -> String { folder.path("kept/\(name)") }
    }

    /// The answers of a check to programs, to scripts and to people.
    private struct Told: Equatable {
        let status: Int32
        let answers: [String]
        let last: String

        init(_ status: Int32, _ answers: [String], _ last: String) {
            (self.status, self.answers, self.last) = (status, answers, last)
        }
    }

    private struct Summary: Decodable {
        struct Step: Decodable {
            let name: String
            let ok: Bool
            let ms: Double
        }
        let steps: [Step]
        let ok: Bool
    }

    @Test("every step of the demo is ok")
    func demo() throws {
        let kept = try Self.kept.get()
        let summary = try JSONDecoder().decode(Summary.self, from: Data(kept.outcome.output.utf8))
        #expect(summary.steps.filter { !$0.ok }.map(\.name) == [])
        #expect(summary.ok)
        #expect(summary.steps.count >= 20)
        #expect(kept.outcome.status == 0, "\(kept.outcome.errors)")
    }

    @Test("the command line verifies the file without a network, and refuses another audience, nonce and root")
    func verifyCommand() throws {
        let kept = try Self.kept.get()
        let audience = try kept.folder.text("kept/audience.txt").trimmingCharacters(in: .whitespacesAndNewlines)
        let nonce = try kept.folder.text("kept/nonce.txt").trimmingCharacters(in: .whitespacesAndNewlines)
        func verify(_ audience: String, _ nonce: String, root: String) throws -> Program.Outcome {
            try Program.run(
                Program.countersign,
                [
                    "verify", kept.path("bundle"), "--trust", root, "--log-key", kept.path("log.vkey"), "--audience",
                    audience, "--nonce", nonce, "--json",
                ])
        }
        let good = try verify(audience, nonce, root: kept.path("root.pem"))
        #expect(good.status == 0, "\(good.output)\(good.errors)")
        #expect(try verify("https://bank.example", nonce, root: kept.path("root.pem")).status == 1)
        #expect(try verify(audience, nonce + "x", root: kept.path("root.pem")).status == 1)
        let other = try Program.run(
            "openssl",
            [
                "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-subj",
                "/CN=Purple University Root/O=Purple University", "-keyout", kept.folder.path("other.key"), "-out",
                kept.folder.path("other.pem"),
            ])
        #expect(other.status == 0)
        #expect(try verify(audience, nonce, root: kept.folder.path("other.pem")).status != 0)
    }

    @Test("the command line answers three questions, and says by exit code and last line which is open")
    func threeAnswers() throws {
        let kept = try Self.kept.get()
        let audience = try kept.folder.text("kept/audience.txt").trimmingCharacters(in: .whitespacesAndNewlines)
        func verify(_ file: String, _ arguments: [String]) throws -> Told {
            let flags = [
                "verify", kept.path(file), "--trust", kept.path("root.pem"), "--log-key", kept.path("log.vkey"),
            ]
            let told = try Program.run(Program.countersign, flags + arguments)
            let json = try JSON.parse(
                Bytes(
                    text: try Program.run(Program.countersign, flags + arguments + ["--json"]).output
                        .trimmingCharacters(in: .newlines)))
            let answers = try #require(json["answers"]?.array).map { answer in
                String(decoding: answer["answer"]?.string ?? [], as: UTF8.self)
            }
            return Told(told.status, answers, told.output.split(separator: "\n").last.map(String.init) ?? "")
        }
        let yes = try verify("bundle", ["--audience", audience])
        #expect(yes == Told(0, ["yes", "yes", "yes"], "VALID"))
        // A verifier who gives no name never gets a yes: the file may have been passed on.
        let asked = try verify("bundle", [])
        #expect(asked == Told(2, ["yes", "yes", "open"], "COULD NOT TELL: shown"))
        let anybody = try verify("bundle", ["--any-audience"])
        #expect(anybody == Told(0, ["yes", "yes", "yes"], "VALID"))
        let other = try verify("bundle", ["--audience", "https://bank.example"])
        #expect(other == Told(1, ["yes", "yes", "no"], "NOT VALID: shown"))
        let later = "\(Int64(Date().timeIntervalSince1970) + 31 * 86_400)"
        let lapsed = try verify("bundle", ["--audience", audience, "--at", later])
        #expect(lapsed == Told(2, ["yes", "open", "open"], "COULD NOT TELL: holds, shown"))
        let plain = try verify("document.pdf", ["--audience", audience])
        #expect(plain == Told(2, ["open", "open", "open"], "COULD NOT TELL: genuine, holds, shown"))
        let both = try Program.run(
            Program.countersign,
            ["verify", kept.path("bundle"), "--trust", kept.path("root.pem"), "--audience", "a", "--any-audience"])
        #expect(both.status == 2, "\(both.errors)")
    }

    @Test("the sd-jwt package accepts our presentation with the leaf's key, and refuses another nonce")
    func independentPresentation() throws {
        let kept = try Self.kept.get()
        let script = Program.repository.appendingPathComponent("Tests/Interop/documents/check_presentation.py").path
        let outcome = try Program.run(Program.python, [script, kept.folder.path("kept")])
        #expect(outcome.status == 0, "\(outcome.output)\(outcome.errors)")
        #expect(outcome.output.contains("accepted: vct"))
        #expect(outcome.output.contains("refused another nonce"))
    }

    @Test("openssl verify -x509_strict accepts our chain")
    func independentChain() throws {
        let kept = try Self.kept.get()
        let outcome = try Program.run(
            "openssl",
            [
                "verify", "-x509_strict", "-CAfile", kept.path("root.pem"), "-untrusted", kept.path("chain.pem"),
                kept.path("chain.pem"),
            ])
        #expect(outcome.status == 0, "\(outcome.output)\(outcome.errors)")
        #expect(outcome.output.contains("OK"))
    }

    @Test("Go's tlog and note packages verify checkpoint, tiles, consistency and receipt")
    func independentLog() throws {
        let kept = try Self.kept.get()
        let source = Program.repository.appendingPathComponent("Tests/Interop/tlog").path
        let outcome = try Program.run(
            "go",
            [
                "run", "\(source)/main.go", "-log", kept.path("log"), "-vkey", kept.path("log.vkey"), "-receipt",
                kept.path("receipt.tlog-proof"),
            ],
            environment: ["GO111MODULE": "off", "GOPATH": "/usr/share/gocode", "GOFLAGS": ""])
        #expect(outcome.status == 0, "\(outcome.output)\(outcome.errors)")
    }

    @Test("log audit accepts the log and refuses it with one byte changed")
    func audit() throws {
        let kept = try Self.kept.get()
        let key = try kept.folder.text("kept/log.vkey").trimmingCharacters(in: .whitespacesAndNewlines)
        let arguments = ["log", "audit", kept.path("log"), "--log-key", key, "--state", kept.folder.path("state")]
        let good = try Program.run(Program.countersign, arguments)
        #expect(good.status == 0, "\(good.output)\(good.errors)")
        let bundle = try #require(
            FileManager.default.enumerator(atPath: kept.path("log/tile/entries"))?.compactMap { $0 as? String }
                .map { kept.path("log/tile/entries/\($0)") }
                .filter { (try? Data(contentsOf: URL(fileURLWithPath: $0))) != nil }
                .max { $0.count < $1.count || $0 < $1 })
        for file in FileManager.default.enumerator(atPath: kept.path("log/tile/entries"))?.allObjects ?? [] {
            guard let name = file as? String else { continue }
            let path = URL(fileURLWithPath: kept.path("log/tile/entries/\(name)"))
            guard var bytes = try? Data(contentsOf: path), bytes.count > 40 else { continue }
            bytes[bytes.startIndex + 40] ^= 1
            try bytes.write(to: path)
        }
        #expect(!bundle.isEmpty)
        let bad = try Program.run(Program.countersign, arguments)
        #expect(bad.status == 1, "\(bad.output)\(bad.errors)")
    }
}
