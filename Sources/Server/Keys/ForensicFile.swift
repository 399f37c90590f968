package import CryptoProvider
package import Encodings

/// The private half of the key that raw movements of hand signatures are sealed to: in a file, never on the server.
package struct ForensicFile: Sendable {
    /// The public half, which the server has.
    package let publicKey: P256PublicKey
    private let sealed: PassphraseSealed

    private static let format: StaticString = "countersign-forensic-key-v1"
    /// A key.
    package static let maximumSize = 1 << 14

    /// Makes a new key, and seals it.
    ///
    /// - Throws: `KeyFileError.weakPassphrase`.
    package init(
        passphrase: String, parameters: Argon2Parameters = .recommended, limits: Argon2Limits = .standard
    ) async throws {
        let key = try EncryptionKey()
        publicKey = key.publicKey
        sealed = try await PassphraseSealed(
            key.rawRepresentation, clear: Self.clear(key.publicKey), passphrase: passphrase, parameters: parameters,
            limits: limits)
    }

    /// Reads what `formatted` made.
    package init(_ text: Bytes) throws {
        guard let json = try? JSON.parse(text, maximumLength: Self.maximumSize, maximumDepth: 3),
            json.members?.count == 4, json["format"]?.isString(Self.format) == true,
            let key = json["public_key"]?.string.flatMap({ Base64.decode($0, .url) }).flatMap(P256PublicKey.init(x963:))
        else { throw KeyFileError.malformed }
        publicKey = key
        sealed = try PassphraseSealed(json)
    }

    /// Canonical JSON (RFC 8785) and a line end.
    package func formatted() throws -> Bytes { try sealed.formatted(clear: Self.clear(publicKey)) }

    /// The public half, base64url, which a page of the server is given.
    package var publicText: String { publicKey.x963.base64URL }

    /// Opens a movement that the server handed out.
    ///
    /// - Parameter movement: compact JWE.
    /// - Returns: the capture, JSON.
    /// - Throws: `KeyFileError`; `JWEError` for what is no movement sealed to this key.
    package func open(
        _ movement: Bytes, passphrase: String, limits: Argon2Limits = .standard
    ) async throws -> Bytes {
        let secret = try await sealed.open(clear: Self.clear(publicKey), passphrase: passphrase, limits: limits)
        guard let key = try? EncryptionKey(rawRepresentation: secret), key.publicKey == publicKey else {
            throw KeyFileError.malformed
        }
        return try JWE.open(movement, with: key, type: SigningEvidence.movementType)
    }

    private static func clear(_ key: P256PublicKey) -> [(String, JSON)] {
        [("format", .text("\(format)")), ("public_key", .string(Base64.encode(key.x963, .url)))]
    }
}
