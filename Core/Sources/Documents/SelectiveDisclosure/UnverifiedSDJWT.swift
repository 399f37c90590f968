public import Encodings

/// An SD-JWT, with or without key binding, parsed and **not** verified (RFC 9901 section 4).
public struct UnverifiedSDJWT: Sendable {
    /// The longest text that we read, in bytes.
    public static let maximumLength = 1 << 20
    /// The most disclosures that we read.
    public static let maximumDisclosures = 256
    private static let maximumCertificates = 4

    /// The issuer-signed JWT.
    public let credential: UnverifiedJWS
    /// The issuer-signed JWT as text: everything before the first `~`.
    public let credentialText: Bytes
    /// The disclosures in the order given.
    public let disclosures: [Disclosure]
    /// Everything up to and including the last `~`: what `sd_hash` covers.
    public let boundText: Bytes
    /// The key binding JWT as text, or `nil` when there is none.
    public let keyBindingText: Bytes?

    /// Parses the compact serialisation.
    public static func parse(_ compact: Bytes) throws(SDJWTError) -> UnverifiedSDJWT {
        guard compact.count <= maximumLength else { throw .tooLong }
        guard let parts = compact.split(at: 0x7E, maximum: maximumDisclosures + 2) else { throw .tooManyDisclosures }
        guard parts.count >= 2 else { throw .malformed }
        var disclosures: [Disclosure] = []
        for part in parts[1..<parts.count - 1] { disclosures.append(try Disclosure.parse(part)) }
        let credential: UnverifiedJWS
        do {
            credential = try UnverifiedJWS.parse(parts[0])
        } catch {
            throw .credential(error)
        }
        let last = parts[parts.count - 1]
        return UnverifiedSDJWT(
            credential: credential, credentialText: parts[0], disclosures: disclosures,
            boundText: Array(compact[0..<compact.count - last.count]), keyBindingText: last.isEmpty ? nil : last)
    }

    /// SHA-256 of the issuer-signed JWT, 32 bytes: the credential's name in the transparency log.
    public func credentialDigest<Suite: CryptoSuite>(suite: Suite) -> Bytes { suite.sha256(credentialText) }

    /// The certificates of the header's `x5c` in DER, leaf first.
    ///
    /// They are claims of the file, not trust.
    public func certificates() throws(SDJWTError) -> [Bytes] {
        guard let chain = X5C.certificates(in: credential.header, maximum: Self.maximumCertificates) else {
            throw .missingCertificates
        }
        return chain
    }

    /// Checks purpose and the issuer's signature.
    ///
    /// - Parameter key: of the validated leaf certificate, never straight from the file.
    public func signed<Suite: CryptoSuite>(
        by key: P256PublicKey, suite: Suite
    ) throws(SDJWTError) -> SignedSDJWT {
        do {
            let payload = try credential.payload(
                signedBy: key, type: CredentialProfile.mediaSubtypeName, suite: suite)
            return SignedSDJWT(payload: payload, disclosures: disclosures)
        } catch {
            throw .credential(error)
        }
    }

    /// The text to present: the issuer-signed JWT with the chosen top-level claims, ending in `~`, without key binding.
    ///
    /// - Parameter names: the claims to show; each must have a disclosure.
    /// - Throws: `unknownClaim`.
    public func presentation(disclosing names: [Bytes]) throws(SDJWTError) -> Bytes {
        for name in names {
            guard disclosures.contains(where: { $0.name == name }) else { throw .unknownClaim }
        }
        var text = credentialText
        text.append(0x7E)
        for disclosure in disclosures {
            guard let name = disclosure.name, names.contains(name) else { continue }
            text.append(contentsOf: disclosure.encoded)
            text.append(0x7E)
        }
        return text
    }
}

/// The certificate chain in a JOSE header (RFC 7515 section 4.1.6).
enum X5C {
    /// The certificates in DER, or `nil` when there is no such list of 1 to `maximum` certificates.
    static func certificates(in header: JSON, maximum: Int) -> [Bytes]? {
        guard let texts = header["x5c"]?.array, !texts.isEmpty, texts.count <= maximum else { return nil }
        var chain: [Bytes] = []
        for text in texts {
            guard let encoded = text.string, let der = Base64.decode(encoded, .standard) else { return nil }
            chain.append(der)
        }
        return chain
    }
}
