import CryptoProvider
package import Documents
package import Encodings
import Interface
package import Verification

/// What to show, and to whom.
package struct PresentationChoice: Sendable {
    /// The verifier: a name or address that she gave.
    package var audience: String
    /// The verifier's nonce; without one the wallet makes it, and the result is fresh by its time only.
    package var nonce: String?
    /// The fields to disclose; `nil` for all.
    package var fields: [String]?
    /// Whether the file goes along.
    package var withDocument: Bool

    /// A choice.
    package init(audience: String, nonce: String? = nil, fields: [String]? = nil, withDocument: Bool = true) {
        self.audience = audience
        self.nonce = nonce
        self.fields = fields
        self.withDocument = withDocument
    }
}

/// The one file for a verifier, already verified the way she will.
package struct Presentation: Sendable {
    /// The parts.
    package let bundle: PresentationBundle
    /// The file's bytes.
    package let file: Bytes
    /// The nonce that was signed.
    package let nonce: String
    /// Whether the wallet made the nonce.
    package let isOwnNonce: Bool
    /// What the verifier's check will say.
    package let report: VerificationReport
}

extension WalletClient {
    /// Presents a document: chosen fields, bound to verifier, nonce and time, with fresh status and the receipt.
    package func present(_ id: String, _ choice: PresentationChoice) async throws -> Presentation {
        guard !choice.audience.isEmpty, choice.audience.utf8.count <= 512 else {
            throw WalletError.invalid("the verifier must be named, in at most 512 bytes")
        }
        let held = try await open(id)
        guard !choice.withDocument || held.document != nil || choice.fields == nil else {
            throw WalletError.invalid("this document has no file to go along")
        }
        let credential = try UnverifiedSDJWT.parse(held.credential)
        let shown: Bytes
        do {
            shown = try credential.presentation(disclosing: Self.names(choice, of: held))
        } catch {
            throw WalletError.invalid("the document has no such field")
        }
        let nonce = choice.nonce ?? RandomBytes.randomToken(count: 16)
        let input = KeyBinding.signingInput(
            audience: Bytes(text: choice.audience), nonce: Bytes(text: nonce), issuedAt: now(), presentation: shown,
            suite: suite)
        let presentation = KeyBinding.presentation(
            shown, signingInput: input, signature: try wallet.signingKey().sign(input))
        let bundle = PresentationBundle(
            presentation: presentation, document: choice.withDocument ? held.document : nil,
            status: try await statusTokens(held.statusURIs), receipt: Bytes(text: held.act.receipt))
        let pinned = try trust()
        let report = Verifier(root: pinned.root, logKey: pinned.logKey, suite: suite).verify(
            bundle,
            options: VerificationOptions(
                time: now(), audience: Bytes(text: choice.audience), nonce: Bytes(text: nonce)))
        return Presentation(
            bundle: bundle, file: bundle.formatted(), nonce: nonce, isOwnNonce: choice.nonce == nil, report: report)
    }

    private static func names(_ choice: PresentationChoice, of held: HeldDocument) -> [Bytes] {
        var names = choice.fields?.map { Bytes(text: $0) } ?? held.fields.map(\.name)
        names.removeAll { $0.equals("document") }
        if choice.withDocument, held.document != nil { names.append(Bytes(text: "document")) }
        return names
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
