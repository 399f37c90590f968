public import Encodings

/// Builds an SD-JWT around a signer that `Core` never sees (RFC 9901 section 4).
///
/// The structure is flat: every disclosable claim has its digest in the top-level `_sd`, sorted so that their order
/// tells nothing.
public struct SDJWTBuilder: Sendable {
    private let visible: [JSON.Member]
    private let disclosable: [JSON.Member]
    private let decoys: Int

    /// Names what everyone sees and what the holder may choose to show.
    ///
    /// - Parameters:
    ///   - visible: claims in the payload itself.
    ///   - disclosable: claims that the payload holds only as digests.
    ///   - decoys: how many random digests are added, so that counting digests tells less.
    public init(visible: [JSON.Member], disclosable: [JSON.Member], decoys: Int = 0) {
        self.visible = visible
        self.disclosable = disclosable
        self.decoys = decoys
    }

    /// Salts the claims and gives the bytes to be signed with ES256.
    ///
    /// - Parameters:
    ///   - certificates: the signer's chain in DER, leaf first, without the root; becomes `x5c`.
    ///   - random: the source of salts; 16 bytes for each claim.
    /// - Throws: `reservedName` or `duplicateClaim` for names that a verifier would refuse.
    public func signable<Random: RandomNumberGenerator, Suite: CryptoSuite>(
        certificates: [Bytes], random: inout Random, suite: Suite
    ) throws(SDJWTError) -> SignableSDJWT {
        try checkNames()
        var disclosures: [Disclosure] = []
        var digests: [Bytes] = []
        for member in disclosable {
            let disclosure = Disclosure(salt: Self.bytes(16, &random), name: member.name, value: member.value)
            digests.append(disclosure.digest(suite: suite))
            disclosures.append(disclosure)
        }
        for _ in 0..<decoys { digests.append(Base64.encode(Self.bytes(32, &random), .url)) }
        digests.sort { $0.precedes($1) }
        var payload = visible
        payload.append(JSON.Member("_sd", .array(digests.map { .string($0) })))
        payload.append(JSON.Member("_sd_alg", .text("sha-256")))
        let chain = certificates.map { JSON.string(Base64.encode($0, .standard)) }
        let header = chain.isEmpty ? [] : [JSON.Member("x5c", .array(chain))]
        let input = CompactJWS.signingInput(
            type: CredentialProfile.mediaSubtype, header: header, payload: .object(payload))
        return SignableSDJWT(signingInput: input, disclosures: disclosures)
    }

    private func checkNames() throws(SDJWTError) {
        for member in disclosable where CredentialProfile.mustBeVisible(member.name) { throw .reservedName }
        let names = (visible + disclosable).map { $0.name }
        for index in 0..<names.count {
            if CredentialProfile.isReserved(names[index]) { throw .reservedName }
            for other in 0..<index where names[other] == names[index] { throw .duplicateClaim }
        }
    }

    private static func bytes<Random: RandomNumberGenerator>(_ count: Int, _ random: inout Random) -> Bytes {
        var bytes: Bytes = []
        while bytes.count < count { bytes.append(contentsOf: bigEndianBytes(random.next())) }
        return Array(bytes[0..<count])
    }
}

/// An SD-JWT that waits for the issuer's signature.
public struct SignableSDJWT: Sendable {
    /// The bytes to be signed with ES256.
    public let signingInput: Bytes
    /// All disclosures, in the order of the claims.
    public let disclosures: [Disclosure]

    /// The issued text with all disclosures, ending in `~`: for the holder only.
    ///
    /// - Parameter signature: r and s, 64 bytes.
    public func compact(signature: Bytes) -> Bytes {
        var text = CompactJWS.text(signingInput: signingInput, signature: signature)
        text.append(0x7E)
        for disclosure in disclosures {
            text.append(contentsOf: disclosure.encoded)
            text.append(0x7E)
        }
        return text
    }
}

/// Names that SD-JWT VC, or our profile of it, gives a meaning of their own.
enum CredentialProfile {
    static let mediaSubtype = "dc+sd-jwt"
    static let mediaSubtypeName: StaticString = "dc+sd-jwt"

    /// Names that the digests use and no claim may have.
    static func isReserved(_ name: Bytes) -> Bool {
        name.equals("_sd") || name.equals("...") || name.equals("_sd_alg")
    }

    /// Claims that a verifier judges by and that a holder therefore cannot withhold.
    static func mustBeVisible(_ name: Bytes) -> Bool {
        name.equals("iss") || name.equals("iat") || name.equals("nbf") || name.equals("exp") || name.equals("cnf")
            || name.equals("vct") || name.equals("vct#integrity") || name.equals("status")
            || name.equals("issuer_name")
    }
}
