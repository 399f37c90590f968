import Encodings
import HTTPTypes
import HummingbirdTesting
import Testing

@testable import Server

@Suite("The manifest of an installed wallet")
struct ManifestTests {
    @Test(
        "is in the language of the pages, and says that it depends on it",
        arguments: [
            ("en", "ltr", "Countersign wallet", "Verify a document"),
            ("de", "ltr", "Countersign-Wallet", "Dokument prüfen"),
            ("ar", "rtl", "محفظة Countersign", "تحقّق من مستند"),
        ])
    func languages(code: String, direction: String, name: String, shortcut: String) async throws {
        try await TestOrganisation().serve { test in
            for headers in [[.acceptLanguage: code], [.acceptLanguage: "fr", .cookie: "language=\(code)"]]
                as [HTTPFields]
            {
                let answer = try await test.client.execute(uri: "/manifest.webmanifest", method: .get, headers: headers)
                let manifest = try JSON.parse(Bytes(text: answer.text))
                #expect(manifest["lang"] == .text(code) && manifest["dir"] == .text(direction))
                #expect(manifest["name"] == .text(name) && manifest["short_name"] == .text("Countersign"))
                #expect(manifest["shortcuts"]?.array?.last?["name"] == .text(shortcut))
                #expect(manifest["shortcuts"]?.array?.last?["url"] == .text("/verify"))
                let handler = manifest["protocol_handlers"]?.array?.first
                #expect(handler?["protocol"] == .text("web+authreq"))
                #expect(handler?["url"] == .text("/wallet/approvals/add#%s"))
                #expect(answer.headers[.contentLanguage] == code && answer.headers[.vary] == "Accept-Language, Cookie")
                var again = headers
                again[.ifNoneMatch] = answer.headers[.eTag]
                let kept = try await test.client.execute(uri: "/manifest.webmanifest", method: .get, headers: again)
                #expect(kept.status == .notModified)
            }
        }
    }

    @Test("is not half in a language")
    func half() throws {
        let source = try JSON.parse(
            Bytes(text: #"{"dir":"ltr","lang":"en","name":"One","shortcuts":[{"name":"Two"}]}"#))
        #expect(ManifestTexts.keys(of: source) == ["One", "Two"])
        let whole = try #require(WordCatalogue(code: "xx", files: [.init(#"{"One":"1","Two":"2"}"#.utf8)]))
        let made = try #require(ManifestTexts.manifest(source, in: whole))
        #expect(made["name"] == .text("1") && made["shortcuts"]?.array?[0]["name"] == .text("2"))
        let half = try #require(WordCatalogue(code: "xx", files: [.init(#"{"One":"1"}"#.utf8)]))
        #expect(ManifestTexts.manifest(source, in: half) == nil)
    }
}
