import Certificates
import CryptoProvider
import Encodings
import Interface
import Transparency

/// The main administrator's way back.
extension WalletClient {
    /// Makes a new wallet for the main administrator, with a code that the server's own machine printed.
    ///
    /// All that she had before ends; administrators are to be certified anew.
    package static func recover(_ place: NewWallet, code: String, _ person: NewPerson) async throws -> JoinedWallet {
        let server = ServerClient(address: try ServerAddress(place.server))
        let organisation = try await server.organisation()
        let trust = try PinnedTrust(organisation, fingerprint: place.rootFingerprint)
        let draft = try await begin(
            place, person, server: server, publicURL: organisation.publicURL, isAdministrator: true)
        let authority = try draft.authorityKey()
        let request = OwnerRecovery(
            code: code, username: person.username, passphrase: person.passphrase,
            device: try registration(draft, place, person), authorityKey: authority.publicKey.x963.base64URL,
            authorityProof: try authority.signJWS(
                type: "\(Statement.authorityType)",
                payload: Statement.authority(
                    audience: organisation.publicURL, username: person.username, time: place.now())))
        let result = try await discardingOnRefusal(draft) { try await server.recover(request) }
        let client = WalletClient(wallet: draft, server: server, now: place.now)
        guard let certificate = result.certificate.fromBase64URL,
            try await client.isAuthority(certificate, of: authority, root: trust.root)
        else { throw WalletError.badCertificate("the main administrator's certificate is not for this wallet's key") }
        let renewed = try trust.verify(
            result.receipt, type: "certificate.renewed",
            members: [("certificate", .text(SHA256.hash(certificate).base64URL))])
        let act = LoggedAct(
            type: "certificate.renewed", index: Int64(renewed.index), time: renewed.entry.time,
            receipt: result.receipt.proof)
        let joined = try await client.finish(result.session, trust, organisation: organisation)
        return JoinedWallet(
            client: client, account: joined.account, rootFingerprint: trust.fingerprint, acts: [act] + joined.acts)
    }
}
