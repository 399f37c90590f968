import Encodings
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Interface
import Testing

@testable import Server

@Suite("Kept pages")
struct KeptPagesTests {
    private static let file = WebFolder.File(Bytes(text: "a page"), "text/html")

    @Test("are made once for each address and language, until a file or what they tell changes")
    func made() {
        let kept = KeptPages()
        let organisation = Organisation(
            name: "Test", publicURL: "https://a.example", isSetUp: true, rootCertificate: "", rootFingerprint: "ab",
            logKey: "key")
        var renamed = organisation
        renamed.name = "Other"
        let facts = PageFacts(organisation, OrganisationFace())
        let asked: [(path: String, language: String, version: String, facts: PageFacts, isNew: Bool)] = [
            ("/desk", "en", "1", facts, true), ("/desk", "en", "1", facts, false), ("/desk", "ar", "1", facts, true),
            ("/console", "en", "1", facts, true), ("/desk", "en", "1", facts, false), ("/desk", "en", "2", facts, true),
            ("/desk", "en", "2", PageFacts(renamed, OrganisationFace()), true),
            ("/desk", "en", "2", PageFacts(renamed, OrganisationFace(accent: "#0a8066")), true),
            ("/desk", "en", "2", PageFacts(renamed, OrganisationFace(accent: "#0a8066")), false),
        ]
        for (index, one) in asked.enumerated() {
            var isNew = false
            _ = kept.file(
                at: KeptPages.Place(path: one.path, language: one.language), version: one.version, one.facts
            ) {
                isNew = true
                return Self.file
            }
            #expect(isNew == one.isNew, "\(index)")
        }
    }

    @Test("need not be sent again to a browser that has them, under the same policy", arguments: ["gzip", "identity"])
    func same(form: String) async throws {
        try await TestOrganisation().serve { test in
            for path in ["/", "/console", "/console/check"] {
                var headers: HTTPFields = [.acceptEncoding: form, .acceptLanguage: "de"]
                let first = try await test.client.execute(uri: path, method: .get, headers: headers)
                headers[.ifNoneMatch] = first.headers[.eTag]
                let second = try await test.client.execute(uri: path, method: .get, headers: headers)
                #expect(first.status == .ok && first.body.readableBytes > 1_000)
                #expect(second.status == .notModified && second.body.readableBytes == 0)
                let permissions = try #require(HTTPField.Name("Permissions-Policy"))
                let names: [HTTPField.Name] = [
                    .contentSecurityPolicy, permissions, .contentLanguage, .vary, .eTag, .cacheControl,
                ]
                for name in names {
                    #expect(second.headers[name] != nil && second.headers[name] == first.headers[name], "\(name)")
                }
                #expect(second.headers[.cacheControl] == "no-cache")
                for (name, value) in [(HTTPField.Name.acceptLanguage, "ar"), (.acceptEncoding, "br")] {
                    var others = headers
                    others[name] = value
                    let other = try await test.client.execute(uri: path, method: .get, headers: others)
                    // Without gzip a page is what it was for those who wanted none before.
                    let isSame = name == .acceptEncoding && form == "identity"
                    #expect(other.status == (isSame ? .notModified : .ok), "\(path) with \(value)")
                }
            }
        }
    }

    @Test("are sent again when the organisation has another name")
    func renamed() async throws {
        let organisation = try await TestOrganisation()
        try await organisation.serve { test in
            let owner = try await test.setUp(organisation.person("owner"))
            let before = try await test.client.execute(uri: "/desk", method: .get)
            let tag = try #require(before.headers[.eTag])
            _ = try await test.send(.put, "/api/organisation/face", FaceChange(name: "Another"), token: owner.token)
                .decode(OrganisationFace.self)
            let page = try await test.client.execute(uri: "/desk", method: .get, headers: [.ifNoneMatch: tag])
            #expect(page.status == .ok && page.text.contains("Another"))
        }
    }
}
