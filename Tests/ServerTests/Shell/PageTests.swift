import Encodings
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Logging
import Testing

@testable import Server

@Suite("Pages")
struct PageTests {
    @Test(
        "are there, under a policy that lets only our own scripts run",
        arguments: (Page.ofEverybody + Slice.all.pages).map(\.path))
    func pages(path: String) async throws {
        let organisation = try await TestOrganisation()
        try await organisation.serve { test in
            let response = try await test.client.execute(uri: path, method: .get)
            #expect(response.status == .ok)
            #expect(response.headers[.contentType] == "text/html; charset=utf-8")
            let policy = try #require(response.headers[.contentSecurityPolicy])
            #expect(policy.hasPrefix("default-src 'none'; script-src 'self' 'wasm-unsafe-eval';"))
            #expect(policy.contains("require-trusted-types-for 'script'; trusted-types countersign"))
            #expect(!policy.contains("unsafe-inline") && !policy.contains("'unsafe-eval'"))
            #expect(response.headers[.cacheControl] == "no-cache")
            #expect(response.text.hasPrefix("<!doctype html>"))
            for forbidden in ["{{", " style=", "javascript:", " onclick=", "<style"] {
                #expect(!response.text.contains(forbidden), "\(forbidden)")
            }
            for script in response.text.matches(of: /<script([^>]*)>([^<]*)/) {
                #expect(script.1.contains("src=\"/assets/") && script.2.isEmpty, "no inline script")
            }
        }
    }

    @Test("load nothing but files that are there")
    func references() async throws {
        let organisation = try await TestOrganisation()
        try await organisation.serve { test in
            var found: Set<String> = []
            for page in Page.ofEverybody + Slice.all.pages {
                let text = try await test.client.execute(uri: page.path, method: .get).text
                for match in text.matches(of: /(?:src|href)="(\/[^"#?{]*)/) { found.insert(String(match.1)) }
            }
            #expect(found.contains("/assets/shell/style.css"))
            for path in found.sorted() {
                let response = try await test.client.execute(uri: path, method: .get)
                // Before set-up there is no root to fetch.
                #expect(response.status == .ok || path == "/organisation/root.pem", "\(path)")
            }
        }
    }

    @Test("bring modules that import only files that are there, and no code from strings")
    func modules() throws {
        let folder = try WebFolder(Pages.builtFolder)
        for (path, file) in folder.files where path.hasSuffix(".js") {
            let text = String(decoding: file.bytes, as: UTF8.self)
            for match in text.matches(of: /(?:from|import)\s*\(?\s*"(\.{0,2}\/[^"]+)"/) {
                let target = Self.resolve(String(match.1), from: path)
                #expect(folder.files[target] != nil, "\(path) imports \(match.1)")
            }
            for sink in ["innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "new Function"] {
                #expect(!text.contains(sink), "\(path): \(sink)")
            }
        }
    }

    @Test("give a worker its policy again when nothing has changed: a browser's copy gets these headers")
    func worker() async throws {
        let organisation = try await TestOrganisation()
        try await organisation.serve { test in
            let path = "/assets/scanner/scan-worker.js"
            let first = try await test.client.execute(uri: path, method: .get)
            let tag = try #require(first.headers[.eTag])
            let second = try await test.client.execute(uri: path, method: .get, headers: [.ifNoneMatch: tag])
            #expect(second.status == .notModified)
            #expect(second.headers[.contentSecurityPolicy] == PageHeaders.policy)
            #expect(second.headers[.contentSecurityPolicy] == first.headers[.contentSecurityPolicy])
        }
    }

    @Test("share no window with other origins, and no process where contents are read or a pen is recorded")
    func isolated() async throws {
        let (opener, embedder) = (
            try #require(HTTPField.Name("Cross-Origin-Opener-Policy")),
            try #require(HTTPField.Name("Cross-Origin-Embedder-Policy"))
        )
        try await TestOrganisation().serve { test in
            for page in Slice.all.pages {
                let path = page.path.replacing("{id}", with: "a")
                let answer = try await test.client.execute(uri: path, method: .get)
                #expect(answer.headers[opener] == "same-origin", "\(path)")
                #expect(answer.headers[embedder] == (page.isIsolated ? "require-corp" : nil), "\(path)")
            }
        }
        let isolated = Set(Slice.all.pages.filter(\.isIsolated).map(\.path))
        #expect(
            isolated == [
                "/verify", "/s/{id}", "/v/{id}", "/copy/{id}", "/wallet/document", "/wallet/offline", "/wallet/vault",
                "/desk/client", "/desk/copy", "/desk/enrol", "/desk/sign", "/sign-here",
            ])
    }

    @Test("are asked for once by the pages of their version, and each time by others")
    func versions() async throws {
        try await TestOrganisation().serve { test in
            let page = try await test.client.execute(uri: "/help", method: .get).text
            let named = page.matches(of: /(?:src|href)="(\/assets\/[^"?]*)\?v=([^"#]+)["#]/)
            #expect(named.count >= 5 && Set(named.map { String($0.2) }).count == 1)
            // A file that is asked for again holds up each page.
            let kinds = Set(named.map { $0.1.split(separator: ".").last.map(String.init) ?? "" })
            #expect(kinds == ["css", "js", "svg"] && !page.contains("icons.svg#"))
            for (path, version) in named.map({ (String($0.1), String($0.2)) }) {
                for (query, isKept) in [("?v=\(version)", true), ("?v=other", false), ("", false)] {
                    let file = try await test.client.execute(uri: path + query, method: .get)
                    #expect(file.status == .ok)
                    #expect(file.headers[.cacheControl] == (isKept ? "max-age=31536000, immutable" : "no-cache"))
                }
            }
            // The page itself says which version it is of.
            #expect(try await test.client.execute(uri: "/help", method: .get).headers[.cacheControl] == "no-cache")
        }
    }

    @Test("say that nothing has changed and send nothing from outside")
    func files() async throws {
        let organisation = try await TestOrganisation()
        try await organisation.serve { test in
            let first = try await test.client.execute(uri: "/assets/shell/style.css", method: .get)
            let tag = try #require(first.headers[.eTag])
            let second = try await test.client.execute(
                uri: "/assets/shell/style.css", method: .get, headers: [.ifNoneMatch: tag])
            #expect(second.status == .notModified && second.body.readableBytes == 0)
            // Without this the browser would drop its copy, and fetch the whole file the next time.
            #expect(second.headers[.cacheControl] == "no-cache")
            for path in [
                "/assets/shell/../../Package.swift", "/assets/%2e%2e/Package.swift", "/assets/shell/layout.mustache",
                "/assets/shell", "/assets/shell/countersign.wasm.gz", "/assets/WebFiles.swift",
            ] {
                let response = try await test.client.execute(uri: path, method: .get)
                #expect(response.status == .notFound, "\(path)")
            }
        }
    }

    @Test("with a mistake in a template do not start")
    func mistakes() throws {
        #expect(throws: WebFolder.Mistake.noPages(folder: "/nowhere")) { try WebFolder("/nowhere") }
    }

    @Test("a server without pages is there for commands, and does not start")
    func pagesAtStart() async throws {
        let organisation = try await TestOrganisation(sharing: nil, web: .live(folder: "/nowhere"))
        #expect(try await !organisation.server.isSetUp)
        await #expect(throws: WebFolder.Mistake.noPages(folder: "/nowhere")) {
            try await organisation.server.run(logger: Logger(label: "test"), stopsOnSignals: false)
        }
    }

    private static func resolve(_ target: String, from path: String) -> String {
        if target.hasPrefix("/assets/") { return String(target.dropFirst(8)) }
        var parts = path.split(separator: "/").dropLast().map(String.init)
        for part in target.split(separator: "/") where part != "." {
            if part == ".." { _ = parts.popLast() } else { parts.append(String(part)) }
        }
        return parts.joined(separator: "/")
    }
}
