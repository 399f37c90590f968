public import Documents
public import Encodings

/// Why a credential cannot be made.
public enum CredentialDraftError: Error, Equatable, Sendable {
    /// A field does not fit the type.
    case field(FieldError)
    /// It would have expired when it is signed.
    case alreadyExpired
    /// The organisation's name is empty, too long, or has characters that are not shown.
    case badIssuerName
    /// Fewer random bytes than the salts need.
    case notEnoughRandom
    /// The parts do not make a credential.
    case credential(SDJWTError)
    /// The signature has another length than 64 bytes.
    case badSignature
    /// The file is not the one that the credential speaks of.
    case otherFile
    /// The file is missing, or there is one that the credential does not speak of.
    case fileMissing
}

/// A credential to be signed: its fields fit its type.
///
/// It goes on as `UnsignedCredential`, which waits for the administrator's signature, and ends as `SignedCredential`.
public struct CredentialDraft: Sendable {
    /// Random bytes that are enough for every draft.
    public static let randomCount = 4096
    private static let saltLength = 16

    private let visible: [JSON.Member]
    private let fields: [JSON.Member]
    private let document: AttachedDocument?

    /// Drafts a credential.
    ///
    /// - Parameters:
    ///   - issuer: the organisation's public URL.
    ///   - issuerName: what it is called today: a certificate may have shortened it or know an older one.
    ///   - issuedAt: now, in seconds since 1970.
    ///   - expiresAt: in seconds since 1970.
    ///   - holderKey: the signing key of the holder's device.
    ///   - status: the place reserved for its revocation.
    ///   - fields: the values of the type's fields.
    ///   - document: a PDF mostly.
    /// - Throws: `field`, `alreadyExpired` or `badIssuerName`.
    public init(
        type: CatalogueType, issuer: Bytes, issuerName: Bytes, issuedAt: Int64, expiresAt: Int64?,
        holderKey: P256PublicKey,
        status: StatusListEntry?, fields: [JSON.Member], document: AttachedDocument?
    ) throws(CredentialDraftError) {
        if let expiresAt, expiresAt <= issuedAt { throw .alreadyExpired }
        if !CredentialClaims.isIssuerName(issuerName) { throw .badIssuerName }
        do { try type.validate(fields) } catch { throw .field(error) }
        visible =
            CredentialClaims(
                issuer: issuer, issuerName: issuerName, issuedAt: issuedAt, expiresAt: expiresAt,
                typeName: Bytes(text: type.name), holderKey: holderKey, status: status
            ).members
        self.fields = fields
        self.document = document
    }

    /// Salts the claims and gives the bytes to be signed.
    ///
    /// - Parameters:
    ///   - certificates: the signer's chain in DER, leaf first, without the root.
    ///   - random: secret random bytes, 16 for each claim, used for this draft only; `randomCount` are enough.
    /// - Throws: `notEnoughRandom`.
    public func unsigned<Suite: CryptoSuite>(
        certificates: [Bytes], random: Bytes, suite: Suite
    ) throws(CredentialDraftError) -> UnsignedCredential {
        var disclosable = fields
        if let document {
            disclosable.append(JSON.Member("document", document.descriptor(suite: suite).json))
        }
        guard random.count >= disclosable.count * Self.saltLength else { throw .notEnoughRandom }
        var source = BytesAsNumbers(random)
        do {
            let signable = try SDJWTBuilder(visible: visible, disclosable: disclosable)
                .signable(certificates: certificates, random: &source, suite: suite)
            return UnsignedCredential(signable)
        } catch {
            throw .credential(error)
        }
    }
}

/// Given random bytes as a random source.
///
/// The caller counts the bytes in advance: past their end come zeros.
private struct BytesAsNumbers: RandomNumberGenerator {
    private let bytes: Bytes
    private var offset = 0

    init(_ bytes: Bytes) { self.bytes = bytes }

    mutating func next() -> UInt64 {
        var number: UInt64 = 0
        for index in offset..<offset + 8 { number = number << 8 | UInt64(index < bytes.count ? bytes[index] : 0) }
        offset += 8
        return number
    }
}
