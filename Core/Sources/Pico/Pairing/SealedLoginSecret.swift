public import Encodings
import EllipticCurves

/// A login password as libpico's service seals it for itself: `base64(IV):base64(ciphertext and tag)` (section 4.6).
///
/// The Pico stores it and cannot read it. Who steals the key and one PicoAuth has the password (section 13, number 13), so
/// this is for the accounts of old services alone; a new service has no passwords.
public enum SealedLoginSecret {
    /// The longest password, in bytes.
    public static let maximumPassword = 1_024

    /// Seals a password.
    ///
    /// - Parameter key: the user's, 16 bytes.
    /// - Returns: ASCII, to be handed out as `PairingSecret.data`.
    /// - Throws: `malformed` for another key, `tooLarge`, `suiteFailed`.
    public static func seal<Suite: PicoCryptoSuite>(
        _ password: Bytes, key: Bytes, suite: Suite
    ) throws(PicoError) -> Bytes {
        guard key.count == 16 else { throw .malformed }
        guard password.count <= maximumPassword else { throw .tooLarge }
        let sealed = try SealedMessage.seal(password, key: SecretBytes(key), sessionID: 0, suite: suite)
        return Base64.encode(sealed.iv, .standard) + [0x3A] + Base64.encode(sealed.encryptedData, .standard)
    }

    /// Opens a password.
    ///
    /// libpico takes an empty password when this fails, and lets the Pico in all the same. Do not.
    ///
    /// - Throws: `malformed`, `tooLarge` or `cannotOpen`.
    public static func open<Suite: PicoCryptoSuite>(
        _ text: Bytes, key: Bytes, suite: Suite
    ) throws(PicoError) -> Bytes {
        guard text.count <= PicoLimits.extraData else { throw .tooLarge }
        guard key.count == 16, let parts = text.split(at: 0x3A, maximum: 2), parts.count == 2,
            let iv = Base64.decode(parts[0], .standard), PicoLimits.iv.contains(iv.count),
            let sealed = Base64.decode(parts[1], .standard)
        else { throw .malformed }
        return try SealedMessage(sessionID: 0, encryptedData: sealed, iv: iv).open(SecretBytes(key), suite: suite)
    }
}
