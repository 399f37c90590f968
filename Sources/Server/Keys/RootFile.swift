import Certificates
package import CryptoProvider
package import Encodings

/// The root key in a file of its own, away from the server.
///
/// The root certificate is in it in clear, so the file says whose it is.
package struct RootFile: Sendable {
    /// The root certificate, DER.
    package let certificate: Bytes
    private let sealed: PassphraseSealed

    private static let format: StaticString = "countersign-root-v1"
    /// A certificate and a key.
    package static let maximumSize = 1 << 16
    /// The fewest bytes of a passphrase.
    package static let shortestPassphrase = PassphraseSealed.shortestPassphrase
    /// Why a file does not give the key.
    package typealias FileError = KeyFileError

    /// Seals the secret of the root with this certificate.
    ///
    /// - Parameter parameters: other than the standard only in tests.
    init(
        secret: Bytes, certificate: Bytes, passphrase: String, parameters: Argon2Parameters = .recommended,
        limits: Argon2Limits = .standard
    ) async throws {
        self.certificate = certificate
        sealed = try await PassphraseSealed(
            secret, clear: Self.clear(certificate), passphrase: passphrase, parameters: parameters, limits: limits)
    }

    /// Reads what `formatted` made.
    package init(_ text: Bytes) throws {
        guard let json = try? JSON.parse(text, maximumLength: Self.maximumSize, maximumDepth: 3),
            json.members?.count == 4, json["format"]?.isString(Self.format) == true,
            let certificate = json["certificate"]?.string.flatMap({ Base64.decode($0, .url) }),
            (try? TrustAnchor(der: certificate)) != nil
        else { throw FileError.malformed }
        self.certificate = certificate
        sealed = try PassphraseSealed(json)
    }

    /// Canonical JSON (RFC 8785) and a line end.
    package func formatted() throws -> Bytes { try sealed.formatted(clear: Self.clear(certificate)) }

    /// The root as an issuer.
    package func authority(passphrase: String, limits: Argon2Limits = .standard) async throws -> IssuingAuthority {
        try RootKey.authority(await secret(passphrase: passphrase, limits: limits), certificate)
    }

    /// The key itself.
    func secret(passphrase: String, limits: Argon2Limits = .standard) async throws -> Bytes {
        try await sealed.open(clear: Self.clear(certificate), passphrase: passphrase, limits: limits)
    }

    private static func clear(_ certificate: Bytes) -> [(String, JSON)] {
        [("certificate", .string(Base64.encode(certificate, .url))), ("format", .text("\(format)"))]
    }
}
