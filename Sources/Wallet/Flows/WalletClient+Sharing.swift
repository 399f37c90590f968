import CryptoProvider
package import Encodings
package import Interface

/// A link that was made; link and code are shown this once, and travel apart.
package struct NewLink: Sendable {
    /// As the server lists it.
    package let share: Share
    /// The link with its key.
    package let link: SharedLink
    /// To be told the verifier another way than the link.
    package let code: String
}

extension WalletClient {
    /// Puts a presentation where a verifier can fetch it with link and code.
    ///
    /// - Parameters:
    ///   - lifetime: in seconds.
    ///   - maximumViews: how often it may be opened.
    package func share(
        _ presentation: Presentation, of document: String, lifetime: Int64, maximumViews: Int
    ) async throws -> NewLink {
        let key = RandomBytes.make(32)
        let sealed = try SecretBox(key: key).seal(presentation.file, purpose: SharedLink.purpose)
        let check = SharedLink(server: wallet.header.publicURL, id: "", key: key).keyCheck
        let share = try await session().share(
            NewShare(
                sealed: sealed.base64URL, lifetime: lifetime, maximumViews: maximumViews, document: document,
                keyCheck: check))
        guard let code = share.code else { throw WalletError.unexpectedAnswer("no code") }
        let link = SharedLink(server: wallet.header.publicURL, id: try ServerClient.segment(share.id), key: key)
        return NewLink(share: share, link: link, code: code)
    }

    /// The account's links.
    package func shares() async throws -> [Share] { try await session().shares() }
    /// Stops a link at once.
    package func stopShare(_ id: String) async throws { try await session().stopShare(id) }

    /// Fetches what a link shows: the one file, not verified.
    ///
    /// Needs no wallet.
    ///
    /// - Parameter server: another way to the link's server than its public address.
    package static func fetch(
        _ link: SharedLink, code: String, through server: ServerClient? = nil
    ) async throws -> (file: Bytes, viewsLeft: Int) {
        let client = try server ?? ServerClient(address: ServerAddress(link.server))
        let shared = try await client.openShare(link.id, ShareOpening(code: code, keyCheck: link.keyCheck))
        guard let sealed = shared.sealed.fromBase64URL,
            let file = try? SecretBox(key: link.key).open(sealed, purpose: SharedLink.purpose)
        else { throw WalletError.badDocument("the link's key does not open what the server gave") }
        return (file, shared.viewsLeft)
    }
}
