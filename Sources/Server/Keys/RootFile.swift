import Certificates
package import CryptoProvider
package import Encodings
import Foundation

/// The root key in a file of its own, away from the server: opened by a passphrase (Argon2id, AES-256-GCM).
///
/// The root certificate stands in it in clear, so that the file says whose it is, and is authenticated with the key.
package struct RootFile: Sendable {
    /// The root certificate, DER.
    package let certificate: Bytes
    private let derivation: KeyDerivation
    private let sealed: Bytes

    private static let format: StaticString = "countersign-root-v1"
    /// A certificate and a key.
    package static let maximumSize = 1 << 16
    /// Bytes of the passphrase at the least: whoever finds the file may guess for years.
    package static let shortestPassphrase = 15

    /// Why a file does not give the key.
    package enum FileError: Error, Equatable {
        /// No file of this kind.
        case malformed
        /// It asks for a weaker or dearer derivation than allowed.
        case unacceptableDerivation
        /// Fewer than `shortestPassphrase` bytes.
        case weakPassphrase
        /// Another passphrase, or the file was changed.
        case wrongPassphrase
    }

    /// Seals the secret of the root with this certificate.
    ///
    /// - Parameter parameters: other than the standard only in tests.
    init(
        secret: Bytes, certificate: Bytes, passphrase: String, parameters: Argon2Parameters = .recommended,
        limits: Argon2Limits = .standard
    ) async throws {
        guard passphrase.utf8.count >= Self.shortestPassphrase else { throw FileError.weakPassphrase }
        let derivation = KeyDerivation(parameters: parameters, salt: RandomBytes.make(16))
        let key = try await Self.key(passphrase, derivation, limits)
        self.certificate = certificate
        self.derivation = derivation
        sealed = try SecretBox(key: key).seal(secret, purpose: Self.purpose(certificate, derivation))
    }

    /// Reads what `formatted` made.
    package init(_ text: Bytes) throws {
        guard let json = try? JSON.parse(text, maximumLength: Self.maximumSize, maximumDepth: 3),
            json.members?.count == 4, json["format"]?.isString(Self.format) == true,
            let certificate = json["certificate"]?.string.flatMap({ Base64.decode($0, .url) }),
            let derivation = json["derivation"].flatMap({ KeyDerivation(json: $0) }),
            let sealed = json["sealed"]?.string.flatMap({ Base64.decode($0, .url) }),
            (try? TrustAnchor(der: certificate)) != nil
        else { throw FileError.malformed }
        self.certificate = certificate
        self.derivation = derivation
        self.sealed = sealed
    }

    /// Canonical JSON (RFC 8785) and a line end.
    package func formatted() throws -> Bytes {
        try JSON.members([
            ("certificate", .string(Base64.encode(certificate, .url))), ("derivation", derivation.json),
            ("format", .text("\(Self.format)")), ("sealed", .string(Base64.encode(sealed, .url))),
        ]).canonical() + [0x0A]
    }

    /// The root as an issuer.
    package func authority(passphrase: String, limits: Argon2Limits = .standard) async throws -> IssuingAuthority {
        try RootKey.authority(await secret(passphrase: passphrase, limits: limits), certificate)
    }

    /// The key itself.
    func secret(passphrase: String, limits: Argon2Limits = .standard) async throws -> Bytes {
        guard limits.allow(derivation.parameters), derivation.salt.count == 16 else {
            throw FileError.unacceptableDerivation
        }
        let key = try await Self.key(passphrase, derivation, limits)
        do {
            return try SecretBox(key: key).open(sealed, purpose: Self.purpose(certificate, derivation))
        } catch {
            throw FileError.wrongPassphrase
        }
    }

    private static func key(
        _ passphrase: String, _ derivation: KeyDerivation, _ limits: Argon2Limits
    ) async throws -> Bytes {
        try await Argon2Workers(threads: 1, maximumWaiting: 1, limits: limits).derive(
            PassphraseHash.bytes(of: passphrase), salt: derivation.salt, parameters: derivation.parameters)
    }

    private static func purpose(_ certificate: Bytes, _ derivation: KeyDerivation) throws -> String {
        let json = JSON.members([
            ("certificate", .string(Base64.encode(certificate, .url))), ("derivation", derivation.json),
            ("format", .text("\(Self.format)")),
        ])
        return String(decoding: try json.canonical(), as: UTF8.self)
    }
}
