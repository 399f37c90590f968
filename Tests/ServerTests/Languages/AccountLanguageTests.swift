import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Interface
import NIOCore
import Testing

@testable import Server

@Suite("The language that an account keeps")
struct AccountLanguageTests {
    private static let path = "/api/account/language"

    /// A page of ours with these cookies.
    private static func page(_ cookies: [String: String], _ accepted: String = "ar") -> HTTPFields {
        [
            .countersignSession: "cookie", .origin: TestOrganisation.url, .contentType: "application/json",
            .acceptLanguage: accepted, .cookie: cookies.map { "\($0)=\($1)" }.joined(separator: "; "),
        ]
    }

    /// The cookies that an answer sets, by name; empty for those that it removes.
    private static func cookies(_ response: TestResponse) -> [String: String] {
        var found: [String: String] = [:]
        for field in response.headers[values: .setCookie] {
            let parts = field.split(separator: ";")[0].split(separator: "=", omittingEmptySubsequences: false)
            found[String(parts[0])] = String(parts[1])
        }
        return found
    }

    private static func language(
        _ client: any TestClientProtocol, _ cookies: [String: String], _ accepted: String = "ar"
    ) async throws -> String? {
        try await client.execute(uri: "/help", method: .get, headers: page(cookies, accepted)).headers[.contentLanguage]
    }

    private static func signInBody(
        _ test: TestClient, _ person: TestPerson, device: String
    ) async throws -> ByteBuffer {
        let nonce = try await test.send(.post, "/api/sign-in", SignInNonceRequest(username: person.username))
            .decode(SignInNonce.self).nonce
        let request = SignInRequest(
            username: person.username, passphrase: person.passphrase, device: device,
            proof: try AccountTests.proof(person, nonce))
        return ByteBuffer(bytes: Response.jsonBytes(request))
    }

    @Test("comes with signing in, goes before the browser's, and goes with signing out, which leaves the browser's own")
    func signingIn() async throws {
        let organisation = try await TestOrganisation()
        try await organisation.serve { test in
            let ada = try organisation.person("ada")
            _ = try await test.setUp(organisation.person("owner"))
            let first = try await test.join(ada)
            #expect(first.language == nil)
            let kept = try await test.send(.put, Self.path, AccountLanguage(language: "de"), token: first.token)
                .decode(AccountLanguage.self)
            #expect(kept.language == "de")

            // Another browser, whose own choice is English.
            var browser = ["language": "en"]
            #expect(try await Self.language(test.client, browser) == "en")
            let signedIn = try await test.client.execute(
                uri: "/api/sessions", method: .post, headers: Self.page(browser),
                body: try await Self.signInBody(test, ada, device: first.deviceID))
            let given = Self.cookies(signedIn)
            #expect(given["account-language"] == "de")
            browser.merge(given) { $1 }
            #expect(try await Self.language(test.client, browser) == "de")

            let out = try await test.client.execute(
                uri: "/api/sessions/current", method: .delete, headers: Self.page(browser))
            #expect(out.status == .noContent)
            #expect(Self.cookies(out) == ["account-language": "", "countersign": ""])
            browser.merge(Self.cookies(out)) { $1 }
            #expect(try await Self.language(test.client, browser) == "en")
        }
    }

    @Test("is another account's no longer when that signs in here, and goes when the session is over elsewhere")
    func others() async throws {
        let organisation = try await TestOrganisation()
        try await organisation.serve { test in
            let eve = try organisation.person("eve")
            _ = try await test.setUp(organisation.person("owner"))
            let first = try await test.join(eve)
            let left = ["account-language": "de", "language": "ar"]
            let signedIn = try await test.client.execute(
                uri: "/api/sessions", method: .post, headers: Self.page(left),
                body: try await Self.signInBody(test, eve, device: first.deviceID))
            #expect(Self.cookies(signedIn)["account-language"] == "")

            let over = try await test.client.execute(
                uri: "/api/account", method: .get,
                headers: Self.page(left.merging(["countersign": "nobody"]) { $1 }))
            #expect(over.status == .unauthorized)
            #expect(Self.cookies(over) == ["account-language": "", "countersign": ""])
        }
    }

    @Test("is chosen in a page, which gets it as a cookie at once, and is given up again")
    func choosing() async throws {
        let organisation = try await TestOrganisation()
        try await organisation.serve { test in
            let owner = try await test.setUp(organisation.person("owner"))
            let cookies = ["countersign": owner.token, "language": "en"]
            func choose(_ code: String) async throws -> TestResponse {
                try await test.client.execute(
                    uri: Self.path, method: .put, headers: Self.page(cookies),
                    body: ByteBuffer(string: "{\"language\":\"\(code)\"}"))
            }
            func kept() async throws -> String? {
                try await test.send(.get, "/api/sessions/current", token: owner.token).decode(CurrentSession.self)
                    .language
            }
            #expect(Self.cookies(try await choose("ar")) == ["account-language": "ar"])
            #expect(try await kept() == "ar")
            // A language that there are no pages in is the browser's to replace.
            #expect(try await choose("pt-BR").status == .ok)
            #expect(
                try await Self.language(test.client, cookies.merging(["account-language": "pt-BR"]) { $1 }) == "en")
            #expect(Self.cookies(try await choose("")) == ["account-language": ""])
            #expect(try await kept() == nil)
            for bad in ["de;", "d e", "-", "de-", "ä", "abcdefghi", "de-aaaaaaaa-bbbbbbbb-cccccccc-dddddddd"] {
                #expect(try await choose(bad).status == .unprocessableContent, "\(bad)")
            }
            #expect(try await test.send(.put, Self.path, AccountLanguage(language: "de")).problem == "unauthenticated")
        }
    }
}
