public import Encodings

/// Why a selectively disclosable JWT (RFC 9901) is refused.
public enum SDJWTError: Error, Equatable, Sendable {
    /// Not `JWT~disclosure~…~[key binding JWT]`.
    case malformed
    /// Longer than allowed.
    case tooLong
    /// More disclosures than allowed.
    case tooManyDisclosures
    /// The issuer-signed JWT is refused.
    case credential(JWSError)
    /// The header has no `x5c`, or one that is not a short list of base64 texts.
    case missingCertificates
    /// A disclosure is not base64url of `[salt, name, value]` or `[salt, value]`.
    case malformedDisclosure
    /// A disclosure of an object member where an array element belongs, or the other way round.
    case misplacedDisclosure
    /// A claim is named `_sd`, `...` or `_sd_alg`, or a disclosure hides a claim that must always be visible.
    case reservedName
    /// A disclosed claim would be beside another of the same name.
    case duplicateClaim
    /// One digest appears twice.
    case duplicateDigest
    /// One disclosure is given twice.
    case repeatedDisclosure
    /// A disclosure that no digest of the issuer refers to.
    case unreferencedDisclosure
    /// `_sd` is no array of texts, or `...` stands where it may not.
    case malformedDigests
    /// `_sd_alg` is another than `sha-256`.
    case unsupportedHash
    /// Claims are nested deeper than allowed.
    case tooDeep
    /// There is no disclosure of the claim that was asked for.
    case unknownClaim
}
