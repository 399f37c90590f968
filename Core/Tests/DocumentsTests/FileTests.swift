import Documents
import Encodings
import Testing

@Suite("Packages and bundles")
struct FileTests {
    private let document = AttachedDocument(
        name: Bytes(text: "Zeugnis für Ada.pdf"), mediaType: Bytes(text: "application/pdf"), content: Bytes(0...255))

    @Test("come back as they were written")
    func roundTrip() throws {
        let package = DocumentPackage(credential: Bytes(text: "a~b~"), document: document)
        #expect(try DocumentPackage.parse(package.formatted()) == package)
        let bare = DocumentPackage(credential: Bytes(text: "a~b~"), document: nil)
        #expect(try DocumentPackage.parse(bare.formatted()) == bare)
        let bundle = PresentationBundle(
            presentation: Bytes(text: "a~b~c"), document: document, status: [Bytes(text: "s")],
            receipt: Bytes(text: "line\nline\n\n— x y\n"))
        #expect(try PresentationBundle.parse(bundle.formatted()) == bundle)
        #expect(try JSON.parse(bundle.formatted()).canonical() == bundle.formatted())
        #expect(try JSON.parse(package.formatted()).canonical() == package.formatted())
    }

    @Test("are refused when cut anywhere")
    func truncated() throws {
        let file = PresentationBundle(
            presentation: Bytes(text: "a~b~c"), document: document, status: [], receipt: nil
        ).formatted()
        for end in 0..<file.count {
            #expect(throws: DocumentFileError.self) { try PresentationBundle.parse(Array(file[..<end])) }
        }
    }

    @Test(
        "are refused in any other form",
        arguments: [
            (#"{"format":"countersign-presentation-v1","presentation":"a~","status":[]} "#, .notCanonical),
            (#"{"presentation":"a~","format":"countersign-presentation-v1","status":[]}"#, .notCanonical),
            (#"{"format":"countersign-presentation-v1","presentation":"\u0061~","status":[]}"#, .notCanonical),
            (#"{"format":"countersign-presentation-v1","presentation":"a~","status":[],"x":1}"#, .unexpectedMember),
            (#"{"format":"countersign-presentation-v1","presentation":"a~"}"#, .unexpectedMember),
            (#"{"format":"countersign-presentation-v1","presentation":1,"status":[]}"#, .unexpectedMember),
            (#"{"format":"countersign-presentation-v1","presentation":"a~","status":[1]}"#, .unexpectedMember),
            (#"{"format":"countersign-package-v1","presentation":"a~","status":[]}"#, .unknownFormat),
            (#"{"format":"countersign-presentation-v1","presentation":"a~","status":["","","","",""]}"#, .tooMuch),
            (
                #"{"document":{},"format":"countersign-presentation-v1","presentation":"a~","status":[]}"#,
                .malformedDocument
            ),
            (#"[[[[[[]]]]]]"#, .notJSON(.tooDeep)),
            ("[" + String(repeating: "0,", count: 50) + "0]", .notJSON(.tooManyValues)),
        ] as [(String, DocumentFileError)])
    func otherForms(text: String, error: DocumentFileError) {
        #expect(throws: error) { try PresentationBundle.parse(Bytes(text: text)) }
    }

    @Test("are refused above their limit")
    func tooLarge() {
        let file = Bytes(repeating: 0x20, count: PresentationBundle.maximumSize + 1)
        #expect(throws: DocumentFileError.tooLarge) { try PresentationBundle.parse(file) }
        #expect(throws: DocumentFileError.tooLarge) { try DocumentPackage.parse(file) }
    }

    @Test(
        "take no names that deceive",
        arguments: [
            "", ".", "..", "a/b", "a\\b", "a\nb", "a\u{0}b", "a\u{7F}b", "a\u{85}b", "a\u{202E}fdp.exe", "a\u{2066}b",
            String(repeating: "x", count: 256),
        ])
    func names(name: String) {
        #expect(AttachedDocument(name: Bytes(text: name), mediaType: Bytes(text: "a/b"), content: []) == nil)
    }

    @Test("take no media types out of form", arguments: ["", "pdf", "a/b/c", "A/b", "a/b; c=d", "/b", "a/", "a/ b"])
    func mediaTypes(type: String) {
        #expect(AttachedDocument(name: [0x61], mediaType: Bytes(text: type), content: []) == nil)
    }

    @Test("describe a document so that any change shows")
    func descriptor() throws {
        let document = try #require(document)
        let descriptor = document.descriptor(suite: TrustingSuite())
        #expect(try DocumentDescriptor(json: descriptor.json) == descriptor)
        #expect(descriptor.matches(document, suite: TrustingSuite()))
        for other in [
            AttachedDocument(name: [0x61], mediaType: document.mediaType, content: document.content),
            AttachedDocument(name: document.name, mediaType: Bytes(text: "text/html"), content: document.content),
            AttachedDocument(name: document.name, mediaType: document.mediaType, content: document.content + [0]),
            AttachedDocument(name: document.name, mediaType: document.mediaType, content: document.content.reversed()),
        ] {
            #expect(!descriptor.matches(try #require(other), suite: TrustingSuite()))
        }
    }
}

@Suite("Claims")
struct CredentialClaimsTests {
    @Test("are read as they were written")
    func roundTrip() throws {
        let claims = CredentialClaims(
            issuer: Bytes(text: "https://university.example"), issuerName: Bytes(text: "University of Examples"),
            issuedAt: 1000, expiresAt: 2000, typeName: Bytes(text: "degree"), holderKey: try #require(key),
            status: StatusListEntry(uri: Bytes(text: "https://university.example/status/1"), index: 7))
        #expect(try CredentialClaims(payload: .object(claims.members)) == claims)
        #expect(claims.typeName.equals("degree"))
    }

    @Test(
        "name no issuer that is empty, too long, or turns the direction of writing",
        arguments: ["", String(repeating: "x", count: 1601), "Purple\u{202E}", "Purple\nUniversity"])
    func issuerName(name: String) throws {
        let claims = CredentialClaims(
            issuer: Bytes(text: "https://university.example"), issuerName: Bytes(text: name), issuedAt: 1000,
            expiresAt: nil, typeName: Bytes(text: "degree"), holderKey: try #require(key), status: nil)
        #expect(throws: CredentialClaimError.issuer) { try CredentialClaims(payload: .object(claims.members)) }
    }
}
