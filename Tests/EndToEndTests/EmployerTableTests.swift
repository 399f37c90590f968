import Encodings
import Foundation
import Testing

/// The table of docs/documents.md, as the command line answers: the files are those of `VerificationTests`.
@Suite("A file that was shown to an employer, on the command line", .blocking, .timeLimit(.minutes(15)))
struct EmployerTableTests {
    /// Files on a disk as an employer has them, and what they ask.
    private struct Desk {
        let folder: TemporaryFolder
        let cases: [JSON]
        private let texts: [Bytes]

        init() throws {
            folder = try TemporaryFolder()
            let fixtures = Program.repository.appendingPathComponent(
                "Core/Tests/VerificationTests/Fixtures/forgeries.json")
            let json = try JSON.parse(Bytes(Data(contentsOf: fixtures)), maximumLength: 1 << 22)
            cases = try #require(json["employer"]?.array)
            texts = try #require(json["texts"]?.array).compactMap(\.string)
            let root = try #require(json["root"]?.string.flatMap { Base64.decode($0, .url) })
            let pem = Data(root).base64EncodedString(options: [.lineLength64Characters, .endLineWithLineFeed])
            try write(
                Bytes(text: "-----BEGIN CERTIFICATE-----\n\(pem)\n-----END CERTIFICATE-----\n"), "root.pem")
            try write(try #require(json["log"]?.string) + [0x0A], "log.vkey")
        }

        func write(_ bytes: Bytes, _ name: String) throws {
            try Data(bytes).write(to: URL(fileURLWithPath: folder.path(name)))
        }

        func text(_ index: JSON?) throws -> Bytes { texts[Int(try #require(index?.integer))] }

        /// Writes the file of a case; what is asked of it, as flags.
        func arguments(_ item: JSON) throws -> [String] {
            let bundle = try #require(item["bundle"])
            let document = try #require(bundle["document"])
            let members = JSON.members([
                (
                    "document",
                    .members([
                        ("content", .string(try text(document["content"]))),
                        ("media_type", .string(try text(document["media_type"]))),
                        ("name", .string(try text(document["name"]))),
                    ])
                ), ("format", .text("countersign-presentation-v1")),
                ("presentation", .string(try text(bundle["presentation"]))),
                ("receipt", .string(try text(bundle["receipt"]))),
                ("status", .array(try #require(bundle["status"]?.array).map { .string(try text($0)) })),
            ])
            try write(members.serialized(), "degree.countersign")
            var flags = [
                "verify", folder.path("degree.countersign"), "--trust", folder.path("root.pem"), "--log-key",
                folder.path("log.vkey"), "--audience", string(try #require(item["audience"]?.string)), "--at",
                "\(try #require(item["now"]?.integer))",
            ]
            for (index, token) in try #require(item["live"]?.array).enumerated() {
                try write(try text(token), "live-\(index)")
                flags += ["--status", folder.path("live-\(index)")]
            }
            return flags
        }

        private func string(_ bytes: Bytes) -> String { String(decoding: bytes, as: UTF8.self) }
    }

    /// The answers to programs and the last line for people, which must say the same as the exit code.
    private static func told(_ flags: [String]) throws -> (cell: String, last: String) {
        let plain = try Program.run(Program.countersign, flags)
        let answered = try Program.run(Program.countersign, flags + ["--json"])
        #expect(answered.status == plain.status)
        let json = try JSON.parse(Bytes(text: answered.output.trimmingCharacters(in: .newlines)))
        let answers = try #require(json["answers"]?.array).map { one in
            String(decoding: one["answer"]?.string ?? [], as: UTF8.self)
        }
        let last = plain.output.split(separator: "\n").last.map(String.init) ?? ""
        return ("\(answers.joined(separator: ", ")) (\(plain.status))", last)
    }

    @Test("gets the answers that the documentation promises, in exit code, last line and JSON")
    func table() throws {
        let desk = try Desk()
        var rows: [(key: String, cells: [String])] = []
        for item in desk.cases {
            let (cell, last) = try Self.told(try desk.arguments(item))
            let words = ["(0)": "VALID", "(1)": "NOT VALID: ", "(2)": "COULD NOT TELL: "]
            #expect(last.hasPrefix(words[String(cell.suffix(3))] ?? "nothing"), "\(cell): \(last)")
            let name = String(decoding: try #require(item["name"]?.string), as: UTF8.self)
            let parts = name.components(separatedBy: "; ")
            let key = "\(parts[0]) | \(parts[1].dropFirst(4))"
            if rows.last?.key != key { rows.append((key, [])) }
            rows[rows.count - 1].cells.append(cell)
        }
        #expect(rows.count == 12)
        let page = try String(
            contentsOf: Program.repository.appendingPathComponent("docs/documents.md"), encoding: .utf8)
        let promised = page.split(separator: "\n").map(String.init)
        for row in rows {
            #expect(promised.contains("| \(row.key) | \(row.cells.joined(separator: " | ")) |"), "\(row)")
        }
    }

    @Test("a stricter question: whoever it was shown to, how old it is, and in answer to what")
    func stricter() throws {
        let desk = try Desk()
        var flags = try desk.arguments(try #require(desk.cases.first))
        #expect(try Self.told(flags) == ("yes, yes, yes (0)", "VALID"))
        #expect(try Self.told(flags + ["--maximum-age", "1"]) == ("yes, yes, yes (0)", "VALID"))
        #expect(try Self.told(flags + ["--maximum-age", "0"]) == ("yes, yes, open (2)", "COULD NOT TELL: shown"))
        #expect(try Self.told(flags + ["--nonce", "another"]) == ("yes, yes, no (1)", "NOT VALID: shown"))
        let audience = try #require(flags.firstIndex(of: "--audience"))
        flags[audience + 1] = "https://bank.example"
        #expect(try Self.told(flags) == ("yes, yes, no (1)", "NOT VALID: shown"))
        flags.removeSubrange(audience...(audience + 1))
        #expect(try Self.told(flags) == ("yes, yes, open (2)", "COULD NOT TELL: shown"))
        #expect(try Self.told(flags + ["--any-audience"]) == ("yes, yes, yes (0)", "VALID"))
    }

    @Test("the file beside is recognised by its digest, and a changed one is not")
    func beside() throws {
        let desk = try Desk()
        let item = try #require(desk.cases.first)
        let flags = try desk.arguments(item)
        let encoded = try desk.text(item["bundle"]?["document"]?["content"])
        let content = try #require(Base64.decode(encoded, .url))
        try desk.write(content, "saved.pdf")
        try desk.write(content + [0x0A], "changed.pdf")
        let same = try Program.run(Program.countersign, flags + ["--document", desk.folder.path("saved.pdf")])
        #expect(same.status == 0 && same.output.contains("byte for byte"), "\(same)")
        let changed = flags + ["--document", desk.folder.path("changed.pdf")]
        #expect(try Self.told(changed) == ("yes, yes, yes (1)", "NOT VALID: document"))
        let json = try Program.run(Program.countersign, changed + ["--json"])
        #expect(json.output.contains(#""beside":{"name":"changed.pdf","result":"different"}"#), "\(json.output)")
        // By itself a PDF answers nothing, and the command says what to give instead.
        let alone = try Program.run(
            Program.countersign,
            ["verify", desk.folder.path("saved.pdf"), "--trust", desk.folder.path("root.pem"), "--any-audience"])
        #expect(alone.status == 2, "\(alone)")
        #expect(alone.output.contains("This is not a Countersign file.") && alone.output.contains("--document"))
    }

    @Test("live status is asked of the root's own server only, and without an answer the file's word stands")
    func live() throws {
        let desk = try Desk()
        let flags = try desk.arguments(try #require(desk.cases.first))
        let excluded = try Program.run(Program.countersign, flags + ["--live"])
        #expect(excluded.status == 2 && excluded.errors.contains("--live asks for the status of now"), "\(excluded)")
        let at = try #require(flags.firstIndex(of: "--at"))
        let now = Array(flags[..<at])
        // university.example is an address that nobody has (RFC 2606).
        let asked = try Program.run(Program.countersign, now + ["--live"])
        #expect(asked.errors.contains("does not answer"), "\(asked)")
        #expect(asked.output == (try Program.run(Program.countersign, now)).output)
    }

    @Test("who agrees once is asked for live status from then on, until they take it back")
    func consent() throws {
        let desk = try Desk()
        let all = try desk.arguments(try #require(desk.cases.first))
        let now = Array(all[..<(try #require(all.firstIndex(of: "--at")))])
        let kept = ["COUNTERSIGN_LIVE_CONSENT": desk.folder.path("consent/live-status")]
        func asks(_ flags: [String]) throws -> Bool {
            try Program.run(Program.countersign, flags, environment: kept).errors.contains("does not answer")
        }
        #expect(try !asks(now))
        #expect(try asks(now + ["--live"]))
        #expect(try !asks(now), "once is once")
        #expect(try asks(now + ["--live", "--remember"]))
        #expect(try asks(now))
        #expect(try !asks(now + ["--no-live"]))
        #expect(try !asks(all), "as of another time there is nothing to ask")
        #expect(try !asks(now + ["--no-live", "--remember"]))
        #expect(try !asks(now))
        let alone = try Program.run(Program.countersign, now + ["--remember"], environment: kept)
        #expect(alone.status == 2 && alone.errors.contains("--remember goes with"), "\(alone)")
    }
}
