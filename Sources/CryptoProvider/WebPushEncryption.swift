internal import Crypto
public import Encodings
internal import Foundation

/// Encryption of push messages (RFC 8291) in one record of `aes128gcm` (RFC 8188).
///
/// The push service in between sees the length alone, and that can be padded.
public enum WebPushEncryption {
    /// Bytes of a receiver's authentication secret.
    public static let authLength = 16
    /// Bytes of the salt.
    public static let saltLength = 16
    /// Most bytes of a message: with header and tag, the 4,096 bytes that every push service takes (RFC 8291 section 4).
    public static let maximumPlaintext = 3_993
    /// 4,096, big-endian.
    private static let recordSize: Bytes = [0, 0, 0x10, 0]

    /// Encrypts a message for one subscription.
    ///
    /// - Parameters:
    ///   - receiver: the subscription's public key, `p256dh`.
    ///   - auth: its authentication secret, 16 bytes.
    ///   - ephemeral: a key that is used once.
    ///   - salt: 16 random bytes.
    ///   - length: shorter messages are padded to so many bytes, so that their lengths tell nothing.
    /// - Throws: `malformed` when a length is wrong, `notOnCurve` when the receiver's key is no point of P-256.
    public static func encrypt(
        _ plaintext: Bytes, for receiver: P256PublicKey, auth: Bytes, with ephemeral: EncryptionKey, salt: Bytes,
        paddedTo length: Int = 0
    ) throws(KeyError) -> Bytes {
        guard auth.count == authLength, salt.count == saltLength, plaintext.count <= maximumPlaintext else {
            throw .malformed
        }
        let own = ephemeral.publicKey.x963
        let secret = derive(
            try ephemeral.sharedSecret(with: receiver), salt: auth,
            info: Bytes(text: "WebPush: info") + [0] + receiver.x963 + own, count: 32)
        let key = derive(secret, salt: salt, info: Bytes(text: "Content-Encoding: aes128gcm") + [0], count: 16)
        let nonce = derive(secret, salt: salt, info: Bytes(text: "Content-Encoding: nonce") + [0], count: 12)
        // 2 ends the content of the last record; zeros follow.
        let padding = Bytes(repeating: 0, count: max(0, min(length, maximumPlaintext) - plaintext.count))
        guard let number = try? AES.GCM.Nonce(data: nonce),
            let box = try? AES.GCM.seal(
                plaintext + [2] + padding, using: SymmetricKey(data: key), nonce: number)
        else { throw .failed }
        return salt + recordSize + [UInt8(own.count)] + own + Bytes(box.ciphertext) + Bytes(box.tag)
    }

    private static func derive(_ secret: Bytes, salt: Bytes, info: Bytes, count: Int) -> Bytes {
        let key = HKDF<Crypto.SHA256>.deriveKey(
            inputKeyMaterial: SymmetricKey(data: secret), salt: salt, info: info, outputByteCount: count)
        return unsafe key.withUnsafeBytes { unsafe Bytes($0) }
    }
}
