import BrowserCalls
import Certificates
import Documents
import EllipticCurves
import Encodings
import Verification

extension Browser {
    /// Signing a document for its holder, in two halves around the administrator's signature.
    static let issuing = [
        Function(
            "draft",
            [
                "issuer", "issuer_name", "time", "expires", "type", "holder_key", "status", "fields", "document",
                "chain",
            ],
            blobs: 1...2, draft),
        Function("draft_finish", ["signature"], blobs: 2...3, finishDraft),
    ]

    /// Blobs: 4096 random bytes, the document's bytes if there is one → the bytes to be signed, and what else
    /// `draft_finish` needs.
    private static func draft(_ call: Call) throws(BrowserError) -> Answer {
        let document = try document(call, content: call.blobs.count > 1 ? call.blobs[1] : nil)
        let type = try type(call)
        let (issuer, name) = (try call.text("issuer"), try call.text("issuer_name"))
        let (time, expires) = (try call.number("time"), try call.optionalNumber("expires"))
        let (holder, status) = (try call.key("holder_key"), try status(call))
        let (fields, chain) = (try call.object("fields"), try certificates(call))
        do {
            let draft = try CredentialDraft(
                type: type, issuer: issuer, issuerName: name, issuedAt: time, expiresAt: expires, holderKey: holder,
                status: StatusListEntry(uri: status.uri, index: status.index), fields: fields, document: document)
            let unsigned = try draft.unsigned(certificates: chain, random: call.blobs[0], suite: PureSuite())
            return Answer(blobs: [unsigned.signingInput, unsigned.disclosures])
        } catch {
            throw BrowserError(error)
        }
    }

    /// Blobs: signing input, what else `draft` gave, the document's bytes → `{credential_digest}` and the package to be
    /// sealed.
    private static func finishDraft(_ call: Call) throws(BrowserError) -> Answer {
        let signature = try call.bytes("signature", count: 64)
        let unsigned = UnsignedCredential(signingInput: call.blobs[0], disclosures: call.blobs[1])
        do throws(CredentialDraftError) {
            let signed = try unsigned.signed(
                signature, content: call.blobs.count > 2 ? call.blobs[2] : nil, suite: PureSuite())
            guard isSigned(signed.package.credential) else { throw CredentialDraftError.badSignature }
            return Answer([("credential_digest", .base64URL(signed.digest))], blobs: [signed.package.formatted()])
        } catch {
            throw BrowserError(error)
        }
    }

    /// Whether a credential is signed by the key of its first certificate.
    ///
    /// The server cannot look into what is sealed, and the holder could only refuse it.
    private static func isSigned(_ credential: Bytes) -> Bool {
        guard let parsed = try? UnverifiedSDJWT.parse(credential), let chain = try? parsed.certificates(),
            let leaf = try? Certificate.parse(chain[0])
        else { return false }
        return (try? parsed.signed(by: leaf.publicKey, suite: PureSuite())) != nil
    }

    /// The member `status`: `{uri, index}`.
    static func status(_ call: Call) throws(BrowserError) -> (uri: Bytes, index: Int64) {
        let value = try call.value("status")
        guard value.members?.count == 2, let uri = value["uri"]?.string, !uri.isEmpty, uri.count <= 1024,
            let index = value["index"]?.integer, index >= 0, index < 1 << 31
        else { throw BrowserError("wrong_type", member: "status", "is not a place in a status list.") }
        return (uri, index)
    }
}

extension BrowserError {
    fileprivate init(_ error: CredentialDraftError) {
        switch error {
        case .field(let error): self.init(error)
        case .credential(let error): self.init(error)
        case .alreadyExpired: self.init("already_expired", "The document would have expired already.")
        case .badIssuerName: self.init("bad_issuer_name", "The organisation's name has characters that are not shown.")
        case .notEnoughRandom: self.init("not_enough_random", "There are not enough random bytes.")
        case .badSignature: self.init("bad_signature", "The signature is not by the key of the first certificate.")
        case .otherFile: self.init(.documentAltered)
        case .fileMissing: self.init(.documentMissing)
        }
    }
}
