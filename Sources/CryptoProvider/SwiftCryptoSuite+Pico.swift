internal import Crypto
public import EllipticCurves
public import Encodings
internal import Foundation
public import Pico

/// What Pico's protocol asks of its surroundings, answered by swift-crypto where it has the curve, else by `Core`.
///
/// swift-crypto's signatures have nonces that mix the key, the message and randomness.
extension SwiftCryptoSuite: PicoCryptoSuite {
    public func sealAESGCM(_ plaintext: Bytes, key: Bytes, iv: Bytes) -> Bytes? {
        guard let nonce = try? AES.GCM.Nonce(data: iv), Self.keyLengths.contains(key.count),
            let box = try? AES.GCM.seal(plaintext, using: SymmetricKey(data: key), nonce: nonce)
        else { return nil }
        return Bytes(box.ciphertext) + Bytes(box.tag)
    }

    public func openAESGCM(_ sealed: Bytes, key: Bytes, iv: Bytes) -> Bytes? {
        guard sealed.count >= Self.tag, Self.keyLengths.contains(key.count), let nonce = try? AES.GCM.Nonce(data: iv),
            let box = try? AES.GCM.SealedBox(
                nonce: nonce, ciphertext: sealed.dropLast(Self.tag), tag: sealed.suffix(Self.tag)),
            let plaintext = try? AES.GCM.open(box, using: SymmetricKey(data: key))
        else { return nil }
        return Bytes(plaintext)
    }

    public func randomBytes(_ count: Int) -> Bytes { RandomBytes.make(count) }

    public func hmacSHA256(_ message: Bytes, key: Bytes) -> Bytes {
        Bytes(HMAC<Crypto.SHA256>.authenticationCode(for: message, using: SymmetricKey(data: key)))
    }

    public func publicPoint(of scalar: Bytes, on curve: EllipticCurve) -> Bytes? {
        let point: Data?
        switch curve {
        case .p256: point = try? P256.KeyAgreement.PrivateKey(rawRepresentation: scalar).publicKey.x963Representation
        case .p384: point = try? P384.KeyAgreement.PrivateKey(rawRepresentation: scalar).publicKey.x963Representation
        case .p521: point = try? P521.KeyAgreement.PrivateKey(rawRepresentation: scalar).publicKey.x963Representation
        case .p192, .secp192k1: return try? ECPrivateKey(curve, scalar: scalar).publicKey.x963
        }
        return point.map { Bytes($0) }
    }

    public func sharedSecret(of key: ECPrivateKey, with peer: ECPublicKey) -> Bytes? {
        guard key.curve == peer.curve else { return nil }
        let scalar = key.secretScalar
        let secret: SharedSecret?
        switch key.curve {
        case .p256:
            secret = try? P256.KeyAgreement.PrivateKey(rawRepresentation: scalar)
                .sharedSecretFromKeyAgreement(with: P256.KeyAgreement.PublicKey(x963Representation: peer.x963))
        case .p384:
            secret = try? P384.KeyAgreement.PrivateKey(rawRepresentation: scalar)
                .sharedSecretFromKeyAgreement(with: P384.KeyAgreement.PublicKey(x963Representation: peer.x963))
        case .p521:
            secret = try? P521.KeyAgreement.PrivateKey(rawRepresentation: scalar)
                .sharedSecretFromKeyAgreement(with: P521.KeyAgreement.PublicKey(x963Representation: peer.x963))
        case .p192, .secp192k1: return try? key.sharedSecret(with: peer)
        }
        return secret.map { secret in unsafe secret.withUnsafeBytes { unsafe Bytes($0) } }
    }

    public func signature(over message: Bytes, with key: ECPrivateKey) -> Bytes? {
        let scalar = key.secretScalar
        let digest = Crypto.SHA256.hash(data: message)
        let signature: Data?
        switch key.curve {
        case .p256:
            signature = try? P256.Signing.PrivateKey(rawRepresentation: scalar).signature(for: digest).derRepresentation
        case .p384:
            signature = try? P384.Signing.PrivateKey(rawRepresentation: scalar).signature(for: digest).derRepresentation
        case .p521:
            signature = try? P521.Signing.PrivateKey(rawRepresentation: scalar).signature(for: digest).derRepresentation
        case .p192, .secp192k1:
            return key.signature(over: message, with: .sha256, additionalRandomness: RandomBytes.make(32))
        }
        return signature.map { Bytes($0) }
    }

    public func isValidSignature(_ signature: Bytes, over message: Bytes, publicKey: ECPublicKey) -> Bool {
        // `Core` reads DER strictly; the library need not.
        guard let raw = try? ECDSASignature.raw(fromDER: signature, size: publicKey.curve.byteCount) else {
            return false
        }
        let digest = Crypto.SHA256.hash(data: message)
        switch publicKey.curve {
        case .p256:
            return isValidP256(raw, over: message, publicKey: publicKey.x963)
        case .p384:
            guard let key = try? P384.Signing.PublicKey(x963Representation: publicKey.x963),
                let parsed = try? P384.Signing.ECDSASignature(rawRepresentation: raw)
            else { return false }
            return key.isValidSignature(parsed, for: digest)
        case .p521:
            guard let key = try? P521.Signing.PublicKey(x963Representation: publicKey.x963),
                let parsed = try? P521.Signing.ECDSASignature(rawRepresentation: raw)
            else { return false }
            return key.isValidSignature(parsed, for: digest)
        case .p192, .secp192k1:
            return publicKey.isValidRawSignature(raw, digest: sha256(message))
        }
    }

    private static let tag = 16
    private static let keyLengths = [16, 32]
}
