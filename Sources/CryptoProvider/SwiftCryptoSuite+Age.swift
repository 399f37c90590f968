public import Age
internal import Crypto
internal import CryptoExtras
public import Encodings
internal import Foundation

/// What the age format asks of its surroundings, answered by swift-crypto. `randomBytes` and `hmacSHA256` are Pico's.
extension SwiftCryptoSuite: AgeCryptoSuite {
    public func x25519(_ secret: Bytes, publicKey: Bytes) -> Bytes? {
        guard let key = try? Curve25519.KeyAgreement.PrivateKey(rawRepresentation: secret),
            let peer = try? Curve25519.KeyAgreement.PublicKey(rawRepresentation: publicKey),
            let shared = try? key.sharedSecretFromKeyAgreement(with: peer)
        else { return nil }
        let bytes = unsafe shared.withUnsafeBytes { unsafe Bytes($0) }
        // The library may refuse zeros itself; nothing depends on whether it does.
        return bytes.equalsInConstantTime(Bytes(repeating: 0, count: bytes.count)) ? nil : bytes
    }

    public func scrypt(_ passphrase: Bytes, salt: Bytes, logWork: Int) -> Bytes? {
        guard AgeLimits.logWork ~= logWork else { return nil }
        let key = try? KDF.Scrypt.deriveKey(
            from: passphrase, salt: salt, outputByteCount: 32, rounds: 1 << logWork, blockSize: 8, parallelism: 1)
        return key.map(Self.bytes)
    }

    public func sealChaCha20Poly1305(
        _ plaintext: ArraySlice<UInt8>, key: Bytes, nonce: Bytes, appendingTo output: inout Bytes
    ) -> Bool {
        guard key.count == Self.key, let nonce = try? ChaChaPoly.Nonce(data: nonce),
            let box = try? ChaChaPoly.seal(plaintext, using: SymmetricKey(data: key), nonce: nonce)
        else { return false }
        // Nonce, ciphertext and tag follow each other there.
        output += box.combined.dropFirst(Self.nonce)
        return true
    }

    public func openChaCha20Poly1305(
        _ sealed: ArraySlice<UInt8>, key: Bytes, nonce: Bytes, appendingTo output: inout Bytes
    ) -> Bool {
        guard key.count == Self.key, sealed.count >= Self.ageTag, let nonce = try? ChaChaPoly.Nonce(data: nonce),
            let box = try? ChaChaPoly.SealedBox(
                nonce: nonce, ciphertext: sealed.dropLast(Self.ageTag), tag: sealed.suffix(Self.ageTag)),
            let plaintext = try? ChaChaPoly.open(box, using: SymmetricKey(data: key))
        else { return false }
        output += plaintext
        return true
    }

    public func hybridPublicKey(of seed: Bytes) -> Bytes? {
        Self.hybridKey(seed).map { Bytes($0.publicKey.rawRepresentation) }
    }

    public func hybridEncapsulate(to publicKey: Bytes) -> AgeEncapsulation? {
        guard let key = try? XWingMLKEM768X25519.PublicKey(rawRepresentation: publicKey),
            let result = try? key.encapsulate()
        else { return nil }
        return AgeEncapsulation(sharedSecret: Self.bytes(result.sharedSecret), bytes: Bytes(result.encapsulated))
    }

    public func hybridDecapsulate(_ encapsulation: Bytes, seed: Bytes) -> Bytes? {
        guard let key = Self.hybridKey(seed), let secret = try? key.decapsulate(Data(encapsulation)) else { return nil }
        return Self.bytes(secret)
    }

    private static func hybridKey(_ seed: Bytes) -> XWingMLKEM768X25519.PrivateKey? {
        try? XWingMLKEM768X25519.PrivateKey(seedRepresentation: seed, publicKey: nil)
    }

    private static func bytes(_ key: SymmetricKey) -> Bytes { unsafe key.withUnsafeBytes { unsafe Bytes($0) } }

    private static let key = 32
    private static let nonce = 12
    private static let ageTag = 16
}
