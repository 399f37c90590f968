import CryptoProvider
import Encodings
package import Interface

/// Sessions, devices, and names.
extension WalletClient {
    /// Signs in with the passphrase and a proof by the device's key.
    ///
    /// - Returns: when the session ends, in seconds since 1970.
    @discardableResult
    package func signIn(passphrase: String) async throws -> Int64 {
        try await checkOrganisation()
        let proof = try await signInProof()
        let session = try await server.signIn(
            SignInRequest(
                username: wallet.header.username, passphrase: passphrase, device: wallet.header.device, proof: proof))
        try wallet.file.session.write(SessionToken(session.token))
        return session.expires
    }

    /// Shows the server that the person is there: by the passphrase that opened this wallet, and the device's key.
    func confirm(with token: SessionToken) async throws {
        let proof = try await signInProof()
        _ = try await server.with(token: token)
            .confirm(ConfirmationRequest(passphrase: wallet.passphrase, proof: proof))
    }

    /// This device's signature over a fresh nonce.
    func signInProof() async throws -> String {
        let username = wallet.header.username
        let fresh = try await server.nonce(SignInNonceRequest(username: username))
        return try wallet.signingKey().signJWS(
            type: "\(Statement.signInType)",
            payload: Statement.signIn(
                audience: wallet.header.publicURL, username: username, nonce: fresh.nonce, time: now()))
    }

    /// Ends the session, here in any case.
    package func signOut() async throws {
        let client = try session()
        wallet.file.session.remove()
        try await client.endSession("current")
    }

    /// The account as the server has it.
    package func account() async throws -> Account { try await session().account() }
    /// The account's devices.
    package func devices() async throws -> [Device] { try await session().devices() }
    /// The account's sessions.
    package func sessions() async throws -> [SessionInfo] { try await session().sessions() }
    /// Ends one of the account's sessions.
    package func endSession(_ id: String) async throws { try await session().endSession(id) }

    /// Gives a device another name.
    package func renameDevice(_ id: String, to name: String) async throws -> Device {
        try await session().renameDevice(id, to: name)
    }

    /// Revokes a device for ever: the account's own, or a member's when an administrator asks.
    ///
    /// The receipt must name the key: for a device of this account the one listed, for another's one that this wallet
    /// can only read off.
    package func revokeDevice(_ id: String, reason: String) async throws -> LoggedAct {
        let client = try session()
        let own = try await client.devices().first { $0.id == id }
        let members: [(StaticString, JSON)] = own.map { [("signing_key", .text($0.signingKey))] } ?? []
        return try await check(
            try await client.revokeDevice(id, Reason(reason: reason)).receipt, "device.revoked", members)
    }
}
