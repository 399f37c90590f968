import Documents
public import Encodings

/// The statements that keys sign, one type of JWS for each purpose.
///
/// Wallet and server build and read them here.
public enum Statement {
    /// A device key proves itself at registration.
    public static let deviceType: StaticString = "countersign-device+jwt"
    /// A device key answers a sign-in nonce.
    public static let signInType: StaticString = "countersign-sign-in+jwt"
    /// An authority key proves itself before it is certified.
    public static let authorityType: StaticString = "countersign-authority+jwt"
    /// The main administrator's authority key asks the root for its next certificate, or for its successor's.
    public static let renewalType: StaticString = "countersign-renewal+jwt"
    /// A holder's device answers an administrator face to face.
    public static let enrolmentType: StaticString = EnrolmentStatement.type
    /// An administrator vouches for what they signed and sealed.
    public static let issuanceType: StaticString = "countersign-issuance+jwt"
    /// A device vouches for another one of the same person.
    public static let pairingType: StaticString = "countersign-pairing+jwt"

    /// Whether a signed payload says exactly what is expected, in any order of its members.
    public static func isSame(_ payload: JSON, as expected: JSON) -> Bool {
        guard let payload = try? payload.canonical(), let expected = try? expected.canonical() else { return false }
        return payload == expected
    }

    /// - Parameter audience: the server's public URL.
    public static func device(audience: String, username: String, encryptionKey: P256PublicKey, time: Int64) -> JSON {
        .members([
            ("aud", .text(audience)), ("username", .text(username)),
            ("encryption_key", .string(Base64.encode(encryptionKey.thumbprint, .url))), ("iat", .integer(time)),
        ])
    }

    /// - Parameter nonce: the nonce, base64url.
    public static func signIn(audience: String, username: String, nonce: String, time: Int64) -> JSON {
        .members([
            ("aud", .text(audience)), ("username", .text(username)), ("nonce", .text(nonce)), ("iat", .integer(time)),
        ])
    }

    /// - Parameter audience: the server's public URL.
    public static func authority(audience: String, username: String, time: Int64) -> JSON {
        .members([("aud", .text(audience)), ("username", .text(username)), ("iat", .integer(time))])
    }

    /// - Parameters:
    ///   - previous: SHA-256 of the certificate that is renewed, base64url: what renews one renews no other.
    ///   - authorityKey: the key to be certified, base64url.
    public static func renewal(
        audience: String, username: String, previous: String, authorityKey: String, time: Int64
    ) -> JSON {
        .members([
            ("aud", .text(audience)), ("username", .text(username)), ("previous", .text(previous)),
            ("authority_key", .text(authorityKey)), ("iat", .integer(time)),
        ])
    }

    /// - Parameters:
    ///   - enrolment: its id.
    ///   - administratorNonce: base64url.
    ///   - holderNonce: base64url.
    public static func enrolment(
        audience: String, enrolment: String, administratorNonce: String, holderNonce: String, time: Int64
    ) -> JSON {
        EnrolmentStatement.payload(
            audience: Bytes(text: audience), enrolment: Bytes(text: enrolment),
            administratorNonce: Bytes(text: administratorNonce), holderNonce: Bytes(text: holderNonce), time: time)
    }

    /// - Parameters:
    ///   - subject: the id of the request or enrolment that is answered.
    ///   - credentialDigest: SHA-256 of the issuer-signed JWT, base64url.
    ///   - sealedDigest: SHA-256 of the sealed package, base64url.
    ///   - evidence: for an identity credential the paper seen and SHA-256 of the holder's statement, base64url.
    public static func issuance(
        audience: String, subject: String, credentialDigest: String, sealedDigest: String, status: StatusReference,
        evidence: (paper: IdentityPaper, holderStatement: String)? = nil, time: Int64
    ) -> JSON {
        var members: [(String, JSON)] = [
            ("aud", .text(audience)), ("subject", .text(subject)), ("credential", .text(credentialDigest)),
            ("sealed", .text(sealedDigest)), ("status_uri", .text(status.uri)),
            ("status_index", .integer(Int64(status.index))), ("iat", .integer(time)),
        ]
        if let evidence {
            members.append(("paper", .text(evidence.paper.rawValue)))
            members.append(("holder_statement", .text(evidence.holderStatement)))
        }
        return .members(members)
    }

    /// - Parameters:
    ///   - pairing: its id.
    ///   - signingKey: thumbprint of the new device's, base64url.
    ///   - encryptionKey: thumbprint of the new device's, base64url.
    public static func pairing(
        audience: String, username: String, pairing: String, signingKey: String, encryptionKey: String, time: Int64
    ) -> JSON {
        .members([
            ("aud", .text(audience)), ("username", .text(username)), ("pairing", .text(pairing)),
            ("signing_key", .text(signingKey)), ("encryption_key", .text(encryptionKey)), ("iat", .integer(time)),
        ])
    }

    /// The six digits that both sides of a face-to-face check compare.
    ///
    /// - Parameters:
    ///   - holderKey: the thumbprint of the holder's signing key, from the holder's code.
    ///   - encryptionKey: the thumbprint of the holder's encryption key, from the holder's code.
    ///   - holderNonce: 32 bytes, committed to before the administrator's nonce was known.
    ///   - administratorNonce: 32 bytes.
    public static func digits(
        holderKey: Bytes, encryptionKey: Bytes, holderNonce: Bytes, administratorNonce: Bytes
    ) -> String {
        let digits = EnrolmentDigits.digits(
            holderKey: holderKey, encryptionKey: encryptionKey, holderNonce: holderNonce,
            administratorNonce: administratorNonce)
        return String(decoding: digits, as: UTF8.self)
    }
}
