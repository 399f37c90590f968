import Encodings
package import Interface
package import Pico

/// Who asks to be signed in to this wallet's own server.
extension WalletClient {
    /// Who shows a code, for the person to look at before anything is proved.
    ///
    /// The page that shows it learns that a wallet has it.
    ///
    /// - Returns: `nil` for a code of another service, of which the server knows nothing, or one that no longer counts.
    /// - Throws: `WalletError.notSignedIn`.
    package func picoAsking(_ code: PicoAuthenticationCode) async throws -> PicoAsking? {
        let own = Bytes(text: "\(server.address.text)/channel/")
        guard code.address.text.starts(with: own) else { return nil }
        do {
            return try await session().picoAsking(String(decoding: code.address.channel, as: UTF8.self))
        } catch let error as ProblemError where error.slug == "not-found" {
            return nil
        } catch let error as ProblemError where error.slug == "unauthenticated" {
            throw WalletError.notSignedIn
        }
    }
}

extension ServerClient {
    fileprivate func picoAsking(_ channel: String) async throws -> PicoAsking {
        try await get("/api/pico/asking/\(Self.segment(channel))")
    }
}
