import CryptoProvider
import Encodings
import Foundation
import Testing

@testable import Server

@Suite("The verify page in one file")
struct OneFilePageTests {
    private static let repository = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    @Test(
        "has the hash that the README publishes for this compiler",
        .enabled("another compiler") { await OneFilePageTests.isPublished })
    func hash() throws {
        let readme = try Self.readme()
        let published = try #require(readme.firstMatch(of: Self.sentence)?.output.1)
        let file = try #require(WebFolder(Pages.builtFolder).files["verification/countersign-verify.html"])
        let hash = String(decoding: Hex.encode(SwiftCryptoSuite().sha256(file.bytes)), as: UTF8.self)
        #expect(hash == published, "scripts/build-verify-page made another page: publish its hash in README.md")
    }

    @Test("asks nobody for anything, and runs only the script whose hash is in it")
    func policy() throws {
        let file = try #require(WebFolder(Pages.builtFolder).files["verification/countersign-verify.html"])
        let text = String(decoding: file.bytes, as: UTF8.self)
        let policy = try #require(
            text.firstMatch(of: /http-equiv="?Content-Security-Policy"? content="([^"]*)"/)?.output.1)
        #expect(policy.contains("default-src 'none'"))
        #expect(policy.contains("script-src 'sha256-") && !policy.contains("unsafe-inline"))
        #expect(!policy.contains("connect-src") || policy.contains("connect-src 'none'"))
        #expect(!text.contains("src=\"http") && !text.contains("href=\"http"))
    }

    @Test("has each language as a whole: what it shows, and the texts of its modules as the served page has them")
    func languages() throws {
        let web = Self.repository.appendingPathComponent("Web")
        func text(_ path: String) throws -> String {
            try String(contentsOf: web.appendingPathComponent(path), encoding: .utf8)
        }
        let folder = try WebFolder(Pages.builtFolder)
        let page = String(
            decoding: try #require(folder.files["verification/countersign-verify.html"]).bytes, as: UTF8.self)
        let script = try String(
            contentsOf: Self.repository.appendingPathComponent("scripts/build-verify-page"), encoding: .utf8)
        let modules = try #require(script.firstMatch(of: /modules=\(\n([^)]*)\)/)?.output.1).split { $0.isWhitespace }
        #expect(modules.count > 15)
        let keys = Set(try modules.flatMap { ModuleTexts.keys(of: try text("\($0).js")) })
        let catalogues = folder.languages.map(\.catalogue).dropFirst()
        #expect(catalogues.map(\.code) == ["ar", "de"])
        for catalogue in catalogues {
            let code = catalogue.code
            #expect(keys.filter { !catalogue.has($0) } == [], "\(code)")
            for part in ["checker", "result", "trust"] {
                let translated = TemplateTexts.translate(try text("verification/\(part).mustache")) {
                    catalogue.texts[$0]
                }
                .replacing("/assets/shell/icons.svg#", with: "#icon-")
                #expect(page.contains(translated), "\(part) in \(code)")
            }
            let frame = try text("verification/one-file-body.html").replacing(/@(checker|result|trust)@\n/, with: "")
            for key in TemplateTexts.keys(of: frame) {
                #expect(page.contains(try #require(catalogue.texts[key], "\(code): \(key)")), "\(code): \(key)")
            }
            let head =
                "<template data-language=\"\(code)\" data-name=\"\(catalogue.name)\" data-direction=\"\(catalogue.direction)\""
            #expect(page.contains(head))
            let words = try #require(page.components(separatedBy: "data-words=\"\(code)\">").last)
            let members = try #require(JSON.parse(Bytes(text: String(words.prefix { $0 != "<" }))).members)
            #expect(Set(members.map { String(decoding: $0.name, as: UTF8.self) }) == Set(keys.map(\.text)), "\(code)")
            for member in members {
                let key = String(decoding: member.name, as: UTF8.self)
                guard let plural = catalogue.plurals[key] else {
                    #expect(member.value == .text(catalogue(key)), "\(code): \(key)")
                    continue
                }
                #expect(
                    plural.allSatisfy { name, form in
                        member.value.members?.contains { $0.name == Bytes(text: name) && $0.value == .text(form) }
                            == true
                    })
            }
        }
    }

    /// The README names hash and compiler in one sentence: another compiler makes another WebAssembly.
    private static var sentence: Regex<(Substring, Substring)> {
        #/SHA-256 of the one-file verify page: `([0-9a-f]{64})`/#
    }

    private static func readme() throws -> String {
        try String(contentsOf: repository.appendingPathComponent("README.md"), encoding: .utf8)
    }

    /// Whether the README's hash is for the compiler at hand.
    static var isPublished: Bool {
        get async {
            let compiler = (try? readme())?.firstMatch(of: #/made by Swift ([0-9.]+)/#).map { String($0.output.1) }
            guard let compiler, let answer = try? await OtherProgram.run("swift", ["--version"]) else { return true }
            let version = String(decoding: answer.output, as: UTF8.self)
            return version.contains("Swift version \(compiler) ") || version.contains("Swift version \(compiler)\n")
        }
    }
}
