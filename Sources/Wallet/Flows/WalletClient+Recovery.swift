import Certificates
import CryptoProvider
import Encodings
import Interface
import Transparency

/// The main administrator's way back.
extension WalletClient {
    /// Makes a new wallet for the main administrator, with a code that the server's own machine printed.
    ///
    /// Everything that the main administrator had before ends. Administrators must be certified again.
    package static func recover(_ place: NewWallet, code: String, _ person: NewPerson) async throws -> JoinedWallet {
        let server = ServerClient(address: try ServerAddress(place.server))
        let organisation = try await server.organisation()
        let trust = try PinnedTrust(organisation, fingerprint: place.rootFingerprint)
        if let left = try await unfinished(place, person, server),
            let joined = try await left.resume(organisation, trust, asOwner: true)
        {
            return joined
        }
        let client = try await begin(
            place, person, server: server, publicURL: organisation.publicURL, isAdministrator: true)
        let draft = await client.wallet
        let authority = try draft.authorityKey()
        let request = OwnerRecovery(
            code: code, username: person.username, passphrase: person.passphrase,
            device: try registration(draft, place, person), authorityKey: authority.publicKey.x963.base64URL,
            authorityProof: try authority.signJWS(
                type: "\(Statement.authorityType)",
                payload: Statement.authority(
                    audience: organisation.publicURL, username: person.username, time: place.now())))
        guard let result = try await client.asking({ try await server.recover(request) }) else {
            return try await client.resumed(organisation, trust, asOwner: true)
        }
        return try await client.finish(result, trust, organisation: organisation, act: "certificate.renewed")
    }
}
