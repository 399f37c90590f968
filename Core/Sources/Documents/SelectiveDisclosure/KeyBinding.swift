public import Encodings

/// Why a key binding is refused.
public enum KeyBindingError: Error, Equatable, Sendable {
    /// There is no key binding JWT. It is never optional.
    case missing
    /// The key binding JWT is refused: form, purpose or signature.
    case refused(JWSError)
    /// It was made for another credential or another choice of disclosures.
    case otherPresentation
    /// `aud` is absent, empty or not one text.
    case audienceNotText
    /// `nonce` is absent, empty or too long.
    case missingNonce
    /// `iat` is not a whole number.
    case missingTime
    /// Another audience than the expected one.
    case wrongAudience
    /// Another nonce than the expected one.
    case wrongNonce
    /// Made later than now.
    case fromTheFuture
    /// Made longer ago than the verifier allows.
    case tooOld
    /// `exp` is not a whole number, not after `iat`, or more than `KeyBinding.greatestLifetime` after it.
    case badEnd
    /// The time that the holder chose is over.
    case lapsed
}

/// The holder's proof of possession: made for one audience, one nonce, one time and one presentation (RFC 9901 section
/// 4.3).
///
/// A value of this type is verified against the holder's key.
public struct KeyBinding: Sendable, Equatable {
    /// Who the presentation is for.
    public let audience: Bytes
    /// The verifier's nonce, or one that the wallet made.
    public let nonce: Bytes
    /// When it was made, in seconds since 1970.
    public let issuedAt: Int64
    /// When the time is over for which the holder made it, in seconds since 1970.
    public let expiresAt: Int64

    /// How long a presentation is good where its holder says nothing else: 30 days, in seconds.
    public static let usualLifetime: Int64 = 30 * 86_400
    /// The longest lifetime that a holder can give one: 366 days, in seconds.
    public static let greatestLifetime: Int64 = 366 * 86_400
    /// How long one is good that names no end, as those of version 0.3: a day, in seconds.
    static let lifetimeWithoutEnd: Int64 = 86_400

    private static let maximumLength = 1 << 14
    private static let maximumNonce = 512

    /// The bytes that the holder signs with ES256.
    ///
    /// - Parameters:
    ///   - expiresAt: when the time is over for which it is made, in seconds since 1970.
    ///   - presentation: issuer-signed JWT and chosen disclosures, ending in `~`.
    public static func signingInput<Suite: CryptoSuite>(
        audience: Bytes, nonce: Bytes, issuedAt: Int64, expiresAt: Int64, presentation: Bytes, suite: Suite
    ) -> Bytes {
        let payload = JSON.members([
            ("iat", .integer(issuedAt)), ("exp", .integer(expiresAt)), ("aud", .string(audience)),
            ("nonce", .string(nonce)),
            ("sd_hash", .string(hash(of: presentation, suite: suite))),
        ])
        return CompactJWS.signingInput(type: "kb+jwt", payload: payload)
    }

    /// The whole presentation from its parts.
    ///
    /// - Parameter signature: r and s, 64 bytes.
    public static func presentation(_ presentation: Bytes, signingInput: Bytes, signature: Bytes) -> Bytes {
        presentation + CompactJWS.text(signingInput: signingInput, signature: signature)
    }

    /// Verifies the key binding JWT of a presentation (RFC 9901 section 7.3 steps 4 and 5) without judging audience,
    /// nonce and time: for that there is `check`.
    ///
    /// - Parameter key: the holder's, from `cnf` of the verified credential.
    public static func verified<Suite: CryptoSuite>(
        in presentation: UnverifiedSDJWT, holder key: P256PublicKey, suite: Suite
    ) throws(KeyBindingError) -> KeyBinding {
        guard let text = presentation.keyBindingText else { throw .missing }
        let payload: JSON
        do {
            let jws = try UnverifiedJWS.parse(text, maximumLength: maximumLength)
            payload = try jws.payload(signedBy: key, type: "kb+jwt", suite: suite)
        } catch {
            throw .refused(error)
        }
        guard let hash = payload["sd_hash"]?.string, hash == Self.hash(of: presentation.boundText, suite: suite)
        else { throw .otherPresentation }
        guard let audience = payload["aud"]?.string, !audience.isEmpty else { throw .audienceNotText }
        guard let nonce = payload["nonce"]?.string, !nonce.isEmpty, nonce.count <= maximumNonce else {
            throw .missingNonce
        }
        guard let issuedAt = payload["iat"]?.integer else { throw .missingTime }
        return KeyBinding(
            audience: audience, nonce: nonce, issuedAt: issuedAt, expiresAt: try end(payload, issuedAt: issuedAt))
    }

    private static func end(_ payload: JSON, issuedAt: Int64) throws(KeyBindingError) -> Int64 {
        // JSON's integers are far from where a sum leaves 64 bits.
        guard let member = payload["exp"] else { return issuedAt + lifetimeWithoutEnd }
        guard let end = member.integer, end > issuedAt, end <= issuedAt + greatestLifetime else { throw .badEnd }
        return end
    }

    /// Refuses another audience, compared byte by byte.
    public func check(audience expected: Bytes) throws(KeyBindingError) {
        guard audience == expected else { throw .wrongAudience }
    }

    /// Refuses another nonce.
    public func check(nonce expected: Bytes) throws(KeyBindingError) {
        guard nonce.equalsInConstantTime(expected) else { throw .wrongNonce }
    }

    /// Refuses a time outside the window: the holder's, and the verifier's if there is one.
    ///
    /// - Parameters:
    ///   - now: in seconds since 1970.
    ///   - maximumAge: in seconds; `nil` for the holder's time alone.
    ///   - clockSkew: how far the holder's clock may be ahead, in seconds.
    public func check(at now: Int64, maximumAge: Int64?, clockSkew: Int64) throws(KeyBindingError) {
        guard issuedAt <= now + clockSkew else { throw .fromTheFuture }
        if let maximumAge, issuedAt < now - maximumAge { throw .tooOld }
        guard now < expiresAt else { throw .lapsed }
    }

    private static func hash<Suite: CryptoSuite>(of text: Bytes, suite: Suite) -> Bytes {
        Base64.encode(suite.sha256(text), .url)
    }
}
