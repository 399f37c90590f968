public import Age
internal import Crypto
internal import CryptoExtras
internal import Dispatch
public import Encodings
internal import Foundation
internal import Synchronization

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
        guard let sealed = Self.sealed(plaintext, key: key, nonce: nonce) else { return false }
        output += sealed
        return true
    }

    /// On all processors at once: pieces know nothing of each other.
    public func sealChaCha20Poly1305(
        pieces plaintext: ArraySlice<UInt8>, key: Bytes, nonces: [Bytes], appendingTo output: inout Bytes
    ) -> Bool {
        guard plaintext.count == nonces.count * AgeLimits.chunk else { return false }
        let (length, start) = (AgeLimits.sealedChunk, output.count)
        output += repeatElement(0, count: nonces.count * length)
        return unsafe output.withUnsafeMutableBytes { all in
            let place = unsafe Place(all, from: start)
            let isWhole = Atomic(true)
            DispatchQueue.concurrentPerform(iterations: nonces.count) { index in
                let from = plaintext.startIndex + index * AgeLimits.chunk
                guard
                    let sealed = Self.sealed(plaintext[from..<from + AgeLimits.chunk], key: key, nonce: nonces[index]),
                    sealed.count == length
                else { return isWhole.store(false, ordering: .relaxed) }
                place.put(sealed, at: index * length)
            }
            return isWhole.load(ordering: .relaxed)
        }
    }

    /// Memory that several threads write to, each to its own part.
    @safe private struct Place: @unchecked Sendable {
        private let bytes: UnsafeMutableRawBufferPointer

        init(_ bytes: UnsafeMutableRawBufferPointer, from start: Int) {
            unsafe self.bytes = UnsafeMutableRawBufferPointer(rebasing: bytes[start...])
        }

        func put(_ data: Data, at offset: Int) {
            unsafe UnsafeMutableRawBufferPointer(rebasing: bytes[offset..<offset + data.count]).copyBytes(from: data)
        }
    }

    /// Ciphertext and tag.
    private static func sealed(_ plaintext: ArraySlice<UInt8>, key: Bytes, nonce: Bytes) -> Data? {
        guard key.count == Self.key, let nonce = try? ChaChaPoly.Nonce(data: nonce),
            let box = try? ChaChaPoly.seal(plaintext, using: SymmetricKey(data: key), nonce: nonce)
        else { return nil }
        // Nonce, ciphertext and tag follow each other there.
        return box.combined.dropFirst(Self.nonce)
    }

    public func openChaCha20Poly1305(
        _ sealed: ArraySlice<UInt8>, key: Bytes, nonce: Bytes, appendingTo output: inout Bytes
    ) -> Bool {
        guard let plaintext = Self.opened(sealed, key: key, nonce: nonce) else { return false }
        output += plaintext
        return true
    }

    /// On all processors at once, as they are sealed; what comes after one that does not open is dropped.
    public func openChaCha20Poly1305(
        pieces sealed: [ArraySlice<UInt8>], key: Bytes, nonces: [Bytes], appendingTo output: inout Bytes
    ) -> Int {
        guard sealed.count == nonces.count else { return 0 }
        let start = output.count
        output += repeatElement(0, count: sealed.count * AgeLimits.chunk)
        let whole: Int = unsafe output.withUnsafeMutableBytes { all in
            let place = unsafe Place(all, from: start)
            let firstFailed = Atomic(sealed.count)
            DispatchQueue.concurrentPerform(iterations: sealed.count) { index in
                guard let plaintext = Self.opened(sealed[index], key: key, nonce: nonces[index]),
                    plaintext.count == AgeLimits.chunk
                else {
                    firstFailed.min(index, ordering: .relaxed)
                    return
                }
                place.put(plaintext, at: index * AgeLimits.chunk)
            }
            return firstFailed.load(ordering: .relaxed)
        }
        output.removeLast((sealed.count - whole) * AgeLimits.chunk)
        return whole
    }

    /// Plaintext; `nil` if the tag does not hold.
    private static func opened(_ sealed: ArraySlice<UInt8>, key: Bytes, nonce: Bytes) -> Data? {
        guard key.count == Self.key, sealed.count >= Self.ageTag, let nonce = try? ChaChaPoly.Nonce(data: nonce),
            let box = try? ChaChaPoly.SealedBox(
                nonce: nonce, ciphertext: sealed.dropLast(Self.ageTag), tag: sealed.suffix(Self.ageTag))
        else { return nil }
        return try? ChaChaPoly.open(box, using: SymmetricKey(data: key))
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
