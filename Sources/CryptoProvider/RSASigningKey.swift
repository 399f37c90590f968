internal import Crypto
internal import CryptoExtras
public import Encodings
internal import Foundation

/// An RSA private key that signs as the original's server does: RSASSA-PKCS1-v1_5 with SHA-384 (RFC 8017 section 8.2.1).
///
/// It has no textual description, so that no log can hold it.
public struct RSASigningKey: Sendable {
    private let key: _RSA.Signing.PrivateKey

    /// Makes a new key of 2048 bits with the exponent 65537: what the original has.
    public init() throws(KeyError) {
        guard let key = try? _RSA.Signing.PrivateKey(keySize: .bits2048) else { throw .failed }
        self.key = key
    }

    /// Reads a private key in PEM, PKCS#1 or PKCS#8, of 2048 to 4096 bits.
    public init(pem: Bytes) throws(KeyError) {
        guard let key = try? _RSA.Signing.PrivateKey(pemRepresentation: String(decoding: pem, as: UTF8.self)),
            key.keySizeInBits <= 4096
        else { throw .malformed }
        self.key = key
    }

    /// Takes a key back from its sealed form.
    public init(derRepresentation: Bytes) throws(KeyError) {
        guard let key = try? _RSA.Signing.PrivateKey(derRepresentation: derRepresentation) else { throw .malformed }
        self.key = key
    }

    /// The private key as DER: for sealing, and for nothing else.
    public var derRepresentation: Bytes { Bytes(key.derRepresentation) }

    /// The public key, a SubjectPublicKeyInfo in PEM.
    public var publicPEM: Bytes { Bytes(text: key.publicKey.pemRepresentation) }

    /// Signs a message.
    ///
    /// - Returns: as many bytes as the modulus has; the same for the same message.
    public func sign(_ message: Bytes) throws(KeyError) -> Bytes {
        let digest = SHA384.hash(data: message)
        guard let signature = try? key.signature(for: digest, padding: .insecurePKCS1v1_5) else { throw .failed }
        return Bytes(signature.rawRepresentation)
    }
}
