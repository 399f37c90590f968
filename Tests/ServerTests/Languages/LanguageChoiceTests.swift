import HTTPTypes
import HummingbirdTesting
import Testing

@testable import Server

@Suite("The language of a page")
struct LanguageChoiceTests {
    @Test(
        "is the one that the browser likes best among those there are",
        arguments: [
            ("", "en"), ("de", "de"), ("de-CH, en;q=0.9", "de"), ("fr, ar;q=0.5", "ar"), ("fr", "en"),
            ("en-GB, de;q=0.9", "en"), ("de;q=0.2, ar;q=0.8", "ar"), ("de;q=0, ar;q=0.1", "ar"), ("DE", "de"),
            ("den", "en"), ("*", "en"), ("de;q=x", "en"),
        ])
    func accepted(field: String, code: String) {
        #expect(LanguageChoice.code(accepting: field, among: ["en", "ar", "de"]) == code)
    }

    @Test(
        "is the chosen one before the browser's",
        arguments: [
            ("language=de", "ar", "de"), ("a=b; language=ar", "de", "ar"), ("language=xx", "de", "de"),
            ("language=en", "de", "en"), ("xlanguage=ar", "de", "de"), ("language=", "", "en"),
        ])
    func chosen(cookie: String, accepted: String, code: String) async throws {
        let organisation = try await TestOrganisation()
        try await organisation.serve { test in
            let response = try await test.client.execute(
                uri: "/help", method: .get, headers: [.cookie: cookie, .acceptLanguage: accepted])
            #expect(response.headers[.contentLanguage] == code)
            #expect(response.headers[.vary] == "Accept-Language, Cookie, Accept-Encoding")
            #expect(response.text.contains("<html lang=\"\(code)\" dir=\"\(code == "ar" ? "rtl" : "ltr")\">"))
            #expect(response.text.contains("<option value=\"\(code)\" lang=\"\(code)\" selected>"))
        }
    }

    @Test("is that of the page that tells of a problem, and never that of the problem's document")
    func problems() async throws {
        let organisation = try await TestOrganisation()
        try await organisation.serve { test in
            let page = try await test.client.execute(
                uri: "/nowhere", method: .get, headers: [.accept: "text/html", .acceptLanguage: "de"])
            #expect(page.text.contains("<h1>Diese Seite gibt es nicht</h1>"))
            let document = try await test.client.execute(
                uri: "/nowhere", method: .get, headers: [.accept: "application/json", .acceptLanguage: "de"])
            #expect(document.text.contains("There is no such address."))
        }
    }

    @Test("is not that of the detail of a problem, which only English pages show")
    func details() async throws {
        let organisation = try await TestOrganisation()
        try await organisation.serve { test in
            func page(_ language: String) async throws -> String {
                try await test.client.execute(
                    uri: "/" + String(repeating: "x", count: 3_000), method: .get,
                    headers: [.accept: "text/html", .acceptLanguage: language]
                ).text
            }
            let detail = Problem(.targetTooLong).detail
            #expect(try await page("en").contains("<p>\(detail)</p>"))
            let german = try await page("de")
            #expect(german.contains("<h1>Die Adresse ist zu lang</h1>") && !german.contains(detail))
        }
    }

    @Test("decides which texts a browser keeps")
    func kept() async throws {
        let organisation = try await TestOrganisation()
        try await organisation.serve { test in
            let german = try await test.client.execute(
                uri: "/assets/index.json", method: .get, headers: [.cookie: "language=de"]
            ).text
            let english = try await test.client.execute(uri: "/assets/index.json", method: .get).text
            #expect(german.contains("linked/de/shell/page.js") && !german.contains("linked/ar/"))
            #expect(english.contains("linked/en/shell/page.js") && !english.contains("linked/de/"))
            let path = "/assets/linked/de/shell/page.js"
            let texts = try await test.client.execute(uri: path, method: .get).text
            #expect(texts.contains("Object.assign(globalThis.countersignWords ??= {}, {"))
        }
    }
}
