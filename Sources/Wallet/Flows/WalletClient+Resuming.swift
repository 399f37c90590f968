import CryptoProvider
import Encodings
import Interface
import Transparency

/// Joining when the answer does not come, or not whole.
///
/// The server may have done its part, and the answer was lost; or too few witnesses sign just now, and the receipt comes
/// later. In both cases it knows the keys of the wallet that was begun, and signing in with them tells. So the same
/// command, given again, goes on where the first one broke off.
extension WalletClient {
    /// The wallet that an earlier attempt of the same person left behind.
    ///
    /// - Throws: `begunWithAnotherPassphrase`: its keys may be the only ones that the server knows.
    static func unfinished(
        _ place: NewWallet, _ person: NewPerson, _ server: ServerClient
    ) async throws -> WalletClient? {
        let file = WalletFile(path: place.path, limits: place.limits)
        guard let header = try? file.header(), header.account.isEmpty, header.server == server.address.text,
            header.username == person.username
        else { return nil }
        do {
            return WalletClient(
                wallet: try await file.unlock(passphrase: person.passphrase), server: server, now: place.now)
        } catch WalletError.wrongPassphrase {
            throw WalletError.begunWithAnotherPassphrase(place.path)
        }
    }

    /// Asks the server to sign a person up.
    ///
    /// When it refuses, the new wallet is for nothing. When it fails or does not answer, it may have happened all the
    /// same, and the keys are needed.
    ///
    /// - Returns: `nil` when it has happened and is not yet witnessed.
    func asking<Answer: Sendable>(_ body: @Sendable () async throws -> Answer) async throws -> Answer? {
        do {
            return try await body()
        } catch let error as ProblemError where error.slug == "unwitnessed" {
            return nil
        } catch let error as ProblemError
            where (400..<500).contains(error.problem.status) && ![408, 429].contains(error.problem.status)
        {
            try? wallet.removeRefused()
            throw error
        }
    }

    /// Finishes a wallet whose keys the server knows already.
    ///
    /// - Returns: `nil` when it does not know them: it never had the request, or refused it.
    func resume(_ organisation: Organisation, _ trust: PinnedTrust, asOwner isOwner: Bool) async throws -> JoinedWallet?
    {
        let session: NewSession
        do {
            session = try await server.signIn(
                SignInRequest(
                    username: wallet.header.username, passphrase: wallet.passphrase,
                    device: try wallet.signingKey().publicKey.x963.base64URL, proof: try await signInProof()))
        } catch let error as ProblemError where error.slug == "sign-in-failed" {
            return nil
        }
        if isOwner {
            let certificates = try await server.with(token: SessionToken(session.token)).authority()
            guard let certificate = certificates.first?.fromBase64URL else { throw WalletError.notCertified }
            try expectAuthority(certificate, root: trust)
        }
        return try await finish(session, trust, organisation: organisation)
    }

    /// The same where there is no other way on.
    func resumed(_ organisation: Organisation, _ trust: PinnedTrust, asOwner isOwner: Bool) async throws -> JoinedWallet
    {
        guard let joined = try await resume(organisation, trust, asOwner: isOwner) else {
            throw WalletError.unexpectedAnswer("it has recorded the account, but does not find it")
        }
        return joined
    }

    /// - Throws: `badCertificate` when a certificate is not the main administrator's for this wallet's key.
    func expectAuthority(_ certificate: [UInt8], root trust: PinnedTrust) throws {
        guard try isAuthority(certificate, of: authorityKey(), root: trust.root) else {
            throw WalletError.badCertificate("the main administrator's certificate is not for this wallet's key")
        }
    }

    /// The log's entry of this wallet's device.
    ///
    /// - Parameter receipt: what came with the answer, if it did; the log has it too.
    /// - Returns: `nil` while too few witnesses sign.
    func enrolment(_ receipt: Interface.Receipt?) async throws -> LoggedAct? {
        let type = "device.enrolled"
        let members: [(StaticString, JSON)] = [
            ("encryption_key", .text(try wallet.encryptionKey().publicKey.x963.base64URL)),
            ("signing_key", .text(try wallet.signingKey().publicKey.x963.base64URL)),
        ]
        if let receipt { return try await check(receipt, type, members) }
        let pinned = try trust()
        do {
            for entry in try await session().logged() where entry.type == type {
                guard (try? pinned.verify(entry.receipt, type: type, members: members)) != nil else { continue }
                return try await check(entry.receipt, type, members)
            }
        } catch let error as ProblemError where error.slug == "unwitnessed" && pinned.policy.needsWitnesses {
            return nil
        }
        throw WalletError.badReceipt("the log has no entry for this wallet's keys")
    }
}
