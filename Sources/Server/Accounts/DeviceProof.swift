import CryptoProvider
import Encodings
import Interface

/// Checks that a wallet holds the keys it registers.
struct DeviceProof {
    let suite: SwiftCryptoSuite
    let publicURL: String

    /// The keys of a registration, proved.
    struct Keys {
        let signing: P256PublicKey
        let encryption: P256PublicKey
    }

    /// Parses both keys and verifies the proof by the signing key.
    func verify(_ registration: DeviceRegistration, username: String, now: Int64) throws -> Keys {
        guard let signing = Self.key(registration.signingKey), let encryption = Self.key(registration.encryptionKey),
            signing != encryption, suite.isOnCurve(encryption)
        else { throw AccountError.invalidDevice }
        let payload = try statement(
            registration.proof, by: signing, type: Statement.deviceType, username: username, now: now)
        guard let bound = payload["encryption_key"]?.string,
            bound == Base64.encode(encryption.thumbprint, .url)
        else { throw AccountError.invalidDevice }
        return Keys(signing: signing, encryption: encryption)
    }

    /// Verifies that an authority key signed for itself.
    func verifyAuthority(_ key: String, proof: String, username: String, now: Int64) throws -> P256PublicKey {
        guard let authority = Self.key(key) else { throw AccountError.invalidDevice }
        _ = try statement(proof, by: authority, type: Statement.authorityType, username: username, now: now)
        return authority
    }

    /// Verifies a statement that names this server, this user, and was made just now.
    func statement(
        _ text: String, by key: P256PublicKey, type: StaticString, username: String, now: Int64
    ) throws -> JSON {
        do {
            let payload = try UnverifiedJWS.parse(Bytes(text: text), maximumLength: Limits.statement.upperBound)
                .payload(signedBy: key, type: type, suite: suite)
            guard payload["aud"]?.string == Bytes(text: publicURL),
                payload["username"]?.string == Bytes(text: username), Self.isFresh(payload, now: now)
            else { throw AccountError.invalidDevice }
            return payload
        } catch is JWSError {
            throw AccountError.invalidDevice
        }
    }

    /// Whether a statement's `iat` is within the accepted clock difference.
    static func isFresh(_ payload: JSON, now: Int64) -> Bool {
        guard let time = payload["iat"]?.integer else { return false }
        return (now - Limits.clockDifference...now + Limits.clockDifference).contains(time)
    }

    /// A point from base64url.
    static func key(_ text: String) -> P256PublicKey? {
        Base64.decode(Bytes(text: text), .url).flatMap { P256PublicKey(x963: $0) }
    }
}
