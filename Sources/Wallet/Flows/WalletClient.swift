package import CryptoProvider
import Encodings
package import Interface
import Transparency

/// One person's unlocked wallet and their server: every flow of the command line, for other programs too.
///
/// Nothing is reported as done before its receipt was verified against the pinned log key.
package actor WalletClient {
    var wallet: UnlockedWallet
    let server: ServerClient
    /// Seconds since 1970.
    let now: @Sendable () -> Int64
    let suite = SwiftCryptoSuite()

    init(wallet: UnlockedWallet, server: ServerClient, now: @escaping @Sendable () -> Int64) {
        self.wallet = wallet
        self.server = server
        self.now = now
    }

    /// Opens a wallet with its passphrase.
    ///
    /// The second failure in a row ends the session, here and at the server.
    ///
    /// - Parameters:
    ///   - limits: other than the standard only in tests.
    ///   - now: the clock, in seconds since 1970.
    package static func unlock(
        path: String, passphrase: String, limits: Argon2Limits = .standard,
        now: @escaping @Sendable () -> Int64 = systemTime
    ) async throws -> WalletClient {
        let file = WalletFile(path: path, limits: limits)
        let claimed = try ServerAddress(try file.header().server)
        let wallet = try await file.unlock(passphrase: passphrase) { token in
            // Gone from this machine already; that the server forgets it too is worth one attempt.
            try? await ServerClient(address: claimed, token: token).endSession("current")
        }
        return WalletClient(
            wallet: wallet, server: ServerClient(address: try ServerAddress(wallet.header.server)), now: now)
    }

    /// The same wallet through another server of the same organisation, or another way to it.
    package func through(_ server: ServerClient) -> WalletClient {
        WalletClient(wallet: wallet, server: server, now: now)
    }

    /// What the wallet says in clear.
    package var header: WalletHeader { wallet.header }
    /// The organisation's name.
    package var organisationName: String { wallet.secrets.organisation }
    /// Whether there is a session token.
    package var isSignedIn: Bool { wallet.file.session.read() != nil }
    /// SHA-256 of the device's public signing key's JWK, lower-case hexadecimal.
    package var deviceFingerprint: String {
        get throws { try wallet.signingKey().publicKey.thumbprint.hex }
    }

    /// What is pinned.
    package func trust() throws -> PinnedTrust {
        guard let root = wallet.secrets.root.fromBase64URL, !root.isEmpty else { throw WalletError.notSetUp }
        return try PinnedTrust(
            root: root, log: wallet.secrets.logKey, policyVersion: wallet.secrets.policyVersion ?? 0)
    }

    /// The server within the session.
    ///
    /// An act that needs a user verification is confirmed with the passphrase that opened this wallet.
    package func session() throws -> ServerClient {
        guard let token = wallet.file.session.read() else { throw WalletError.notSignedIn }
        return server.with(token: token) { try await self.confirm(with: token) }
    }

    /// Live updates of the session.
    package func events() async throws -> AsyncStream<LiveEvent> { try await session().connectedEvents() }

    /// Verifies what an act answered, and that the log goes on from where this wallet saw it last.
    ///
    /// - Returns: when it was logged, in seconds since 1970.
    @discardableResult
    func check(
        _ receipt: Interface.Receipt, _ type: String, _ members: [(StaticString, JSON)] = []
    ) async throws -> LoggedAct {
        let verified = try trust().verify(receipt, type: type, members: members)
        try await remember(verified.checkpoint)
        return LoggedAct(
            type: type, index: Int64(verified.index), time: verified.entry.time, receipt: receipt.proof)
    }
}

/// An act that the log has recorded, as its verified receipt says.
package struct LoggedAct: Codable, Sendable, Equatable {
    /// The entry's type.
    package let type: String
    /// Its number in the log.
    package let index: Int64
    /// Seconds since 1970.
    package let time: Int64
    /// The text of the tlog-proof.
    package let receipt: String
}
