import EllipticCurves
public import Encodings

/// The backup of the Android app: its whole database, sealed under a secret of 12 bytes (section 8.2).
///
/// The secret has 96 random bits, which is enough without stretching (section 13, number 18). The format names no version.
/// So it is for taking old pairings over, and for going back to the app; our own keys are kept in our own formats.
public enum PicoBackup {
    /// The length of the secret in bytes, and how many words it is shown as.
    public static let secretLength = 12
    /// The longest database, in bytes.
    public static let maximumDatabase = 16 << 20
    private static let maximumFile = maximumDatabase / 3 * 4 + 1_024

    /// Seals a database.
    ///
    /// - Parameter secret: 12 random bytes.
    /// - Returns: the file, one JSON object.
    /// - Throws: `malformed` for another secret, `tooLarge` or `suiteFailed`.
    public static func seal<Suite: PicoCryptoSuite>(
        _ database: Bytes, secret: Bytes, suite: Suite
    ) throws(PicoError) -> Bytes {
        guard database.count <= maximumDatabase else { throw .tooLarge }
        let sealed = try SealedMessage.seal(database, key: key(secret, suite), sessionID: 0, suite: suite)
        return JSON.members([
            ("encryptedData", PicoJSON.base64(sealed.encryptedData)), ("iv", PicoJSON.base64(sealed.iv)),
        ]).serialized()
    }

    /// Opens a file.
    ///
    /// - Returns: the database, an SQLite file of the app's schema version 21 (section 8.1).
    /// - Throws: `malformed`, `tooLarge`, or `cannotOpen` for another secret or a damaged file.
    public static func open<Suite: PicoCryptoSuite>(
        _ file: Bytes, secret: Bytes, suite: Suite
    ) throws(PicoError) -> Bytes {
        let key = try key(secret, suite)
        let members = try PicoMembers(file, maximumLength: maximumFile)
        let sealed = SealedMessage(
            sessionID: 0, encryptedData: try members.base64("encryptedData", 0...maximumDatabase + PicoLimits.tag),
            iv: try members.base64("iv", PicoLimits.iv))
        return try sealed.open(key, suite: suite)
    }

    /// Where the words of a secret are in the PGP word list: the two-syllable list for the first, third and so on, the
    /// three-syllable list for the others.
    ///
    /// The app takes each byte as signed, so byte 0x80 is the first word of a list.
    ///
    /// - Throws: `malformed` unless the secret has 12 bytes.
    public static func wordIndices(of secret: Bytes) throws(PicoError) -> Bytes {
        guard secret.count == secretLength else { throw .malformed }
        return secret.map { $0 ^ 0x80 }
    }

    /// The secret of 12 places in the lists.
    ///
    /// - Throws: `malformed` unless there are 12.
    public static func secret(ofWordIndices indices: Bytes) throws(PicoError) -> Bytes {
        try wordIndices(of: indices)
    }

    private static func key<Suite: PicoCryptoSuite>(_ secret: Bytes, _ suite: Suite) throws(PicoError) -> SecretBytes {
        guard secret.count == secretLength else { throw .malformed }
        var key = suite.sha256(secret)
        defer { key.wipe() }
        return SecretBytes(key)
    }
}
