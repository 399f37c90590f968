import BrowserCalls
import Documents
import EllipticCurves
import Encodings
import Transparency
import Verification

extension Browser {
    /// Documents that this wallet holds.
    static let heldDocuments = [
        Function(
            "open_package", ["root", "log_key", "signing_key", "type", "credential_digest", "receipt", "language"],
            blobs: 1...1,
            openPackage)
    ]

    /// Blob: an opened package → its contents, once it is proved to be this wallet's and the one that the server
    /// listed.
    ///
    /// Blobs: the credential with every disclosure, and the document if there is one.
    private static func openPackage(_ call: Call) throws(BrowserError) -> Answer {
        let language = try language(call)
        let root = try anchor(der: call.bytes("root"))
        let policy = try policy(call.text("log_key"))
        let key = try call.key("signing_key")
        let listed = ListedDocument(
            credentialDigest: try call.text("credential_digest"), type: try call.text("type"),
            receipt: try call.text("receipt", maximum: 1 << 17))
        let package: DocumentPackage
        do {
            package = try DocumentPackage.parse(call.blobs[0])
        } catch {
            throw BrowserError(error)
        }
        let held: HeldDocument
        do {
            held = try HeldDocument.verified(
                package, listed: listed, holderKey: key, root: root, policy: policy, suite: PureSuite())
        } catch {
            throw BrowserError(error)
        }
        return Answer(value(held, language), blobs: [held.credential] + (held.document.map { [$0.content] } ?? []))
    }

    private static func value(_ held: HeldDocument, _ language: Bytes) -> JSON {
        let type = DocumentCatalogue.type(named: held.claims.typeName)
        let fields = held.fields.filter { !$0.name.equals("document") }
        var members: [(String, JSON)] = [
            ("claims", .object(fields)), ("fields", labelled(fields, type, language)),
            ("signer", .string(held.signer)), ("organisation", .string(held.organisation)),
            ("issued_at", .integer(held.claims.issuedAt)),
            (
                "act",
                .members([("index", .integer(Int64(held.act.index))), ("time", .integer(held.act.entry.time))])
            ),
            ("status_uris", .array(held.statusURIs.map { .string($0) })),
        ]
        if let type { members.append(("title", .text(type.title(in: language)))) }
        if let time = held.claims.expiresAt { members.append(("expires_at", .integer(time))) }
        if let document = held.document {
            let about = JSON.members([
                ("name", .string(document.name)), ("media_type", .string(document.mediaType)),
                ("size", .integer(Int64(document.content.count))),
            ])
            members.append(("document", about))
        }
        return .members(members)
    }
}

extension BrowserError {
    fileprivate init(_ error: HeldDocumentError) {
        switch error {
        case .credential(let error): self.init(error)
        case .receipt(let error): self.init(error)
        case .certificate(let error): self.init(error)
        case .claims(let error): self.init(error)
        case .notTheListed: self.init("not_the_listed", "The package holds another document than the one listed.")
        case .otherAct: self.init("receipt_of_another_act", "The receipt proves another act.")
        case .otherCredential: self.init(.receiptForAnotherCredential)
        case .otherIssuerOrType: self.init("other_issuer_or_type", "The document is of another issuer or type.")
        case .otherHolder: self.init("other_holder", "The document is bound to another key than this wallet's.")
        case .otherFile: self.init(.documentAltered)
        case .fileMissing: self.init("document_missing", "The file of the document is missing, or is one too many.")
        }
    }
}
