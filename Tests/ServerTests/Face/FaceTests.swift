import Encodings
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Interface
import Storage
import Testing

@testable import Server

@Suite("The organisation's face")
struct FaceTests {
    private static let svg = Bytes(
        text: "<svg viewBox='0 0 4 2'><script>alert(1)</script><circle r='1' onclick='alert(1)'/></svg>")
    private static let full = FaceChange(
        accent: "#0A8066", logo: svg.base64URL,
        imprint: Imprint(legalNotice: "Test University\n<b>1 Street</b>", contact: "mailto:office@example.edu"))

    @Test("is on every page at once, and in the log; what was there before can be put back")
    func change() async throws {
        let organisation = try await TestOrganisation()
        try await organisation.serve { test in
            let owner = try await test.setUp(organisation.person("owner"))
            let before = try await test.client.execute(uri: "/", method: .get).text
            #expect(before.contains("#mark\"") && !before.contains("/organisation/"))
            let face = try await test.send(.put, "/api/organisation/face", Self.full, token: owner.token)
                .decode(OrganisationFace.self)
            #expect(face.receipt != nil && face.accent == "#0a8066" && face.logo?.mediaType == "image/svg+xml")
            let digest = try #require(face.logo?.digest)
            let entry = try await organisation.server.environment.database.read {
                try LogStore(transaction: $0).list(account: owner.account.id, limit: 1)
            }.first
            #expect(entry?.type == "face.changed")
            for path in ["/", "/verify", "/wallet", "/console/members", "/imprint", "/no-such-page"] {
                let page = try await test.client.execute(uri: path, method: .get, headers: [.accept: "text/html"]).text
                #expect(page.contains("/organisation/logo?v=\(digest)\""), "\(path)")
                #expect(page.contains("/organisation/face.css?v=0a8066\""), "\(path)")
                #expect(page.contains("href=\"mailto:office@example.edu\""), "\(path)")
                #expect(!page.contains("<b>1 Street"), "\(path)")
            }
            let imprint = try await test.client.execute(uri: "/imprint", method: .get).text
            #expect(imprint.contains("&lt;b&gt;1 Street"))
            let german = try await test.client.execute(uri: "/help", method: .get, headers: [.acceptLanguage: "de"])
                .text
            #expect(german.contains(">Impressum</a>") && german.contains(">Kontakt</a>"))
            let kept = try await test.send(
                .put, "/api/organisation/face", FaceChange(keepsLogo: true), token: owner.token
            ).decode(OrganisationFace.self)
            #expect(kept.logo == face.logo && kept.accent == nil && kept.imprint == Imprint())
            _ = try await test.send(.put, "/api/organisation/face", FaceChange(), token: owner.token)
                .decode(OrganisationFace.self)
            #expect(try await test.client.execute(uri: "/", method: .get).text == before)
            #expect(try await test.send(.get, "/organisation/logo").problem == "not-found")
        }
    }

    @Test("has a name of up to 200 characters that pages, passkeys and the log follow, and certificates do not")
    func renamed() async throws {
        let organisation = try await TestOrganisation()
        try await organisation.serve { test in
            let owner = try await test.setUp(organisation.person("owner"))
            let root = try await test.client.execute(uri: "/organisation/root.pem", method: .get).text
            let before = try await test.send(.get, "/api/organisation/face").decode(OrganisationFace.self)
            let name = String(repeating: "جامعة ", count: 33) + "W2"
            let face = try await test.send(
                .put, "/api/organisation/face", FaceChange(name: name, accent: "#0a8066"), token: owner.token
            ).decode(OrganisationFace.self)
            #expect(face.name == name && face.name != before.name)
            for path in ["/", "/verify", "/console/settings"] {
                let page = try await test.client.execute(uri: path, method: .get).text
                #expect(page.contains(name) && !page.contains(before.name), "\(path)")
            }
            #expect(try await test.client.execute(uri: "/organisation/root.pem", method: .get).text == root)
            let entry = try await organisation.server.environment.database.read {
                try LogStore(transaction: $0).list(account: owner.account.id, limit: 1)
            }.first
            #expect(entry?.record.contains(name) == true)
            // A change without a name keeps it; a name that nobody could read, or see, is refused.
            _ = try await test.send(.put, "/api/organisation/face", FaceChange(), token: owner.token)
            for wrong in ["", "  ", String(repeating: "x", count: 201), "a\nb", "a\u{202E}b"] {
                for (method, path) in [(HTTPRequest.Method.put, ""), (.post, "/preview")] {
                    let refused = try await test.send(
                        method, "/api/organisation/face" + path, FaceChange(name: wrong), token: owner.token)
                    #expect(refused.problem == "invalid-member", "\(wrong.debugDescription) \(path)")
                }
            }
            #expect(try await test.send(.get, "/api/organisation/face").decode(OrganisationFace.self).name == name)
        }
    }

    @Test("sends a logo that can do nothing, and that browsers keep by its content")
    func logo() async throws {
        let organisation = try await TestOrganisation()
        try await organisation.serve { test in
            let owner = try await test.setUp(organisation.person("owner"))
            let face = try await test.send(.put, "/api/organisation/face", Self.full, token: owner.token)
                .decode(OrganisationFace.self)
            let digest = try #require(face.logo?.digest)
            let named = try await test.client.execute(uri: "/organisation/logo?v=\(digest)", method: .get)
            #expect(named.headers[.contentType] == "image/svg+xml")
            #expect(
                named.headers[.contentSecurityPolicy]
                    == "default-src 'none'; style-src 'unsafe-inline'; sandbox")
            #expect(named.headers[.xContentTypeOptions] == "nosniff")
            #expect(named.headers[.cacheControl] == "public, max-age=31536000, immutable")
            #expect(!named.text.contains("script") && !named.text.contains("alert"))
            let tag = try #require(named.headers[.eTag])
            let other = try await test.client.execute(uri: "/organisation/logo?v=old", method: .get)
            #expect(other.headers[.cacheControl] == "no-cache" && other.status == .ok)
            let same = try await test.client.execute(
                uri: "/organisation/logo", method: .get, headers: [.ifNoneMatch: tag])
            #expect(same.status == .notModified)
            let style = try await test.client.execute(uri: "/organisation/face.css?v=0a8066", method: .get)
            #expect(style.headers[.contentType] == "text/css; charset=utf-8" && style.text.contains("#0a8066"))
            // No rule of it may reach what says whether something is genuine.
            for rule in style.text.split(separator: "}") where rule.contains("#0a8066") {
                #expect(
                    rule.contains("header.site") || rule.contains(".places")
                        || rule.contains(
                            ":not(.danger, :disabled, [aria-disabled=true], #result *, .verdict *, .checks *)"),
                    "\(rule)")
            }
        }
    }

    @Test("is the main administrator's alone")
    func roles() async throws {
        let organisation = try await TestOrganisation()
        try await organisation.serve { test in
            let owner = try await test.setUp(organisation.person("owner"))
            let administrator = try await test.join(
                organisation.person("admin"), invitation: test.invite(.administrator, token: owner.token))
            for (token, problem) in [(administrator.token as String?, "forbidden"), (nil, "unauthenticated")] {
                for (method, path) in [
                    (HTTPRequest.Method.put, "/api/organisation/face"), (.post, "/api/organisation/face/preview"),
                ] {
                    #expect(try await test.send(method, path, Self.full, token: token).problem == problem)
                }
            }
            let face = try await test.send(.get, "/api/organisation/face").decode(OrganisationFace.self)
            #expect(face == OrganisationFace(name: face.name) && !face.name.isEmpty)
            for path in [
                "/organisation/logo/../../api/account", "/organisation/logo/other", "/organisation/%2e%2e/logo",
            ] {
                #expect(try await test.send(.get, path).problem == "not-found", "\(path)")
            }
        }
    }

    @Test("is refused with a reason that helps, and nothing is stored")
    func refused() async throws {
        let organisation = try await TestOrganisation()
        try await organisation.serve { test in
            let owner = try await test.setUp(organisation.person("owner"))
            let large = Bytes(repeating: 0, count: Limits.logo + 1).base64URL
            let cases: [(FaceChange, String, String)] = [
                (FaceChange(accent: "#ffff00"), "invalid-member", "nearest colour that holds is #"),
                (FaceChange(accent: "yellow"), "invalid-member", "#rrggbb"),
                (FaceChange(logo: large), "too-large", "128 KiB"),
                (
                    FaceChange(logo: Bytes(text: "<html><script>alert(1)</script>").base64URL), "invalid-member",
                    "PNG or SVG"
                ),
                (
                    FaceChange(logo: (PNGPicture.signature + Bytes(text: "<html>")).base64URL), "invalid-member",
                    "damaged"
                ),
                (
                    FaceChange(logo: Bytes(text: "<!DOCTYPE svg [<!ENTITY a 'b'>]><svg/>").base64URL), "invalid-member",
                    "entities"
                ),
                (FaceChange(logo: "no base64url!"), "invalid-member", "PNG or SVG"),
                (FaceChange(logo: Self.svg.base64URL, keepsLogo: true), "invalid-member", "not both"),
                (FaceChange(imprint: Imprint(contact: "javascript://alert(1)")), "invalid-member", "imprint.contact"),
                (FaceChange(imprint: Imprint(privacy: "http://example.edu")), "invalid-member", "imprint.privacy"),
                (FaceChange(imprint: Imprint(legalNotice: "a\u{202E}b")), "invalid-member", "imprint.legal_notice"),
                (
                    FaceChange(imprint: Imprint(legalNotice: String(repeating: "a", count: 4_001))), "invalid-member",
                    "4000"
                ),
            ]
            for (change, problem, word) in cases {
                let answer = try await test.send(.put, "/api/organisation/face", change, token: owner.token)
                #expect(answer.problem == problem)
                #expect(
                    String(decoding: answer.body, as: UTF8.self).contains(word),
                    "\(String(decoding: answer.body, as: UTF8.self))")
            }
            let face = try await test.send(.get, "/api/organisation/face").decode(OrganisationFace.self)
            #expect(face == OrganisationFace(name: face.name) && !face.name.isEmpty)
        }
    }

    @Test("can be looked at before it is stored")
    func preview() async throws {
        let organisation = try await TestOrganisation()
        try await organisation.serve { test in
            let owner = try await test.setUp(organisation.person("owner"))
            let seen = try await test.send(
                .post, "/api/organisation/face/preview", FaceChange(accent: "#ffff00", logo: Self.svg.base64URL),
                token: owner.token
            ).decode(FacePreview.self)
            #expect(seen.colour?.holds == false && seen.leftOut == ["onclick", "script"])
            #expect(seen.logo?.width == 512 && seen.file != nil)
            let face = try await test.send(.get, "/api/organisation/face").decode(OrganisationFace.self)
            #expect(face == OrganisationFace(name: face.name) && !face.name.isEmpty)
        }
    }
}
