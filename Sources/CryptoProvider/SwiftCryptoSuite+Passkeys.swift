internal import Crypto
internal import CryptoExtras
public import Encodings
internal import Foundation
public import Passkeys

/// The public-key checks of passkeys, answered by swift-crypto.
extension SwiftCryptoSuite: PasskeyCryptoSuite {
    public func digest(_ bytes: Bytes, _ algorithm: DigestAlgorithm) -> Bytes {
        switch algorithm {
        case .sha256: Bytes(Crypto.SHA256.hash(data: bytes))
        case .sha384: Bytes(SHA384.hash(data: bytes))
        case .sha512: Bytes(SHA512.hash(data: bytes))
        }
    }

    public func isOnCurve(_ publicKey: Bytes, _ curve: COSECurve) -> Bool {
        // Another length would be another form of the point.
        guard publicKey.count == 2 * curve.size + 1 else { return false }
        return switch curve {
        case .p256: (try? P256.Signing.PublicKey(x963Representation: publicKey)) != nil
        case .p384: (try? P384.Signing.PublicKey(x963Representation: publicKey)) != nil
        case .p521: (try? P521.Signing.PublicKey(x963Representation: publicKey)) != nil
        }
    }

    public func isValidECDSA(
        _ signature: Bytes, over message: Bytes, publicKey: Bytes, curve: COSECurve, digest: DigestAlgorithm
    ) -> Bool {
        if curve == .p256, digest == .sha256 { return isValidP256(signature, over: message, publicKey: publicKey) }
        return switch digest {
        case .sha256: isValidECDSA(signature, Crypto.SHA256.hash(data: message), publicKey, curve)
        case .sha384: isValidECDSA(signature, SHA384.hash(data: message), publicKey, curve)
        case .sha512: isValidECDSA(signature, SHA512.hash(data: message), publicKey, curve)
        }
    }

    public func isValidRSA(
        _ signature: Bytes, over message: Bytes, modulus: Bytes, exponent: Bytes, digest: DigestAlgorithm
    ) -> Bool {
        guard signature.count == modulus.count,
            let key = try? _RSA.Signing.PublicKey(n: modulus, e: exponent)
        else { return false }
        let parsed = _RSA.Signing.RSASignature(rawRepresentation: signature)
        return switch digest {
        case .sha256:
            key.isValidSignature(parsed, for: Crypto.SHA256.hash(data: message), padding: .insecurePKCS1v1_5)
        case .sha384: key.isValidSignature(parsed, for: SHA384.hash(data: message), padding: .insecurePKCS1v1_5)
        case .sha512: key.isValidSignature(parsed, for: SHA512.hash(data: message), padding: .insecurePKCS1v1_5)
        }
    }

    /// Any curve with any hash function: certificates mix them.
    private func isValidECDSA(
        _ signature: Bytes, _ digest: some Digest, _ publicKey: Bytes, _ curve: COSECurve
    ) -> Bool {
        switch curve {
        case .p256:
            guard let key = try? P256.Signing.PublicKey(x963Representation: publicKey),
                let parsed = try? P256.Signing.ECDSASignature(rawRepresentation: signature)
            else { return false }
            return key.isValidSignature(parsed, for: digest)
        case .p384:
            guard let key = try? P384.Signing.PublicKey(x963Representation: publicKey),
                let parsed = try? P384.Signing.ECDSASignature(rawRepresentation: signature)
            else { return false }
            return key.isValidSignature(parsed, for: digest)
        case .p521:
            guard let key = try? P521.Signing.PublicKey(x963Representation: publicKey),
                let parsed = try? P521.Signing.ECDSASignature(rawRepresentation: signature)
            else { return false }
            return key.isValidSignature(parsed, for: digest)
        }
    }
}
