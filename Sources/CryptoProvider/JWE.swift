internal import Crypto
public import Encodings
internal import Foundation

/// Why a sealed message is not opened.
public enum JWEError: Error, Equatable, Sendable {
    /// Longer than allowed.
    case tooLong
    /// The text is not five base64url parts with a strict JSON object first, or a part has the wrong length.
    case malformed
    /// Another `alg` or `enc` than ECDH-ES and A256GCM.
    case unsupportedAlgorithm
    /// A `crit` or `zip` header: extensions that we would have to understand.
    case unsupportedExtension
    /// The `typ` is not the expected one: a message sealed for another purpose.
    case wrongPurpose
    /// The `kid` names another recipient.
    case wrongRecipient
    /// The ephemeral or the recipient's key is not a public key on P-256.
    case badKey
    /// The content or the header was changed, or sealed to another key.
    case notAuthentic
}

/// JSON Web Encryption in compact form (RFC 7516 section 7.1) with direct ECDH-ES on P-256 and A256GCM.
public enum JWE {
    /// At most so many bytes are opened: a package of 16 MiB in base64 twice, with room to spare.
    public static let maximumLength = 32 << 20

    /// Seals `plaintext` so that only the recipient's private key opens it.
    ///
    /// - Parameters:
    ///   - recipient: its thumbprint (RFC 7638) becomes `kid`.
    ///   - type: becomes `typ`: the purpose, authenticated with the rest.
    /// - Returns: the compact text, ASCII.
    public static func seal(
        _ plaintext: Bytes, to recipient: P256PublicKey, type: String
    ) throws(JWEError) -> Bytes {
        guard let ephemeral = try? EncryptionKey(), let secret = try? ephemeral.sharedSecret(with: recipient) else {
            throw .badKey
        }
        let header = JSON.members([
            ("alg", .text("ECDH-ES")), ("enc", .text("A256GCM")), ("epk", ephemeral.publicKey.jwk),
            ("kid", .string(Base64.encode(recipient.thumbprint, .url))), ("typ", .text(type)),
        ])
        let encodedHeader = Base64.encode(header.serialized(), .url)
        let key = contentKey(secret: secret, partyU: [], partyV: [])
        guard let box = try? AES.GCM.seal(plaintext, using: key, authenticating: encodedHeader) else {
            throw .notAuthentic
        }
        // The second part is the encrypted key, which direct agreement does not have.
        let parts = [encodedHeader, [], Bytes(box.nonce), Bytes(box.ciphertext), Bytes(box.tag)]
        var compact = encodedHeader
        for part in parts.dropFirst() {
            compact.append(0x2E)
            compact += Base64.encode(part, .url)
        }
        return compact
    }

    /// Opens a compact text.
    ///
    /// - Parameters:
    ///   - key: the recipient's.
    ///   - type: the expected `typ`.
    public static func open(
        _ compact: Bytes, with key: EncryptionKey, type: String
    ) throws(JWEError) -> Bytes {
        guard compact.count <= maximumLength else { throw .tooLong }
        guard let parts = compact.split(at: 0x2E, maximum: 5), parts.count == 5, parts[0].count <= 4096,
            let headerBytes = Base64.decode(parts[0], .url),
            let header = try? JSON.parse(headerBytes, maximumLength: 4096, maximumDepth: 4), header.members != nil
        else { throw .malformed }
        let agreement = try Agreement(header: header, type: type, recipient: key.publicKey)
        guard parts[1].isEmpty, let nonceBytes = Base64.decode(parts[2], .url), nonceBytes.count == 12,
            let ciphertext = Base64.decode(parts[3], .url), let tag = Base64.decode(parts[4], .url), tag.count == 16
        else { throw .malformed }
        guard let secret = try? key.sharedSecret(with: agreement.ephemeral) else { throw .badKey }
        let contentKey = contentKey(secret: secret, partyU: agreement.partyU, partyV: agreement.partyV)
        guard let nonce = try? AES.GCM.Nonce(data: nonceBytes),
            let box = try? AES.GCM.SealedBox(nonce: nonce, ciphertext: ciphertext, tag: tag),
            let plaintext = try? AES.GCM.open(box, using: contentKey, authenticating: parts[0])
        else { throw .notAuthentic }
        return Bytes(plaintext)
    }

    private static func contentKey(secret: Bytes, partyU: Bytes, partyV: Bytes) -> SymmetricKey {
        SymmetricKey(
            data: ConcatKDF.derive(secret: secret, algorithm: "A256GCM", partyU: partyU, partyV: partyV, length: 32))
    }

    /// The header's key agreement, once it is one that we accept.
    private struct Agreement {
        let ephemeral: P256PublicKey
        let partyU: Bytes
        let partyV: Bytes

        init(header: JSON, type: String, recipient: P256PublicKey) throws(JWEError) {
            guard let algorithm = header["alg"]?.string, let encryption = header["enc"]?.string else {
                throw .malformed
            }
            guard algorithm.equals("ECDH-ES"), encryption.equals("A256GCM") else { throw .unsupportedAlgorithm }
            guard header["crit"] == nil, header["zip"] == nil else { throw .unsupportedExtension }
            guard let purpose = header["typ"]?.string, purpose.equals(text: type) else { throw .wrongPurpose }
            if let identifier = header["kid"] {
                guard identifier == .string(Base64.encode(recipient.thumbprint, .url)) else { throw .wrongRecipient }
            }
            guard let jwk = header["epk"], let ephemeral = P256PublicKey(jwk: jwk) else { throw .badKey }
            self.ephemeral = ephemeral
            partyU = try Self.party(header["apu"])
            partyV = try Self.party(header["apv"])
        }

        private static func party(_ member: JSON?) throws(JWEError) -> Bytes {
            guard let member else { return [] }
            guard let text = member.string, let bytes = Base64.decode(text, .url) else { throw .malformed }
            return bytes
        }
    }
}
