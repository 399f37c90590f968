import Certificates
import Documents
import Encodings
import Testing
import Transparency
import Verification

@Suite("A holder's own document")
struct HeldDocumentTests {
    private let all: Forgeries
    private let bundle: PresentationBundle
    private let credential: UnverifiedSDJWT

    init() throws {
        all = try #require(Forgeries.all)
        let item = try #require(all.good.first { $0.name == "everything" })
        bundle = try PresentationBundle.parse(item.file)
        credential = try UnverifiedSDJWT.parse(bundle.presentation)
    }

    private var digest: Bytes { Base64.encode(credential.credentialDigest(suite: all.suite), .url) }

    private func open(
        credential text: Bytes? = nil, document: AttachedDocument?? = nil, digest: Bytes? = nil,
        type: Bytes = Bytes(text: "degree"), receipt: Bytes? = nil, holder: P256PublicKey? = nil,
        logKey: NoteVerifierKey? = nil
    ) throws -> HeldDocument {
        let claims = try CredentialClaims(payload: credential.credential.payload)
        return try HeldDocument.verified(
            DocumentPackage(credential: text ?? credential.boundText, document: document ?? bundle.document),
            listed: ListedDocument(
                credentialDigest: digest ?? self.digest, type: type, receipt: receipt ?? bundle.receipt ?? []),
            holderKey: holder ?? claims.holderKey, root: try TrustAnchor(der: all.root),
            policy: LogPolicy(logKey: logKey ?? all.logKey), suite: all.suite)
    }

    @Test("is opened with what its issuer, the log and its file say")
    func opened() throws {
        let held = try open()
        #expect(string(held.signer) == "Ada Admin")
        #expect(string(held.claims.typeName) == "degree")
        #expect(held.act.entry.time == 1_790_000_060)
        #expect(held.document == bundle.document)
        #expect(held.fields.map { string($0.name) }.sorted() == ["degree", "document", "family_name", "given_name"])
        #expect(held.credential == credential.boundText)
        #expect(held.statusURIs.count == 2)
        #expect(held.statusURIs.allSatisfy { $0.starts(with: held.claims.issuer) })
    }

    @Test("is refused when it is not the listed one, or of another type")
    func listing() throws {
        #expect(throws: HeldDocumentError.notTheListed) { try open(digest: Base64.encode(Bytes([1]), .url)) }
        #expect(throws: HeldDocumentError.otherIssuerOrType) { try open(type: Bytes(text: "transcript")) }
        #expect(throws: HeldDocumentError.otherAct) { try open(type: Bytes(text: "identity")) }
        #expect(throws: HeldDocumentError.credential(.malformed)) { try open(credential: Bytes(text: "x")) }
    }

    @Test("is refused without the log's receipt for it")
    func receipts() throws {
        #expect(throws: HeldDocumentError.receipt(.malformedProof)) { try open(receipt: []) }
        let other = try NoteVerifierKey(name: all.logKey.name, publicKey: Bytes(repeating: 3, count: 32))
        #expect(throws: HeldDocumentError.receipt(.unsigned)) { try open(logKey: other) }
    }

    @Test("is refused for another holder or another file")
    func others() throws {
        let key = try #require(P256PublicKey(x963: [4] + Bytes(repeating: 9, count: 64)))
        #expect(throws: HeldDocumentError.otherHolder) { try open(holder: key) }
        let document = try #require(bundle.document)
        let changed = AttachedDocument(
            name: document.name, mediaType: document.mediaType, content: document.content + [0])
        #expect(throws: HeldDocumentError.otherFile) { try open(document: .some(changed)) }
        #expect(throws: HeldDocumentError.fileMissing) { try open(document: .some(nil)) }
        let names = [Bytes(text: "degree")]
        let short = try credential.presentation(disclosing: names)
        #expect(throws: HeldDocumentError.fileMissing) { try open(credential: short) }
        #expect(try open(credential: short, document: .some(nil)).fields.count == 1)
    }

    @Test("is refused when a byte of the credential is another, wherever it is")
    func changedBytes() throws {
        for position in stride(from: 0, to: credential.boundText.count, by: 61) {
            var text = credential.boundText
            text[position] = text[position] == 0x41 ? 0x42 : 0x41
            // The digest that the server lists is that of the changed text: it must fail for a better reason.
            let digest = Base64.encode(SHA256.hash(text.split(at: 0x7E)[0]), .url)
            #expect(throws: HeldDocumentError.self) { try open(credential: text, digest: digest) }
        }
    }
}
