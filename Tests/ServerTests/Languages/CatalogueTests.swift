import Encodings
import Foundation
import Testing

@testable import Server

/// Every catalogue against the texts of all templates and modules.
@Suite("Catalogues", .onOneEngine)
struct CatalogueTests {
    private let texts: PageTexts
    private let templates: [String: String]
    private let modules: [String: String]
    private let catalogues: [WordCatalogue]
    /// Those of the manifest, and of the verify page as one file beyond what it shares with the served page.
    private let apart: [String]

    /// Read once for all tests of the suite.
    private static let all = Result { try Self(folder: Pages.builtFolder) }

    init() throws { self = try Self.all.get() }

    /// All pages, which are in every language.
    private static let pages = (Page.ofEverybody + Slice.all.pages).map(\.template) + ["shell/problem"]

    /// Texts of the server that pages and reports show.
    private static let ours =
        ProblemKind.allCases.flatMap { kind in
            ProblemPage(Problem(kind)).keys + ProblemPage(Problem(kind, retryAfter: 7)).keys
        } + SigningReportWords.keys + NotificationWords.keys

    /// Those of pages with a navigation, and of the foot of every page.
    private static let navigation =
        FaceService.imprintParts.map(\.1) + Area.allCases.map(\.title)
        + Slice.all.pages.compactMap(\.place).flatMap { [$0.title, $0.tab].compactMap { $0 } }

    private init(folder: String) throws {
        var templates: [String: String] = [:]
        var modules: [String: String] = [:]
        var files: [String: [Data]] = [:]
        for path in FileManager.default.enumerator(atPath: folder)?.compactMap({ $0 as? String }) ?? [] {
            guard let data = FileManager.default.contents(atPath: folder + "/" + path) else { continue }
            let text = String(decoding: data, as: UTF8.self)
            if path.hasSuffix(".mustache") { templates[String(path.dropLast(9))] = text }
            if path.hasSuffix(".js") { modules[path] = text }
            if path.contains("/words/"), path.hasSuffix(".json") {
                files[String(path.split(separator: "/")[2].dropLast(5)), default: []].append(data)
            }
        }
        (self.templates, self.modules) = (templates, modules)
        let file = { (path: String) in FileManager.default.contents(atPath: folder + "/" + path) ?? Data() }
        let frame = String(decoding: file("verification/one-file-body.html"), as: UTF8.self)
            .replacing(/@[a-z]+@\n/, with: "")
        let manifest = try JSON.parse(Bytes(file("shell/manifest.webmanifest")))
        apart = TemplateTexts.keys(of: frame) + ManifestTexts.keys(of: manifest)
        texts = try PageTexts(templates: templates, modules: modules)
        catalogues = try files.sorted { $0.key < $1.key }.map { try #require(WordCatalogue(code: $0, files: $1)) }
    }

    @Test("there are, for German and for Arabic, which is written from right to left")
    func languages() {
        #expect(catalogues.map(\.code).filter(["ar", "de"].contains) == ["ar", "de"])
        #expect(catalogues.first { $0.code == "ar" }?.direction == "rtl")
    }

    @Test("have every text of every page")
    func missing() {
        for catalogue in catalogues {
            let (missing, plurals) = missing(in: catalogue, on: Self.pages)
            #expect(missing == [] && plurals == [], "\(catalogue.code): \(missing)")
        }
    }

    @Test("have no text that nobody uses")
    func unused() {
        for catalogue in catalogues { #expect(unused(in: catalogue) == [], "\(catalogue.code)") }
    }

    @Test("have the tags and values of the English in each text, and the forms that the language's plurals need")
    func forms() {
        for catalogue in catalogues {
            for (english, text) in catalogue.texts {
                #expect(Self.marks(text) == Self.marks(english), "\(catalogue.code): \(english)")
                #expect(!text.contains(/(^|[^{])\{#/), "\(catalogue.code): \(english)")
                #expect(!text.isEmpty && text == text.trimmingCharacters(in: .whitespacesAndNewlines), "\(english)")
            }
            for (english, forms) in catalogue.plurals {
                #expect(forms.keys.sorted() == catalogue.categories.sorted(), "\(catalogue.code): \(english)")
                for (form, text) in forms where !["zero", "one", "two"].contains(form) {
                    #expect(Self.marks(text) == Self.marks(english), "\(catalogue.code): \(english)")
                }
            }
        }
    }

    @Test("are in the order of their texts, and so are the forms of a plural: two who add words do not meet")
    func order() throws {
        let folder = Pages.builtFolder
        var count = 0
        for path in FileManager.default.enumerator(atPath: folder)?.compactMap({ $0 as? String }) ?? []
        where path.contains("/words/") && path.hasSuffix(".json") {
            let file = Bytes(FileManager.default.contents(atPath: folder + "/" + path) ?? Data())
            let catalogue = try JSON.parse(file)
            for object in [catalogue] + (catalogue.members ?? []).map(\.value) {
                let names = (object.members ?? []).map(\.name)
                #expect(zip(names, names.dropFirst()).allSatisfy { $0.lexicographicallyPrecedes($1) }, "\(path)")
            }
            count += 1
        }
        #expect(count >= catalogues.count)
    }

    @Test("have the same texts in each folder, whatever the language")
    func folders() throws {
        let root = Pages.builtFolder
        var texts: [String: Set<[String]>] = [:]
        for path in FileManager.default.enumerator(atPath: root)?.compactMap({ $0 as? String }) ?? []
        where path.contains("/words/") && path.hasSuffix(".json") {
            let catalogue = try JSON.parse(Bytes(FileManager.default.contents(atPath: root + "/" + path) ?? Data()))
            let names = (catalogue.members ?? []).map { String(decoding: $0.name, as: UTF8.self) }.sorted()
            texts[String(path.split(separator: "/")[0]), default: []].insert(names)
        }
        #expect(!texts.isEmpty)
        for (folder, lists) in texts { #expect(lists.count == 1, "\(folder)") }
    }

    @Test("say a text in one way in all folders: a page takes it from any of them")
    func agreement() throws {
        let root = Pages.builtFolder
        var count = 0
        for path in FileManager.default.enumerator(atPath: root)?.compactMap({ $0 as? String }) ?? []
        where path.contains("/words/") && path.hasSuffix(".json") {
            let code = String(path.split(separator: "/")[2].dropLast(5))
            let whole = try #require(catalogues.first { $0.code == code })
            let file = FileManager.default.contents(atPath: root + "/" + path) ?? Data()
            let part = try #require(WordCatalogue(code: code, files: [file]))
            // Of two translations the whole has one, so a folder with the other differs from it.
            for (english, text) in part.texts { #expect(whole.texts[english] == text, "\(path): \(english)") }
            for (english, forms) in part.plurals { #expect(whole.plurals[english] == forms, "\(path): \(english)") }
            count += 1
        }
        #expect(count > catalogues.count)
    }

    /// For `scripts/new-words`: what a language lacks on any page, ready to be filled in, and what it has for nobody.
    @Test("can be completed", .enabled(if: ProcessInfo.processInfo.environment["NEW_WORDS_OF"] != nil))
    func listing() throws {
        let environment = ProcessInfo.processInfo.environment
        let code = try #require(environment["NEW_WORDS_OF"])
        let catalogue = try catalogues.first { $0.code == code } ?? #require(WordCatalogue(code: code, files: []))
        let (texts, plurals) = missing(in: catalogue, on: templates.keys.sorted())
        var new: [String: Any] = [:]
        for text in texts + Self.navigation.filter({ catalogue.texts[$0] == nil }) { new[text] = "" }
        for text in plurals { new[text] = Dictionary(uniqueKeysWithValues: catalogue.categories.map { ($0, "") }) }
        let list: [String: Any] = ["new": new, "unused": unused(in: catalogue)]
        let data = try JSONSerialization.data(
            withJSONObject: list, options: [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes])
        try data.write(to: URL(fileURLWithPath: try #require(environment["NEW_WORDS_FILE"])))
    }

    private func missing(in catalogue: WordCatalogue, on pages: [String]) -> (texts: [String], plurals: [String]) {
        var keys = Set((Self.ours + apart).map { ModuleTexts.Key(text: $0, isPlural: false) })
        for page in pages {
            keys.formUnion(texts.templateKeys(of: page).map { ModuleTexts.Key(text: $0, isPlural: false) })
            keys.formUnion(texts.moduleKeys(of: page))
        }
        let missing = keys.filter { !catalogue.has($0) }
        return (
            missing.filter { !$0.isPlural }.map(\.text).sorted(), missing.filter(\.isPlural).map(\.text).sorted()
        )
    }

    private func unused(in catalogue: WordCatalogue) -> [String] {
        var used = Set(Self.ours + apart + Self.navigation)
        for template in templates.values { used.formUnion(TemplateTexts.keys(of: template)) }
        for module in modules.values { used.formUnion(ModuleTexts.keys(of: module).map(\.text)) }
        return (Array(catalogue.texts.keys) + Array(catalogue.plurals.keys)).filter { !used.contains($0) }.sorted()
    }

    /// The tags and values of a text, in any order that a language wants.
    private static func marks(_ text: String) -> [String] {
        text.matches(of: /<[^>]*>|\{\{[^}]*\}\}|\{[0-9]\}/).map { String($0.0) }.sorted()
    }
}
