import BrowserCalls
import Documents
import EllipticCurves
import Encodings
import Verification

extension Browser {
    /// Showing a document to a verifier, in two halves around the holder's signature.
    static let presenting = [
        Function(
            "present", ["audience", "nonce", "time", "lifetime", "fields", "with_document"], blobs: 1...1, present),
        Function("present_finish", ["signature", "status", "receipt", "document"], blobs: 2...3, finishPresentation),
    ]

    /// Blob: a credential → the bytes to be signed, and the presentation without key binding.
    ///
    /// `fields` null or absent shows all of them; `lifetime` is for how many seconds it is good, 30 days if it is absent.
    private static func present(_ call: Call) throws(BrowserError) -> Answer {
        let fields =
            call.optional("fields") == nil
            ? nil : try call.texts("fields", maximumCount: UnverifiedSDJWT.maximumDisclosures)
        let (audience, nonce, time) = (try call.text("audience"), try call.text("nonce"), try call.number("time"))
        let withDocument = try call.flag("with_document")
        let lifetime = try call.optionalNumber("lifetime") ?? KeyBinding.usualLifetime
        do {
            let draft = try PresentationDraft(
                credential: call.blobs[0], fields: fields, withDocument: withDocument, audience: audience,
                nonce: nonce, time: time, lifetime: lifetime, suite: PureSuite())
            return Answer(blobs: [draft.signingInput, draft.presentation])
        } catch {
            throw BrowserError(error)
        }
    }

    /// Blobs: signing input, presentation, the document's bytes if it goes along → the one file.
    private static func finishPresentation(_ call: Call) throws(BrowserError) -> Answer {
        let draft = PresentationDraft(signingInput: call.blobs[0], presentation: call.blobs[1])
        let bundle = draft.bundle(
            signature: try call.bytes("signature", count: 64),
            document: try document(call, content: call.blobs.count > 2 ? call.blobs[2] : nil),
            status: try call.texts("status", maximumCount: 4, maximum: 1 << 19),
            receipt: try call.optionalText("receipt", maximum: 1 << 16))
        try checkHolder(bundle.presentation)
        return Answer(blobs: [bundle.formatted()])
    }

    /// Refuses a signature by another key than the one that the credential is bound to, before a verifier does.
    private static func checkHolder(_ presentation: Bytes) throws(BrowserError) {
        let parsed: UnverifiedSDJWT
        do { parsed = try UnverifiedSDJWT.parse(presentation) } catch { throw BrowserError(error) }
        let claims: CredentialClaims
        do { claims = try CredentialClaims(payload: parsed.credential.payload) } catch { throw BrowserError(error) }
        do {
            _ = try KeyBinding.verified(in: parsed, holder: claims.holderKey, suite: PureSuite())
        } catch {
            throw BrowserError(Reason(error))
        }
    }

    /// The member `document`, `{name, media_type}`, with the bytes that belong to it; neither goes without the other.
    static func document(_ call: Call, content: Bytes?) throws(BrowserError) -> AttachedDocument? {
        guard let about = call.optional("document") else {
            guard content == nil else {
                throw BrowserError("missing_member", member: "document", "is missing, and there is a blob for it.")
            }
            return nil
        }
        guard let content else { throw BrowserError("missing_blob", "The document's bytes are missing.") }
        guard about.members?.count == 2, let name = about["name"]?.string, let type = about["media_type"]?.string,
            let document = AttachedDocument(name: name, mediaType: type, content: content)
        else { throw BrowserError(.documentMalformed) }
        return document
    }
}

extension BrowserError {
    fileprivate init(_ error: PresentationDraftError) {
        switch error {
        case .malformed(let error): self.init(error)
        case .badAudience: self.init("bad_audience", "The verifier must be named, in at most 512 bytes.")
        case .badNonce: self.init("bad_nonce", "The nonce is empty or too long.")
        case .badLifetime: self.init("bad_lifetime", "A presentation is good for a second to 366 days.")
        case .noFile: self.init("no_file", "This document has no file to go along.")
        case .unknownField: self.init("unknown_field", "The document has no such field.")
        }
    }
}
