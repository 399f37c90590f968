import Certificates
import Documents
import Encodings
import Testing
import Transparency
import Verification

/// Takes every signature for good: the tests hold no private keys.
private struct TrustingSuite: CryptoSuite {
    func isValidP256(_ signature: Bytes, over message: Bytes, publicKey: Bytes) -> Bool { true }
    func isValidEd25519(_ signature: Bytes, over message: Bytes, publicKey: Bytes) -> Bool { true }
}

@Suite("A credential in the making")
struct DraftTests {
    private static let time: Int64 = 1_790_000_000
    private static let random = (0..<CredentialDraft.randomCount).map { UInt8(truncatingIfNeeded: $0 &* 73 >> 3) }
    private static let signature = Bytes(repeating: 7, count: 64)
    private let suite = TrustingSuite()
    private let all: Forgeries
    private let chain: [Bytes]
    private let key: P256PublicKey
    private let file = AttachedDocument(
        name: Bytes(text: "degree.pdf"), mediaType: Bytes(text: "application/pdf"), content: Bytes(text: "%PDF"))

    init() throws {
        all = try #require(Forgeries.all)
        let item = try #require(all.good.first { $0.name == "everything" })
        let presentation = try UnverifiedSDJWT.parse(try PresentationBundle.parse(item.file).presentation)
        chain = try presentation.certificates()
        key = try CredentialClaims(payload: presentation.credential.payload).holderKey
    }

    private static let fields = [
        JSON.Member("given_name", .text("Ada")), JSON.Member("family_name", .text("Østby")),
        JSON.Member("degree", .text("Master")), JSON.Member("field_of_study", .text("Logic")),
        JSON.Member("conferred_on", .text("2026-06-30")),
    ]

    private func draft(
        fields: [JSON.Member] = fields, issuerName: String = "Examples University", expires: Int64? = nil,
        document: AttachedDocument?
    ) throws(CredentialDraftError) -> CredentialDraft {
        try CredentialDraft(
            type: DocumentCatalogue.degree, issuer: Bytes(text: "https://university.example"),
            issuerName: Bytes(text: issuerName), issuedAt: Self.time, expiresAt: expires, holderKey: key,
            status: StatusListEntry(uri: Bytes(text: "https://university.example/status/1"), index: 5), fields: fields,
            document: document)
    }

    /// The log's receipt for a credential, under a signature that `TrustingSuite` takes.
    private func receipt(_ credential: Bytes) throws -> Bytes {
        let record = JSON.members([
            ("credential", .string(Base64.encode(credential, .url))), ("status_index", .integer(5)),
            ("status_uri", .text("https://university.example/status/1")),
        ])
        let opening = Bytes(repeating: 1, count: 32)
        let entry = try LogEntry(
            type: Bytes(text: "document.issued"), time: Self.time + 5, label: Bytes(repeating: 2, count: 32),
            commitment: try LogEntry.commitment(record: record, opening: opening)
        ).encoded()
        let checkpoint = try Checkpoint(
            origin: all.logKey.name, size: 1, root: MerkleTree.leafHash(entry, suite: suite))
        var note = try SignedNote(text: checkpoint.encoded())
        note.add(try all.logKey.line(Self.signature))
        return try Receipt.build(
            extra: ReceiptExtra(entry: entry, opening: opening, record: record), index: 0, hashes: [],
            checkpoint: note.encoded())
    }

    @Test("is signed, opened by its holder, and presented with chosen fields", arguments: [true, false])
    func wholeWay(withFile: Bool) throws {
        let file = withFile ? file : nil
        let unsigned = try draft(document: file).unsigned(certificates: chain, random: Self.random, suite: suite)
        // As the page keeps it while the key is at work.
        let kept = UnsignedCredential(signingInput: unsigned.signingInput, disclosures: unsigned.disclosures)
        let signed = try kept.signed(Self.signature, content: file?.content, suite: suite)
        #expect(signed.package.document == file)
        let package = try DocumentPackage.parse(signed.package.formatted())
        let receipt = try receipt(signed.digest)
        let root = try TrustAnchor(der: all.root)
        let held = try HeldDocument.verified(
            package,
            listed: ListedDocument(
                credentialDigest: Base64.encode(signed.digest, .url), type: Bytes(text: "degree"), receipt: receipt),
            holderKey: key, root: root, policy: LogPolicy(logKey: all.logKey), suite: suite)
        #expect(held.fields.count == Self.fields.count + (withFile ? 1 : 0))
        #expect(held.document == file)
        let shown = [Bytes(text: "degree"), Bytes(text: "family_name")]
        let presenting = try PresentationDraft(
            credential: held.credential, fields: shown, withDocument: withFile, audience: Bytes(text: "employer"),
            nonce: Bytes(text: "n"), time: Self.time + 60, suite: suite)
        let bundle = PresentationDraft(signingInput: presenting.signingInput, presentation: presenting.presentation)
            .bundle(signature: Self.signature, document: held.document, status: [], receipt: receipt)
        let report = Verifier(root: root, policy: LogPolicy(logKey: all.logKey), suite: suite).verify(
            bundle.formatted(),
            options: VerificationOptions(
                time: Self.time + 120, audience: Bytes(text: "employer"), nonce: Bytes(text: "n")))
        // There is no status token: everything else holds.
        #expect(report.verdict == .couldNotTell)
        #expect(report.check(.revocation).reason == .statusMissing)
        #expect(report.check(.freshness).reason == .freshByNonce)
        #expect(report.check(.receipt).reason == .logged)
        #expect(report.content?.fields.count == 2)
        // The certificates of this organisation say another name.
        let names = Bytes(text: "University of Examples (Examples University)")
        #expect(report.signer?.organisation == names && held.organisation == names)
        #expect(try Preview.read(bundle.formatted(), suite: suite).organisation == names)
        #expect(report.signer?.certifiedOrganisation == Bytes(text: "University of Examples"))
        #expect(report.content?.document?.name == file?.name)
    }

    @Test("is not shown to its holder under other certificates, or with the receipt of another credential")
    func refusedWhenHeld() throws {
        let root = try TrustAnchor(der: all.root)
        func open(chain: [Bytes], receiptFor digest: Bytes? = nil) throws -> HeldDocument {
            let signed = try draft(document: nil).unsigned(certificates: chain, random: Self.random, suite: suite)
                .signed(Self.signature, content: nil, suite: suite)
            return try HeldDocument.verified(
                signed.package,
                listed: ListedDocument(
                    credentialDigest: Base64.encode(signed.digest, .url), type: Bytes(text: "degree"),
                    receipt: try receipt(digest ?? signed.digest)),
                holderKey: key, root: root, policy: LogPolicy(logKey: all.logKey), suite: suite)
        }
        _ = try open(chain: chain)
        #expect(throws: HeldDocumentError.otherCredential) {
            try open(chain: chain, receiptFor: Bytes(repeating: 0, count: 32))
        }
        #expect(throws: HeldDocumentError.certificate(.issuerNameMismatch)) { try open(chain: chain.reversed()) }
        #expect(throws: HeldDocumentError.certificate(.issuerNameMismatch)) { try open(chain: [chain[0]]) }
        #expect(throws: HeldDocumentError.credential(.missingCertificates)) { try open(chain: []) }
    }

    @Test("has a new salt of its own for every claim, made of the given bytes only")
    func salts() throws {
        let draft = try draft(document: file)
        let one = try draft.unsigned(certificates: chain, random: Self.random, suite: suite)
        #expect(
            try draft.unsigned(certificates: chain, random: Self.random, suite: suite).disclosures == one.disclosures)
        let disclosures = try one.disclosures.split(at: 0x7E).filter { !$0.isEmpty }.map { try Disclosure.parse($0) }
        #expect(disclosures.count == 6)
        for (index, disclosure) in disclosures.enumerated() {
            #expect(Base64.decode(disclosure.salt, .url) == Array(Self.random[index * 16..<index * 16 + 16]))
        }
        let enough = Array(Self.random.prefix(6 * 16))
        #expect(try draft.unsigned(certificates: chain, random: enough, suite: suite).disclosures == one.disclosures)
        #expect(throws: CredentialDraftError.notEnoughRandom) {
            try draft.unsigned(certificates: chain, random: Array(enough.dropLast()), suite: suite)
        }
        #expect(CredentialDraft.randomCount / 16 > DocumentCatalogue.types.map(\.fields.count).max() ?? 0)
    }

    @Test("is refused with fields that do not fit, or when it would have expired")
    func refused() throws {
        let missing = Array(Self.fields.dropLast())
        #expect(throws: CredentialDraftError.field(try #require(fieldError(missing)))) {
            try draft(fields: missing, document: nil)
        }
        #expect(fieldError(missing)?.reason == .missing)
        #expect(throws: CredentialDraftError.alreadyExpired) { try draft(expires: Self.time, document: nil) }
        _ = try draft(expires: Self.time + 1, document: nil)
        #expect(throws: CredentialDraftError.badIssuerName) { try draft(issuerName: "", document: nil) }
    }

    private func fieldError(_ fields: [JSON.Member]) -> FieldError? {
        do {
            try DocumentCatalogue.degree.validate(fields)
            return nil
        } catch {
            return error
        }
    }

    @Test("takes only its own file, and only a signature of 64 bytes")
    func finish() throws {
        let file = try #require(file)
        let with = try draft(document: file).unsigned(certificates: chain, random: Self.random, suite: suite)
        let without = try draft(document: nil).unsigned(certificates: chain, random: Self.random, suite: suite)
        #expect(throws: CredentialDraftError.otherFile) {
            try with.signed(Self.signature, content: file.content + [0], suite: suite)
        }
        #expect(throws: CredentialDraftError.fileMissing) {
            try with.signed(Self.signature, content: nil, suite: suite)
        }
        #expect(throws: CredentialDraftError.fileMissing) {
            try without.signed(Self.signature, content: file.content, suite: suite)
        }
        for count in [0, 63, 65] {
            #expect(throws: CredentialDraftError.badSignature) {
                try without.signed(Bytes(repeating: 1, count: count), content: nil, suite: suite)
            }
        }
        let broken = UnsignedCredential(signingInput: with.signingInput, disclosures: Bytes(text: "?~"))
        #expect(throws: CredentialDraftError.credential(.malformedDisclosure)) {
            try broken.signed(Self.signature, content: nil, suite: suite)
        }
    }
}

@Suite("A presentation in the making")
struct PresentationDraftTests {
    private let suite = TrustingSuite()
    private let credential: Bytes

    init() throws {
        let all = try #require(Forgeries.all)
        let item = try #require(all.good.first { $0.name == "everything" })
        credential = try UnverifiedSDJWT.parse(try PresentationBundle.parse(item.file).presentation).boundText
    }

    private func draft(
        fields: [String]?, withDocument: Bool, credential: Bytes? = nil, audience: Bytes = Bytes(text: "a"),
        nonce: Bytes = Bytes(text: "n")
    ) throws(PresentationDraftError) -> PresentationDraft {
        try PresentationDraft(
            credential: credential ?? self.credential, fields: fields.map { $0.map { Bytes(text: $0) } },
            withDocument: withDocument, audience: audience, nonce: nonce, time: 1_790_000_000, suite: suite)
    }

    private func names(_ draft: PresentationDraft) throws -> [String] {
        try UnverifiedSDJWT.parse(draft.presentation).disclosures.compactMap { $0.name.map(string) }.sorted()
    }

    @Test("shows the chosen fields, and the file only when it goes along")
    func choice() throws {
        let everything = ["degree", "document", "family_name", "given_name"]
        #expect(try names(draft(fields: nil, withDocument: true)) == everything)
        #expect(try names(draft(fields: nil, withDocument: false)) == everything.filter { $0 != "document" })
        #expect(try names(draft(fields: [], withDocument: true)) == ["document"])
        #expect(try names(draft(fields: [], withDocument: false)) == [])
        #expect(try names(draft(fields: ["degree", "document"], withDocument: false)) == ["degree"])
        #expect(try draft(fields: [], withDocument: false).presentation.last == 0x7E)
    }

    @Test("leaves a file that is not there, unless it was asked for beside named fields")
    func noFile() throws {
        let short = try draft(fields: ["degree"], withDocument: false).presentation
        #expect(try names(draft(fields: nil, withDocument: true, credential: short)) == ["degree"])
        #expect(throws: PresentationDraftError.noFile) {
            try draft(fields: ["degree"], withDocument: true, credential: short)
        }
    }

    @Test("is refused without a verifier, without a nonce, for unknown fields, for anything but a credential")
    func refused() throws {
        let long = Bytes(repeating: 0x61, count: 513)
        for bad in [Bytes(), long] {
            #expect(throws: PresentationDraftError.badAudience) {
                try draft(fields: nil, withDocument: true, audience: bad)
            }
            #expect(throws: PresentationDraftError.badNonce) {
                try draft(fields: nil, withDocument: true, nonce: bad)
            }
        }
        _ = try draft(fields: nil, withDocument: true, audience: Array(long.dropLast()), nonce: Array(long.dropLast()))
        #expect(throws: PresentationDraftError.unknownField) {
            try draft(fields: ["iq"], withDocument: false)
        }
        #expect(throws: PresentationDraftError.malformed(.malformed)) {
            try draft(fields: nil, withDocument: true, credential: [])
        }
    }
}
