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
    /// Made too long ago.
    case tooOld
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

    private static let maximumLength = 1 << 14
    private static let maximumNonce = 512

    /// The bytes that the holder signs with ES256.
    ///
    /// - Parameter presentation: issuer-signed JWT and chosen disclosures, ending in `~`.
    public static func signingInput<Suite: CryptoSuite>(
        audience: Bytes, nonce: Bytes, issuedAt: Int64, presentation: Bytes, suite: Suite
    ) -> Bytes {
        let payload = JSON.members([
            ("iat", .integer(issuedAt)), ("aud", .string(audience)), ("nonce", .string(nonce)),
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
        return KeyBinding(audience: audience, nonce: nonce, issuedAt: issuedAt)
    }

    /// Refuses another audience, compared byte by byte.
    public func check(audience expected: Bytes) throws(KeyBindingError) {
        guard audience == expected else { throw .wrongAudience }
    }

    /// Refuses another nonce.
    public func check(nonce expected: Bytes) throws(KeyBindingError) {
        guard nonce.equalsInConstantTime(expected) else { throw .wrongNonce }
    }

    /// Refuses a time outside the window.
    ///
    /// - Parameters:
    ///   - now: in seconds since 1970.
    ///   - maximumAge: in seconds.
    ///   - clockSkew: how far the holder's clock may be ahead, in seconds.
    public func check(at now: Int64, maximumAge: Int64, clockSkew: Int64) throws(KeyBindingError) {
        guard issuedAt <= now + clockSkew else { throw .fromTheFuture }
        guard issuedAt >= now - maximumAge else { throw .tooOld }
    }

    private static func hash<Suite: CryptoSuite>(of text: Bytes, suite: Suite) -> Bytes {
        Base64.encode(suite.sha256(text), .url)
    }
}
