public import Encodings

/// Why a status list or its token is refused.
public enum StatusError: Error, Equatable, Sendable {
    /// Compressed data that RFC 1950 and 1951 do not allow, or whose checksum is wrong.
    case corruptCompression
    /// More than the allowed number of bytes come out of the compressed data.
    case tooLarge
    /// Another number of bits for each status than 1, 2, 4 or 8.
    case unsupportedBits
    /// The index is past the end of the list.
    case indexOutOfRange
    /// The value does not fit the number of bits.
    case valueOutOfRange
    /// The token is refused: form, purpose or signature.
    case refused(JWSError)
    /// The header has no `x5c` with one to three certificates.
    case missingCertificates
    /// A claim is missing or of the wrong kind.
    case malformedClaims
    /// The token is about another list.
    case otherList
    /// The token was made later than now.
    case fromTheFuture
    /// The token has expired.
    case stale
}
