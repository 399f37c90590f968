import CryptoProvider
import Encodings
import Interface

/// The endorsements from a holder's newest device back.
///
/// With them, a wallet that met the holder with an earlier device goes on trusting their keys, and no others that a
/// server might name.
struct EndorsementChain: Sendable {
    /// The longest chain that is followed.
    static let maximumLength = 16

    /// The public URL of the organisation's server.
    let audience: String
    /// The holder's username.
    let username: String
    /// The newest first.
    let endorsements: [DeviceEndorsement]

    /// Whether each key signed the one before, from `keys` to one that is known.
    ///
    /// - Parameter known: thumbprints of signing keys, base64url.
    func leads(from keys: HolderKeys, toOneOf known: [String], suite: SwiftCryptoSuite) -> Bool {
        guard endorsements.count <= Self.maximumLength else { return false }
        var signingKey = keys.signing.thumbprint.base64URL
        // Statements name both keys; of the devices in between only the signing key matters.
        var encryptionKey: String? = keys.encryption.thumbprint.base64URL
        for endorsement in endorsements {
            guard let endorser = endorsement.signingKey.fromBase64URL.flatMap({ P256PublicKey(x963: $0) }),
                let payload = try? UnverifiedJWS.parse(Bytes(text: endorsement.statement), maximumLength: 1 << 14)
                    .payload(signedBy: endorser, type: Statement.pairingType, suite: suite),
                let pairing = payload["pairing"]?.string, let time = payload["iat"]?.integer,
                let named = payload["encryption_key"]?.string
            else { return false }
            let expected = Statement.pairing(
                audience: audience, username: username, pairing: pairing.text, signingKey: signingKey,
                encryptionKey: encryptionKey ?? named.text, time: time)
            guard Statement.isSame(payload, as: expected) else { return false }
            signingKey = endorser.thumbprint.base64URL
            encryptionKey = nil
            if known.contains(signingKey) { return true }
        }
        return false
    }
}
