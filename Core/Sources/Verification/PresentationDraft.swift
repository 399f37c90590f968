public import Documents
public import Encodings

/// Why a presentation cannot be made.
public enum PresentationDraftError: Error, Equatable, Sendable {
    /// The verifier's name is empty or longer than 512 bytes.
    case badAudience
    /// The nonce is empty or longer than 512 bytes.
    case badNonce
    /// Named fields and the file were asked for, and there is no file.
    case noFile
    /// The document has no such field.
    case unknownField
    /// The time that it is good for is not from a second to 366 days.
    case badLifetime
    /// The document is no credential.
    case malformed(SDJWTError)
}

/// A presentation that waits for the holder's signature.
///
/// If the key is elsewhere, its two parts are kept until the signature comes.
public struct PresentationDraft: Sendable {
    /// The bytes to be signed with ES256.
    public let signingInput: Bytes
    /// The issuer-signed JWT with the chosen disclosures, without key binding.
    public let presentation: Bytes

    private static let maximumText = 512

    /// Takes up a presentation whose parts were kept.
    public init(signingInput: Bytes, presentation: Bytes) {
        self.signingInput = signingInput
        self.presentation = presentation
    }

    /// Chooses what is shown, and binds it to verifier, nonce and time.
    ///
    /// - Parameters:
    ///   - credential: the SD-JWT with all disclosures.
    ///   - fields: the fields to disclose, `document` not among them; `nil` for all.
    ///   - withDocument: whether the file goes along, if there is one.
    ///   - audience: the verifier: a name or address that they gave.
    ///   - nonce: the verifier's, or one that the wallet made.
    ///   - time: now, in seconds since 1970.
    ///   - lifetime: for how long it is good, in seconds, from 1 to `KeyBinding.greatestLifetime`.
    public init<Suite: CryptoSuite>(
        credential: Bytes, fields: [Bytes]?, withDocument: Bool, audience: Bytes, nonce: Bytes, time: Int64,
        lifetime: Int64 = KeyBinding.usualLifetime, suite: Suite
    ) throws(PresentationDraftError) {
        guard !audience.isEmpty, audience.count <= Self.maximumText else { throw .badAudience }
        guard !nonce.isEmpty, nonce.count <= Self.maximumText else { throw .badNonce }
        guard lifetime > 0, lifetime <= KeyBinding.greatestLifetime else { throw .badLifetime }
        let parsed: UnverifiedSDJWT
        do { parsed = try UnverifiedSDJWT.parse(credential) } catch { throw .malformed(error) }
        let all = parsed.disclosures.compactMap { $0.name }
        let document = Bytes(text: "document")
        let hasDocument = all.contains(document)
        guard !withDocument || hasDocument || fields == nil else { throw .noFile }
        var names = fields ?? all
        names.removeAll { $0 == document }
        if withDocument, hasDocument { names.append(document) }
        do {
            presentation = try parsed.presentation(disclosing: names)
        } catch {
            throw .unknownField
        }
        signingInput = KeyBinding.signingInput(
            audience: audience, nonce: nonce, issuedAt: time, expiresAt: time + lifetime, presentation: presentation,
            suite: suite)
    }

    /// The one file for the verifier.
    ///
    /// - Parameters:
    ///   - signature: r and s, 64 bytes, by the key of the holder's device.
    ///   - document: the file, when it goes along.
    ///   - status: fresh status list tokens for all lists of the document.
    ///   - receipt: the log's receipt of the issue.
    public func bundle(
        signature: Bytes, document: AttachedDocument?, status: [Bytes], receipt: Bytes?
    ) -> PresentationBundle {
        PresentationBundle(
            presentation: KeyBinding.presentation(presentation, signingInput: signingInput, signature: signature),
            document: document, status: status, receipt: receipt)
    }
}
