import Testing

/// A rule that cannot fail protects nothing: each is shown something bad here, and something good that looks like it.
@Suite("The checkers see what they are there to see")
struct CheckerTests {
    struct Sample: Sendable, CustomTestStringConvertible {
        let path: String
        let text: String
        let reasons: [String]
        var testDescription: String { path + ": " + text.prefix(60) }
    }

    static let manifest: [String: Set<String>] = [
        "Encodings": [], "Documents": ["Encodings", "Certificates"], "Transparency": ["Encodings", "Documents"],
    ]

    @Test(arguments: [
        Sample(
            path: "Core/Sources/Encodings/A.swift",
            text: "import Foundation",
            reasons: ["Encodings of Core must not import Foundation"]
        ),
        Sample(
            path: "Core/Sources/Documents/A.swift",
            text: "public import Encodings\ninternal import struct Crypto.P256",
            reasons: ["Documents of Core must not import Crypto"]
        ),
        Sample(
            path: "Core/Sources/Transparency/A.swift",
            text: "@preconcurrency import Documents",
            reasons: ["Transparency of Core must not import Documents"]
        ),
        Sample(
            path: "Core/Sources/Documents/A.swift",
            text: "import EllipticCurves",
            reasons: ["Documents of Core must not import EllipticCurves"]
        ),
        Sample(
            path: "Core/Sources/Gadgets/A.swift",
            text: "",
            reasons: ["is in no target that the design names"]
        ),
        Sample(
            path: "Core/Sources/Documents/A.swift",
            text: "import Encodings // import Foundation\n/* import Crypto */",
            reasons: []
        ),
        Sample(
            path: "Core/Sources/Documents/A.swift",
            text: "let a = \"\"\"\nimport Foundation\n\"\"\"",
            reasons: []
        ),
    ])
    func coreImports(sample: Sample) {
        let source = SwiftSource(path: sample.path, text: sample.text)
        #expect(ImportRules.checkCore(source, manifest: Self.manifest).map(\.reason) == sample.reasons)
    }

    @Test(arguments: [
        Sample(
            path: "Sources/Server/A.swift",
            text: "import Wallet",
            reasons: ["Server must not import Wallet"]
        ),
        Sample(
            path: "Sources/Wallet/A.swift",
            text: "import Server",
            reasons: ["Wallet must not import Server"]
        ),
        Sample(
            path: "Sources/Interface/A.swift",
            text: "import Storage",
            reasons: ["Interface must not import Storage"]
        ),
        Sample(
            path: "Sources/Server/A.swift",
            text: "import GRDB\nimport Crypto",
            reasons: ["Server must not import GRDB", "Server must not import Crypto"]
        ),
        Sample(
            path: "Sources/countersign/A.swift",
            text: "import Server\nimport Wallet\nimport Foundation",
            reasons: []
        ),
    ])
    func rootImports(sample: Sample) {
        let source = SwiftSource(path: sample.path, text: sample.text)
        #expect(ImportRules.checkRoot(source).map(\.reason) == sample.reasons)
    }

    @Test(arguments: [
        Sample(path: "A.swift", text: "let a = try! b()", reasons: ["has try!"]),
        Sample(path: "A.swift", text: "let a = b as! C", reasons: ["has as!"]),
        Sample(path: "A.swift", text: "fatalError()", reasons: ["has fatalError("]),
        Sample(path: "A.swift", text: "let a = \"\\(try! b(\")\"))\"", reasons: ["has try!"]),
        Sample(path: "A.swift", text: "// TO" + "DO later", reasons: ["has TO" + "DO"]),
        Sample(
            path: "A.swift",
            text: String(repeating: "\n", count: 401),
            reasons: ["has 401 lines; it wants to be two ideas"]
        ),
        Sample(path: "A.swift", text: String(repeating: "\n", count: 400), reasons: []),
        Sample(path: "A.swift", text: "// never try! it\nlet a = #\"fatalError( \"as!\" \"#", reasons: []),
        Sample(
            path: "Sources/Server/A.swift",
            text: "let a = \"SELECT id FROM account\"",
            reasons: ["has SQL outside a store"]
        ),
        Sample(
            path: "Sources/Server/A.swift",
            text: "let a = \"\"\"\n  INSERT INTO \\(table) VALUES ($1)\n\"\"\"",
            reasons: ["has SQL outside a store"]
        ),
        Sample(path: "Sources/Server/AccountStore.swift", text: "let a = \"SELECT id FROM account\"", reasons: []),
        Sample(path: "Sources/Storage/A.swift", text: "let a = \"PRAGMA synchronous\"", reasons: []),
        Sample(path: "Sources/Server/Schema.swift", text: "let a = \"CREATE TABLE account (id TEXT)\"", reasons: []),
        Sample(
            path: "Sources/Server/PasskeySchema.swift",
            text: "let a = \"INSERT INTO new_account (id) SELECT id FROM account\"",
            reasons: []
        ),
        Sample(
            path: "Sources/Server/Schema.swift",
            text: "let a = \"INSERT INTO account (id) VALUES (1)\"",
            reasons: ["has SQL outside a store"]
        ),
        Sample(
            path: "Sources/Server/Schema.swift",
            text: "let a = \"DELETE FROM account\"",
            reasons: ["has SQL outside a store"]
        ),
        Sample(
            path: "Sources/Server/A.swift",
            text: "let a = \"CREATE INDEX account_id ON account (id)\"",
            reasons: ["has SQL outside a store"]
        ),
        Sample(path: "Sources/Server/A.swift", text: "let a = \"Select a file from the list\"", reasons: []),
        Sample(
            path: "Sources/Server/Shell/Lists/A.swift",
            text: "let a = ResponseBody { writer in\nlet b = ResponseBody(contentLength: 2) { writer in",
            reasons: ["makes a body that is not stepwise", "makes a body that is not stepwise"]
        ),
        Sample(
            path: "Sources/Server/Vault/A.swift",
            text: "Response(status: .ok, body: .init(asyncSequence: pieces))",
            reasons: ["makes a body that is not stepwise"]
        ),
        Sample(
            path: "Sources/Server/A.swift",
            text: "func a() -> ResponseBody {\nlet c = ResponseBody.stepwise(on: loop) { writer in",
            reasons: []
        ),
        Sample(path: "Sources/Server/Shell/EventStream.swift", text: "let a = ResponseBody { writer in", reasons: []),
    ])
    func sourceText(sample: Sample) {
        let source = SwiftSource(path: sample.path, text: sample.text)
        #expect(SourceRules.check(source).map(\.reason) == sample.reasons)
    }

    static let strict = "let strict: [SwiftSetting] = [\(ManifestRules.settings.joined(separator: ", "))]\n"

    @Test(arguments: [
        Sample(path: "Package.swift", text: "let package = 1", reasons: ["has no list of strict settings"]),
        Sample(
            path: "Package.swift",
            text: "let strict: [SwiftSetting] = [.strictMemorySafety()]",
            reasons: ManifestRules.settings.filter { $0 != ".strictMemorySafety()" }
                .map { "the strict settings lack \($0)" }
        ),
        Sample(
            path: "Package.swift",
            text: strict + ".target(name: \"A\", dependencies: [.product(name: \"B\")])",
            reasons: ["a target has not the strict settings"]
        ),
        Sample(
            path: "Package.swift",
            text: strict + ".testTarget(name: \"ATests\"),\n.target(name: \"A\", swiftSettings: strict)",
            reasons: ["a target has not the strict settings"]
        ),
        Sample(
            path: "Package.swift",
            text: strict + ".systemLibrary(name: \"C\"), .executableTarget(name: \"A\", swiftSettings: strict)",
            reasons: []
        ),
    ])
    func manifests(sample: Sample) {
        #expect(ManifestRules.check(path: sample.path, text: sample.text).map(\.reason) == sample.reasons)
    }

    @Test("Test targets are read from both kinds of manifest")
    func testTargets() {
        #expect(ManifestRules.testTargets(in: ".testTarget(\n name: \"ATests\")") == ["ATests"])
        #expect(ManifestRules.testHelpers(in: ".target(name: \"B\",\n path: \"Tests/B\")") == ["B"])
        #expect(ManifestRules.testHelpers(in: ".target(name: \"B\", path: \"Sources/B\")") == [])
        let table = "[(\"A\", []), (\"B\", [\"A\"])]"
        #expect(ManifestRules.coreTargets(in: table) == ["A": [], "B": ["A"]])
        #expect(
            ManifestRules.testTargets(in: table + ".testTarget(name: \"\\($0.name)Tests\")") == ["ATests", "BTests"]
        )
    }

    @Test("A page that nobody links to is found, and a link that leads nowhere")
    func pages() {
        let readme = "See [a](docs/a.md#top), [web](https://example.org) and <img src=\"docs/gone.svg\">."
        #expect(
            DocumentRules.orphans(["docs/a.md", "docs/b.md"], entrances: [("README.md", readme)]).map(\.path)
                == ["docs/b.md"]
        )
        let known: Set<String> = ["README.md", "docs/a.md"]
        #expect(
            DocumentRules.broken(in: readme, page: "README.md", exists: known.contains).map(\.reason)
                == ["links to docs/gone.svg, which is not there"]
        )
        let named = "See `docs/a.md`, `docs/b.md` and `other/thing`."
        #expect(
            DocumentRules.unknownPaths(in: named, page: "README.md", exists: known.contains).map(\.reason)
                == ["names docs/b.md, which is not there"]
        )
        #expect(DocumentRules.broken(in: "[up](../README.md)", page: "docs/a.md", exists: known.contains) == [])
    }

    @Test("A command that does not exist is found")
    func commands() {
        let command = SwiftSource(
            path: "Sources/countersign/A.swift",
            text: """
                struct Verify: AsyncParsableCommand {}
                struct ShowLog: ParsableCommand { static let configuration = .init(commandName: "log") }
                """
        )
        let names = DocumentRules.subcommands(in: [command])
        #expect(names.isSuperset(of: ["verify", "show-log", "log"]))
        let page = "./nothing\n```\n$ ./run --demo\n./missing # it\ncountersign verify F\ncountersign fly\n```\n"
        let found = DocumentRules.unknown(in: page, page: "README.md", subcommands: names) { $0 == "run" }
        #expect(
            found.map(\.reason) == ["names ./missing, which is no program", "names the unknown command 'fly'"]
        )
        #expect(found.map(\.line) == [4, 6])
    }
}
