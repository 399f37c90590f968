import CryptoProvider
import Encodings

/// The organisation's root key, in a file that may be removed.
///
/// It is read each time that it is needed and never kept in memory: a running server loses and regains it with the file.
package struct RootKey: Sendable {
    static let name = "root"
    let folder: KeyFolder

    /// Why the root cannot sign.
    package enum Missing: Error, Equatable {
        /// Its file was removed.
        case offline
    }

    /// The root as an issuer.
    ///
    /// - Parameter certificate: the organisation's root certificate, DER.
    /// - Throws: `Missing.offline`; `KeyError.foreign` for a key that is not this organisation's.
    func authority(_ certificate: Bytes) throws -> IssuingAuthority {
        guard let secret = try folder.read(Self.name) else { throw Missing.offline }
        return try Self.authority(secret, certificate)
    }

    /// The root as an issuer, or `nil` while it is away.
    func authorityIfHere(_ certificate: Bytes) throws -> IssuingAuthority? {
        do { return try authority(certificate) } catch Missing.offline { return nil }
    }

    /// The key of an organisation that is just being set up.
    func make(random: RandomSource) throws -> SigningKey {
        try Self.key(try folder.readOrMake(Self.name, random: random))
    }

    static func authority(_ secret: Bytes, _ certificate: Bytes) throws -> IssuingAuthority {
        do {
            return try IssuingAuthority(key: key(secret), certificate: certificate)
        } catch is IssuingError {
            throw ServerKeys.KeyError.foreign(name: name)
        }
    }

    private static func key(_ secret: Bytes) throws -> SigningKey {
        do {
            return try SigningKey(rawRepresentation: secret)
        } catch {
            throw ServerKeys.KeyError.malformed(name: name)
        }
    }
}
