import CryptoProvider
package import Documents
package import Encodings
import Interface
package import Verification

/// The claims to show, and the verifier.
package struct PresentationChoice: Sendable {
    /// The verifier: a name or address that they gave.
    package var audience: String
    /// The verifier's nonce; without one the wallet makes it, and the result is fresh by its time only.
    package var nonce: String?
    /// The fields to disclose; `nil` for all.
    package var fields: [String]?
    /// Whether the file goes along.
    package var withDocument: Bool
    /// For how many seconds it is good, at most `KeyBinding.greatestLifetime`.
    package var lifetime: Int64

    /// A choice.
    package init(
        audience: String, nonce: String? = nil, fields: [String]? = nil, withDocument: Bool = true,
        lifetime: Int64 = KeyBinding.usualLifetime
    ) {
        self.audience = audience
        self.nonce = nonce
        self.fields = fields
        self.withDocument = withDocument
        self.lifetime = lifetime
    }
}

/// The one file for a verifier, already verified in the same way as the verifier will.
package struct Presentation: Sendable {
    /// The parts.
    package let bundle: PresentationBundle
    /// The file's bytes.
    package let file: Bytes
    /// The nonce that was signed.
    package let nonce: String
    /// Whether the wallet made the nonce.
    package let isOwnNonce: Bool
    /// When it lapses, in seconds since 1970.
    package let end: Int64
    /// What the verifier's check will say.
    package let report: VerificationReport
}

extension WalletClient {
    /// Presents a document: chosen fields, bound to verifier, nonce and time, with fresh status and the receipt.
    package func present(_ id: String, _ choice: PresentationChoice) async throws -> Presentation {
        let held = try await open(id)
        let nonce = choice.nonce ?? RandomBytes.randomToken(count: 16)
        let made = now()
        let draft: PresentationDraft
        do {
            draft = try PresentationDraft(
                credential: held.credential, fields: choice.fields?.map { Bytes(text: $0) },
                withDocument: choice.withDocument, audience: Bytes(text: choice.audience), nonce: Bytes(text: nonce),
                time: made, lifetime: choice.lifetime, suite: suite)
        } catch {
            throw WalletError(error)
        }
        let bundle = draft.bundle(
            signature: try wallet.signingKey().sign(draft.signingInput),
            document: choice.withDocument ? held.document : nil, status: try await statusTokens(held.statusURIs),
            receipt: Bytes(text: held.act.receipt))
        let pinned = try trust()
        // The status was fetched since: by the time before it would come from the future.
        let report = Verifier(root: pinned.root, policy: pinned.policy, suite: suite).verify(
            bundle,
            options: VerificationOptions(
                time: now(), audience: Bytes(text: choice.audience), nonce: Bytes(text: nonce)))
        return Presentation(
            bundle: bundle, file: bundle.formatted(), nonce: nonce, isOwnNonce: choice.nonce == nil,
            end: made + choice.lifetime, report: report)
    }

    /// Fresh status list tokens, each list once.
    ///
    /// They come from this wallet's server only.
    private func statusTokens(_ uris: [String]) async throws -> [Bytes] {
        var tokens: [Bytes] = []
        var seen: [String] = []
        let base = wallet.header.publicURL + "/status/"
        for uri in uris where !seen.contains(uri) {
            guard uri.hasPrefix(base) else { throw WalletError.badDocument("its status is kept somewhere else") }
            let list = try ServerClient.segment(String(uri.dropFirst(base.count)))
            tokens.append(try await server.bytes("/status/\(list)", limit: 1 << 19))
            seen.append(uri)
        }
        return tokens
    }
}

extension WalletError {
    fileprivate init(_ error: PresentationDraftError) {
        switch error {
        case .badAudience: self = .invalid("the verifier must be named, in at most 512 bytes")
        case .badNonce: self = .invalid("the nonce must have 1 to 512 bytes")
        case .badLifetime: self = .invalid("a presentation is good for a second to 366 days")
        case .noFile: self = .invalid("this document has no file to show")
        case .unknownField: self = .invalid("the document has no such field")
        case .malformed(let error): self = .badDocument("\(error)")
        }
    }
}
