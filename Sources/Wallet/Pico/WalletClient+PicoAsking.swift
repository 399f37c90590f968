import Encodings
package import Interface
package import Pico

/// Who shows a code, as far as the wallet's own server knows.
package enum PicoAsker: Sendable, Equatable {
    /// A browser that asks to be signed in to the server.
    case browser(PicoAsking)
    /// The code is for the server, which knows no such code: it is over, or somebody passes messages on.
    case nobody
    /// The code is of another service.
    case otherService
}

/// Who asks to be signed in to this wallet's own server.
extension WalletClient {
    /// Who shows a code, for the person to look at before anything is proved.
    ///
    /// The page that shows it learns that a wallet has it.
    ///
    /// - Throws: `WalletError.notSignedIn`.
    package func picoAsker(of code: PicoAuthenticationCode) async throws -> PicoAsker {
        let own = Bytes(text: "\(server.address.text)/channel/")
        do {
            let session = try session()
            guard code.address.text.starts(with: own) else {
                return try await session.isPicoService(code.service) ? .nobody : .otherService
            }
            do {
                let channel = String(decoding: code.address.channel, as: UTF8.self)
                return .browser(try await session.picoAsking(channel))
            } catch let error as ProblemError where error.slug == "not-found" {
                return try await session.isPicoService(code.service) ? .nobody : .otherService
            }
        } catch let error as ProblemError where error.slug == "unauthenticated" {
            throw WalletError.notSignedIn
        }
    }

    /// Says that the person did not ask to be signed in where a code of this wallet's own server is shown: it is over.
    ///
    /// A code that is over already, or a server that is away, is not told.
    package func denyPico(_ code: PicoAuthenticationCode) async {
        try? await session().denyPico(String(decoding: code.address.channel, as: UTF8.self))
    }

    /// What stands for this wallet's own server among the services of its accounts.
    ///
    /// - Throws: `WalletError.notSignedIn`; `WalletError.tampered` for an answer that is no commitment.
    package func picoOwnService() async throws -> PicoCommitment {
        do {
            let own = try await session().picoOwnService()
            guard let bytes = Hex.decode(Bytes(text: own.commitment)), let commitment = PicoCommitment(bytes: bytes)
            else {
                throw WalletError.tampered
            }
            return commitment
        } catch let error as ProblemError where error.slug == "unauthenticated" {
            throw WalletError.notSignedIn
        }
    }
}

extension ServerClient {
    fileprivate func picoAsking(_ channel: String) async throws -> PicoAsking {
        try await get("/api/pico/asking/\(Self.segment(channel))")
    }

    fileprivate func denyPico(_ channel: String) async throws {
        try await postNothing("/api/pico/asking/\(Self.segment(channel))/deny", NoMembers())
    }

    /// Whether a commitment is this server's own.
    fileprivate func isPicoService(_ service: PicoCommitment) async throws -> Bool {
        try await picoOwnService().commitment == service.bytes.hex
    }

    fileprivate func picoOwnService() async throws -> PicoOwnService { try await get("/api/pico/service") }
}
