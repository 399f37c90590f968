import CryptoProvider
import Encodings
import Foundation
import Testing

@testable import Server

@Suite("The verify page in one file")
struct OneFilePageTests {
    private static let repository = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    @Test("has the hash that the README publishes for this compiler", .enabled(if: isPublished, "another compiler"))
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

    /// The README names hash and compiler in one sentence: another compiler makes another WebAssembly.
    private static var sentence: Regex<(Substring, Substring)> {
        #/SHA-256 of the one-file verify page: `([0-9a-f]{64})`/#
    }

    private static func readme() throws -> String {
        try String(contentsOf: repository.appendingPathComponent("README.md"), encoding: .utf8)
    }

    /// Whether the README's hash is for the compiler at hand.
    static var isPublished: Bool {
        let compiler = (try? readme())?.firstMatch(of: #/made by Swift ([0-9.]+)/#).map { String($0.output.1) }
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["swift", "--version"]
        let pipe = Pipe()
        process.standardOutput = pipe
        process.standardError = FileHandle.nullDevice
        guard let compiler, (try? process.run()) != nil else { return true }
        let version = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        return version.contains("Swift version \(compiler) ") || version.contains("Swift version \(compiler)\n")
    }
}
