/// Why a compact JWS is refused.
public enum JWSError: Error, Equatable, Sendable {
    /// Not three base64url parts with a JSON object first.
    case malformed
    /// Longer than allowed.
    case tooLong
    /// Another algorithm than ES256; `none` among them.
    case unsupportedAlgorithm
    /// A `crit` header, or `b64`: extensions that we would have to understand.
    case unsupportedExtension
    /// The `typ` is not the expected one: a signature made for another purpose.
    case wrongPurpose
    /// The signature is not by this key over these bytes.
    case badSignature
}

/// A JSON Web Signature in compact form (RFC 7515 section 7.1), parsed and **not** verified.
public struct UnverifiedJWS: Sendable {
    /// The protected header: always an object with `alg` ES256.
    public let header: JSON
    /// The payload, a JSON object.
    public let payload: JSON
    /// The bytes that the signature covers.
    public let signingInput: Bytes
    /// r and s.
    public let signature: Bytes

    /// Parses `header.payload.signature`.
    ///
    /// - Parameter maximumLength: of the whole text, in bytes.
    public static func parse(_ compact: Bytes, maximumLength: Int = 1 << 20) throws(JWSError) -> UnverifiedJWS {
        guard compact.count <= maximumLength else { throw .tooLong }
        guard let parts = compact.split(at: 0x2E, maximum: 3), parts.count == 3,
            let headerBytes = Base64.decode(parts[0], .url),
            let payloadBytes = Base64.decode(parts[1], .url), let signature = Base64.decode(parts[2], .url)
        else { throw .malformed }
        let header: JSON
        let payload: JSON
        do {
            header = try JSON.parse(headerBytes, maximumLength: maximumLength)
            payload = try JSON.parse(payloadBytes, maximumLength: maximumLength)
        } catch {
            throw .malformed
        }
        guard let algorithm = header["alg"]?.string, payload.members != nil else { throw .malformed }
        guard algorithm.equals("ES256") else { throw .unsupportedAlgorithm }
        guard header["crit"] == nil, header["b64"] == nil else { throw .unsupportedExtension }
        guard signature.count == 64 else { throw .malformed }
        return UnverifiedJWS(
            header: header,
            payload: payload,
            signingInput: Array(compact[0..<parts[0].count + 1 + parts[1].count]),
            signature: signature
        )
    }

    /// Checks purpose and signature and returns the payload.
    ///
    /// - Parameters:
    ///   - key: the signer's; where it comes from decides what the result is worth.
    ///   - type: the expected `typ`: every signature covers its purpose.
    public func payload<Suite: CryptoSuite>(
        signedBy key: P256PublicKey,
        type: StaticString,
        suite: Suite
    ) throws(JWSError) -> JSON {
        guard let typ = header["typ"]?.string, typ.equals(type) else { throw .wrongPurpose }
        guard suite.isValidP256(signature, over: signingInput, publicKey: key.x963) else { throw .badSignature }
        return payload
    }
}

/// Building compact JWS around a signer that `Core` never sees.
public enum CompactJWS {
    /// The bytes to be signed with ES256: `BASE64URL(header).BASE64URL(payload)`.
    ///
    /// - Parameters:
    ///   - type: becomes `typ`.
    ///   - header: further protected members.
    public static func signingInput(type: String, header: [JSON.Member] = [], payload: JSON) -> Bytes {
        let members = [JSON.Member("alg", .text("ES256")), JSON.Member("typ", .text(type))] + header
        return Base64.encode(JSON.object(members).serialized(), .url) + [0x2E]
            + Base64.encode(payload.serialized(), .url)
    }

    /// The compact text from what was signed and the 64-byte signature.
    public static func text(signingInput: Bytes, signature: Bytes) -> Bytes {
        signingInput + [0x2E] + Base64.encode(signature, .url)
    }
}
