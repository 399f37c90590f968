import CryptoProvider
import Encodings

/// Why a file does not give the key that it holds.
package enum KeyFileError: Error, Equatable {
    /// No file of this kind.
    case malformed
    /// It asks for a weaker or dearer derivation than allowed.
    case unacceptableDerivation
    /// Fewer than `PassphraseSealed.shortestPassphrase` bytes.
    case weakPassphrase
    /// Another passphrase, or the file was changed.
    case wrongPassphrase
}

/// A secret in a file of its own, away from the server: opened by a passphrase (Argon2id, AES-256-GCM).
///
/// The part of the file in clear is authenticated with it.
struct PassphraseSealed: Sendable {
    private let derivation: KeyDerivation
    private let sealed: Bytes

    /// The fewest bytes of a passphrase: a finder of the file may guess for years.
    static let shortestPassphrase = 15

    /// Seals a secret.
    ///
    /// - Parameters:
    ///   - clear: the part beside it in clear.
    ///   - parameters: other than the standard only in tests.
    init(
        _ secret: Bytes, clear: [(String, JSON)], passphrase: String,
        parameters: Argon2Parameters = .recommended, limits: Argon2Limits = .standard
    ) async throws {
        guard passphrase.utf8.count >= Self.shortestPassphrase else { throw KeyFileError.weakPassphrase }
        let derivation = KeyDerivation(parameters: parameters, salt: RandomBytes.make(16))
        let key = try await Self.key(passphrase, derivation, limits)
        self.derivation = derivation
        sealed = try SecretBox(key: key).seal(secret, purpose: Self.purpose(clear, derivation))
    }

    /// Reads the members `derivation` and `sealed`.
    init(_ json: JSON) throws(KeyFileError) {
        guard let derivation = json["derivation"].flatMap({ KeyDerivation(json: $0) }),
            let sealed = json["sealed"]?.string.flatMap({ Base64.decode($0, .url) })
        else { throw .malformed }
        self.derivation = derivation
        self.sealed = sealed
    }

    /// The file: canonical JSON (RFC 8785) and a line end.
    func formatted(clear: [(String, JSON)]) throws -> Bytes {
        try JSON.members(
            clear + [("derivation", derivation.json), ("sealed", .string(Base64.encode(sealed, .url)))]
        ).canonical() + [0x0A]
    }

    /// The secret.
    func open(clear: [(String, JSON)], passphrase: String, limits: Argon2Limits) async throws -> Bytes {
        guard limits.allow(derivation.parameters), derivation.salt.count == 16 else {
            throw KeyFileError.unacceptableDerivation
        }
        let key = try await Self.key(passphrase, derivation, limits)
        do {
            return try SecretBox(key: key).open(sealed, purpose: Self.purpose(clear, derivation))
        } catch {
            throw KeyFileError.wrongPassphrase
        }
    }

    private static func key(
        _ passphrase: String, _ derivation: KeyDerivation, _ limits: Argon2Limits
    ) async throws -> Bytes {
        try await Argon2Workers(threads: 1, maximumWaiting: 1, limits: limits).derive(
            PassphraseHash.bytes(of: passphrase), salt: derivation.salt, parameters: derivation.parameters)
    }

    private static func purpose(_ clear: [(String, JSON)], _ derivation: KeyDerivation) throws -> String {
        String(
            decoding: try JSON.members(clear + [("derivation", derivation.json)]).canonical(), as: UTF8.self)
    }
}
