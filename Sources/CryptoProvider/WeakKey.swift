internal import Crypto
internal import CryptoExtras
public import Encodings
internal import Foundation

/// Keys that no device of version 1 may have: only to try whether a server refuses them.
public enum WeakKey: String, CaseIterable, Sendable {
    case rsa1024 = "RSA-1024"
    case rsa2048 = "RSA-2048"
    case p384 = "P-384"
    case p521 = "P-521"

    /// Signs a message with a new key, with SHA-384.
    ///
    /// - Returns: the public key in PEM, and the signature as OpenSSL takes it.
    public func sign(_ message: Bytes) throws -> (pem: Bytes, signature: Bytes) {
        let digest = SHA384.hash(data: message)
        switch self {
        case .rsa1024, .rsa2048:
            let bits = _RSA.Signing.KeySize(bitCount: self == .rsa1024 ? 1024 : 2048)
            let key = try _RSA.Signing.PrivateKey(unsafeKeySize: bits)
            let signature = try key.signature(for: digest, padding: .insecurePKCS1v1_5)
            return (Bytes(text: key.publicKey.pemRepresentation), Bytes(signature.rawRepresentation))
        case .p384:
            let key = P384.Signing.PrivateKey()
            let signature = try key.signature(for: digest)
            return (Bytes(text: key.publicKey.pemRepresentation), Bytes(signature.derRepresentation))
        case .p521:
            let key = P521.Signing.PrivateKey()
            let signature = try key.signature(for: digest)
            return (Bytes(text: key.publicKey.pemRepresentation), Bytes(signature.derRepresentation))
        }
    }
}
