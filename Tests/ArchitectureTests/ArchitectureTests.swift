import Foundation
import Testing

/// The rules of ARCHITECTURE.md and CONTRIBUTING.md, held against the whole repository.
@Suite("The house keeps its own rules")
struct ArchitectureTests {
    let repository = Repository()

    @Test("Every target of Core imports only what the design and its manifest allow")
    func coreImports() throws {
        let manifest = ManifestRules.coreTargets(in: try repository.text("Core/Package.swift"))
        let sources = try repository.sources(below: "Core/Sources")
        #expect(sources.count > 10)
        #expect(sources.flatMap { ImportRules.checkCore($0, manifest: manifest) } == [])
        for (target, imports) in manifest {
            #expect(imports.isSubset(of: ImportRules.allowedInCore(target) ?? []), "\(target) in Core/Package.swift")
        }
    }

    @Test("Server and wallet do not know each other, and each library has one owner")
    func rootImports() throws {
        let sources = try repository.sources(below: "Sources")
        #expect(sources.count > 5)
        #expect(sources.flatMap { ImportRules.checkRoot($0) } == [])
    }

    @Test("The example bank uses the SDK for services alone, and draws QR codes")
    func example() throws {
        let ours = ImportRules.coreTargets.union(ImportRules.rootTargets.keys)
        let used = try repository.sources(below: "Examples").flatMap(\.imports).map(\.module)
        #expect(Set(used).intersection(ours) == ["CountersignService", "QRCodes"])
    }

    @Test("No file is too long, traps on input, leaves work for later or has another slice's SQL")
    func sourceText() throws {
        let folders = ["Sources", "Core/Sources", "Examples"]
        let sources = try folders.flatMap { try repository.sources(below: $0) }
        #expect(sources.flatMap { SourceRules.check($0) } == [])
    }

    @Test("A slice of the server uses no store of a later one")
    func folders() throws {
        let sources = try repository.sources(below: "Sources/Server")
        #expect(FolderRules.check(sources) == [])
        #expect(FolderRules.unknown(sources) == [])
        // In the order in which the server has them.
        let list = try repository.text("Sources/Server/Slices/SliceList.swift")
        let named = FolderRules.slices.map { name, _ in
            name.split(separator: "-").enumerated()
                .map { $0.offset == 0 ? String($0.element) : $0.element.capitalized }.joined()
        }
        #expect(list.contains("\(named.joined(separator: ", ")),"))
        // The rule sees a store of a later slice, and none in a comment or of an earlier one.
        let made = SwiftSource(
            path: "Sources/Server/Documents/A.swift",
            text: "let a = ClientStore(transaction: transaction)  // LogStore\nlet b = AccountStore(transaction: c)")
        let late = SwiftSource(path: "Sources/Server/Vault/B.swift", text: "let a = NotificationWayStore(b)")
        #expect(
            FolderRules.check(sources + [made, late]).map(\.description) == [
                "Sources/Server/Documents/A.swift:1: documents must not use ClientStore",
                "Sources/Server/Vault/B.swift:1: vault must not use NotificationWayStore",
            ])
        let stray = SwiftSource(path: "Sources/Server/Stray/C.swift", text: "")
        #expect(FolderRules.unknown(sources + [stray]) == ["Stray"])
    }

    @Test("The folders of Web import in one direction, and every import leads to a module")
    func webFolders() throws {
        let modules = repository.files(below: "Web", endings: [".js"])
        #expect(modules.count > 100)
        for path in modules {
            let text = try repository.text(path)
            #expect(WebRules.check(path: path, text: text, exists: repository.exists) == [])
        }
        #expect(WebRules.cycles == [])
        // The rule sees an import of a later folder, a dynamic one too, and one that leads nowhere.
        let made = """
            import { a } from "../shell/dom.js";
            const b = import('/assets/admin/words.js');
            import "./gone.js";
            """
        #expect(
            WebRules.check(path: "Web/documents/made.js", text: made, exists: repository.exists).map(\.description) == [
                "Web/documents/made.js:2: must not import from admin",
                "Web/documents/made.js:3: imports documents/gone.js, which is not there",
            ])
    }

    @Test("Every target of both packages is compiled with the strict settings")
    func manifests() throws {
        for path in ["Package.swift", "Core/Package.swift"] {
            let text = try repository.text(path)
            #expect(ManifestRules.targets(in: text).isEmpty == false)
            #expect(ManifestRules.check(path: path, text: text) == [])
        }
    }

    @Test("Every folder of tests is a target, so that its tests run", arguments: ["", "Core/"])
    func testFolders(package: String) throws {
        let manifest = try repository.text(package + "Package.swift")
        let targets = ManifestRules.testTargets(in: manifest).union(ManifestRules.testHelpers(in: manifest))
        let folders = Set(try repository.sources(below: package + "Tests").compactMap(\.target))
        #expect(folders.subtracting(targets) == [])
    }

    @Test("Every page in docs is linked from an entrance, and no link or path leads nowhere")
    func pages() throws {
        let entrances = try ["README.md", "ARCHITECTURE.md"].map { (page: $0, text: try repository.text($0)) }
        let documents = repository.files(below: "docs", endings: [".md"])
        #expect(documents.isEmpty == false)
        #expect(DocumentRules.orphans(documents, entrances: entrances) == [])
        for page in documents + repository.files(below: "", endings: [".md"]).filter({ !$0.contains("/") }) {
            let text = try repository.text(page)
            #expect(DocumentRules.broken(in: text, page: page, exists: repository.exists) == [])
            #expect(DocumentRules.unknownPaths(in: text, page: page, exists: repository.exists) == [])
        }
    }

    @Test("The commands of README exist", arguments: ["README.md", "CONTRIBUTING.md"])
    func commands(page: String) throws {
        let subcommands = DocumentRules.subcommands(in: try repository.sources(below: "Sources/countersign"))
        let text = try repository.text(page)
        #expect(DocumentRules.commands(in: text).isEmpty == false)
        #expect(
            DocumentRules.unknown(
                in: text,
                page: page,
                subcommands: subcommands,
                isExecutable: repository.isExecutable
            ) == []
        )
    }

    @Test("No build product is tracked")
    func trackedFiles() throws {
        let ignored = try repository.text(".gitignore").components(separatedBy: "\n")
        #expect(ignored.contains("Package.resolved"))
        #expect(ignored.contains(".build*/"))
        let tracked = try repository.trackedFiles() ?? []
        #expect(tracked.filter { $0.hasSuffix("Package.resolved") || $0.contains(".build") } == [])
    }

    @Test("Core is formatted like the rest, and documents all that is public besides")
    func formatConfigurations() throws {
        let rule = "\"AllPublicDeclarationsHaveDocumentation\": "
        let root = try repository.text(".swift-format")
        let core = try repository.text("Core/.swift-format")
        #expect(core.contains(rule + "true"))
        #expect(root.replacing(rule + "false", with: rule + "true") == core)
    }
}
