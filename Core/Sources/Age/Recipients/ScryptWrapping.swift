import EllipticCurves
import Encodings

/// The scrypt recipient type (c2sp.org/age): a passphrase, alone in its header.
enum ScryptWrapping {
    static let type = Bytes(text: "scrypt")

    static func wrap<Suite: AgeCryptoSuite>(
        _ fileKey: AgeFileKey, passphrase: Bytes, logWork: Int, _ suite: Suite
    ) throws(AgeError) -> AgeStanza {
        guard AgeLimits.logWork ~= logWork else { throw .invalidWorkFactor }
        let salt = try suite.fresh(AgeLimits.scryptSalt)
        guard var key = suite.scrypt(passphrase, salt: label + salt, logWork: logWork) else { throw .suiteFailed }
        defer { key.wipe() }
        let body = try suite.wrap(fileKey, key: key)
        return AgeStanza(arguments: [type, RawBase64.encode(salt), decimalBytes(UInt64(logWork))], body: body)
    }

    static func unwrap<Suite: AgeCryptoSuite>(
        _ stanza: AgeStanza, _ passphrase: SecretBytes, highestLogWork: Int, _ suite: Suite
    ) throws(AgeError) -> AgeFileKey? {
        guard stanza.arguments[0] == type else { return nil }
        guard stanza.arguments.count == 3, let salt = RawBase64.decode(stanza.arguments[1]),
            salt.count == AgeLimits.scryptSalt, let logWork = parseDecimal(stanza.arguments[2]), logWork > 0,
            stanza.body.count == AgeLimits.wrappedKey
        else { throw .malformedHeader }
        guard logWork <= UInt64(min(highestLogWork, AgeLimits.logWork.upperBound)) else {
            throw .tooMuchWork(logWork: Int(min(logWork, 999)))
        }
        var bytes = passphrase.bytes
        defer { bytes.wipe() }
        guard var key = suite.scrypt(bytes, salt: label + salt, logWork: Int(logWork)) else { throw .suiteFailed }
        defer { key.wipe() }
        return suite.unwrap(stanza.body, key: key)
    }

    private static let label = Bytes(text: "age-encryption.org/v1/scrypt")
}
