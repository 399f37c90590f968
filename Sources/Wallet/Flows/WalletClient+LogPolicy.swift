import CryptoProvider
import Encodings
package import Interface
import Transparency
import Verification

/// Which checkpoints this wallet believes, and that they all belong to one history.
extension WalletClient {
    /// Refuses a server that shows another root or log than the pinned ones, and follows a newer policy that the main
    /// administrator has signed.
    ///
    /// - Throws: `rootDiffers`, `logKeyDiffers`, `badLogPolicy`.
    package func checkOrganisation() async throws {
        try follow(try await server.organisation())
    }

    /// Takes over a signed log policy, if it is newer than what this wallet has.
    ///
    /// The certificate may be one that has ended since: a policy stays in force longer. So a wallet goes by the order
    /// of certificates: once it has seen a policy by the main administrator's new key, the old key no longer counts.
    func follow(_ organisation: Organisation) throws {
        let pinned = try trust()
        _ = try PinnedTrust(organisation, fingerprint: pinned.fingerprint)
        guard let offered = organisation.logPolicy else {
            guard pinned.policyVersion == 0 else { throw WalletError.badLogPolicy("the server hides the one in force") }
            guard organisation.logKey == pinned.log else { throw WalletError.logKeyDiffers }
            return
        }
        let certificate = offered.certificate.fromBase64URL ?? []
        let signed: SignedLogPolicy
        do throws(LogPolicyError) {
            signed = try SignedLogPolicy.verify(
                Bytes(text: offered.statement), certificate: certificate, root: pinned.root, now: now(), suite: suite)
        } catch {
            throw WalletError.badLogPolicy("\(error)")
        }
        guard signed.version >= pinned.policyVersion else {
            throw WalletError.badLogPolicy(
                "it is version \(signed.version), and \(pinned.policyVersion) was in force before")
        }
        guard signed.version > pinned.policyVersion else {
            guard signed.text == Bytes(text: pinned.log) else {
                throw WalletError.badLogPolicy("there are two of version \(signed.version)")
            }
            return
        }
        guard signed.certified >= wallet.secrets.policyCertified ?? 0 else {
            throw WalletError.badLogPolicy("an older certificate has signed it than the one in force")
        }
        try wallet.update { _, secrets in
            secrets.logKey = signed.text.text
            secrets.policyCertified = signed.certified
            secrets.policyVersion = signed.version
        }
    }

    /// The log's keys and the policy in force: for the main administrator, who writes the next.
    package func logSettings() async throws -> LogSettings { try await session().logSettings() }

    /// Signs a log policy and puts it in force.
    ///
    /// - Parameter policy: C2SP tlog-policy; each witness with its address.
    /// - Throws: what the server refuses; then nothing has changed.
    package func setLogPolicy(_ policy: String) async throws -> LoggedAct {
        let client = try session()
        let version = (try await client.logSettings().policy?.version ?? 0) + 1
        let text = Bytes(text: policy)
        let statement = try authorityKey().signJWS(
            type: "\(SignedLogPolicy.type)",
            payload: SignedLogPolicy.payload(
                audience: Bytes(text: wallet.header.publicURL), version: version, policy: text, time: now()))
        let receipt = try await client.setLogPolicy(LogPolicyRequest(statement: statement)).receipt
        // The receipt is the first that the new policy judges.
        try await checkOrganisation()
        return try await check(
            receipt, "log_policy.changed",
            [("policy", .text(SHA256.hash(text).base64URL)), ("version", .integer(version))])
    }

    /// Checks that a checkpoint and the newest one that this wallet has seen belong to one history, and remembers the
    /// later of the two.
    ///
    /// - Throws: `logRewritten`.
    func remember(_ checkpoint: VerifiedCheckpoint) async throws {
        var tiles = TileFetcher(server: server)
        if let seen = wallet.secrets.checkpoint {
            // It was checked when it was kept, by the policy of then.
            let last = try Self.checkpoint(kept: seen)
            guard checkpoint.checkpoint != last else { return }
            if last.size > checkpoint.checkpoint.size {
                return try await tiles.verify(last, extends: checkpoint.checkpoint)
            }
            try await tiles.verify(checkpoint.checkpoint, extends: last)
        }
        try wallet.update { _, secrets in secrets.checkpoint = checkpoint.note.text }
    }

    /// The tree head of a note that this wallet has kept.
    static func checkpoint(kept note: String) throws -> Checkpoint {
        do {
            return try Checkpoint.parse(try SignedNote.parse(Bytes(text: note)).text)
        } catch {
            throw WalletError.notAWallet
        }
    }
}
