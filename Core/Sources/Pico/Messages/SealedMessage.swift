import EllipticCurves
import Encodings

/// A session id in clear and a sealed box: PicoAuth, Status and both messages of continuous authentication.
struct SealedMessage: Equatable {
    /// Not covered by the tag; each message says what is done about that.
    let sessionID: Int32
    /// The ciphertext and its tag of 16 bytes.
    let encryptedData: Bytes
    /// The initialisation vector, 16 bytes if it is ours.
    let iv: Bytes

    /// Encrypts under a key of 16 bytes, with a fresh random IV (section 1).
    ///
    /// - Throws: `suiteFailed`.
    static func seal<Suite: PicoCryptoSuite>(
        _ plaintext: Bytes, key: SecretBytes, sessionID: Int32, suite: Suite
    ) throws(PicoError) -> SealedMessage {
        let iv = try suite.fresh(PicoLimits.ownIV)
        var secret = key.bytes
        defer { secret.wipe() }
        guard let sealed = suite.sealAESGCM(plaintext, key: secret, iv: iv),
            sealed.count == plaintext.count + PicoLimits.tag
        else { throw .suiteFailed }
        return SealedMessage(sessionID: sessionID, encryptedData: sealed, iv: iv)
    }

    /// The plaintext.
    ///
    /// - Throws: `cannotOpen` if it is shorter than a tag, or the tag does not hold.
    func open<Suite: PicoCryptoSuite>(_ key: SecretBytes, suite: Suite) throws(PicoError) -> Bytes {
        guard encryptedData.count >= PicoLimits.tag else { throw .cannotOpen }
        var secret = key.bytes
        defer { secret.wipe() }
        guard let plaintext = suite.openAESGCM(encryptedData, key: secret, iv: iv) else { throw .cannotOpen }
        return plaintext
    }

    /// - Throws: `malformed` or `tooLarge`.
    static func parse(_ message: Bytes) throws(PicoError) -> SealedMessage {
        try SealedMessage(PicoMembers(message, maximumLength: PicoLimits.message))
    }

    func encoded() -> Bytes { JSON.members(members).serialized() }

    /// The members in the order in which jpico and we write them.
    var members: [(String, JSON)] {
        [
            ("sessionId", .integer(Int64(sessionID))), ("encryptedData", PicoJSON.base64(encryptedData)),
            ("iv", PicoJSON.base64(iv)),
        ]
    }
}

extension SealedMessage {
    /// Reads the three members that every sealed message has.
    init(_ members: PicoMembers) throws(PicoError) {
        sessionID = try members.int32("sessionId")
        encryptedData = try members.base64("encryptedData", 0...PicoLimits.message)
        iv = try members.base64("iv", PicoLimits.iv)
    }
}
