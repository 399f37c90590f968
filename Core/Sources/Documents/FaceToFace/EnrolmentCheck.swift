public import Encodings

/// Why a face-to-face check cannot go on.
public enum EnrolmentCheckError: Error, Equatable, Sendable {
    /// The code is for another server than the administrator's.
    case otherServer
    /// The server shows another check, other keys or another commitment than the holder's code.
    case differsFromCode
    /// The holder has not answered.
    case notAnswered
    /// The holder's nonce is not the one that they committed to.
    case wrongNonce
    /// The statement is not signed by the key in the holder's code, or is no such statement.
    case notSigned(JWSError)
    /// The statement says something else than this check.
    case otherStatement
}

/// The administrator's side of one face-to-face check: the code that the holder showed, and the nonce given for it.
///
/// The server's word about holder and device counts only as far as the code agrees.
public struct EnrolmentCheck: Sendable {
    /// The holder's code.
    public let code: EnrolmentCode
    /// The administrator's nonce, 32 random bytes.
    public let nonce: Bytes

    private static let maximumStatement = 1 << 14

    /// Begins a check.
    ///
    /// - Parameters:
    ///   - server: the public URL that the administrator's own wallet is bound to.
    ///   - nonce: 32 random bytes, made after the code was read and used for this check only.
    /// - Throws: `otherServer`.
    public init(code: EnrolmentCode, server: Bytes, nonce: Bytes) throws(EnrolmentCheckError) {
        guard code.server == server else { throw .otherServer }
        self.code = code
        self.nonce = nonce
    }

    /// Compares what the server shows with the holder's code.
    ///
    /// - Throws: `differsFromCode`.
    public func compare(_ shown: ShownEnrolment) throws(EnrolmentCheckError) {
        guard shown.id == code.enrolment, shown.commitment == Base64.encode(code.commitment, .url),
            shown.signingKey.thumbprint == code.signingKey, shown.encryptionKey.thumbprint == code.encryptionKey
        else { throw .differsFromCode }
    }

    /// Checks the holder's answer: keys and commitment against the code, the signature, and every member of the
    /// statement.
    ///
    /// - Returns: what the administrator compares by eye and then signs for.
    public func accept<Suite: CryptoSuite>(
        _ shown: ShownEnrolment, suite: Suite
    ) throws(EnrolmentCheckError) -> CheckedAnswer {
        try compare(shown)
        guard let nonceText = shown.holderNonce, let statement = shown.statement else { throw .notAnswered }
        guard let holderNonce = Base64.decode(nonceText, .url), holderNonce.count == 32,
            suite.sha256(holderNonce) == code.commitment
        else { throw .wrongNonce }
        let payload: JSON
        do {
            payload = try UnverifiedJWS.parse(statement, maximumLength: Self.maximumStatement)
                .payload(signedBy: shown.signingKey, type: EnrolmentStatement.type, suite: suite)
        } catch {
            throw .notSigned(error)
        }
        let expected = EnrolmentStatement.payload(
            audience: code.server, enrolment: code.enrolment, administratorNonce: Base64.encode(nonce, .url),
            holderNonce: nonceText, time: payload["iat"]?.integer ?? 0)
        guard let signed = try? payload.canonical(), let wanted = try? expected.canonical(), signed == wanted else {
            throw .otherStatement
        }
        return CheckedAnswer(
            digits: EnrolmentDigits.digits(
                holderKey: code.signingKey, encryptionKey: code.encryptionKey, holderNonce: holderNonce,
                administratorNonce: nonce),
            signingKey: shown.signingKey, encryptionKey: shown.encryptionKey,
            statementDigest: suite.sha256(statement))
    }
}

/// A holder's answer that agrees with their code: only `EnrolmentCheck` makes one.
public struct CheckedAnswer: Sendable {
    /// Six ASCII digits that the holder's device must show too.
    public let digits: Bytes
    /// The public signing key of the holder's device.
    public let signingKey: P256PublicKey
    /// The public encryption key of the holder's device.
    public let encryptionKey: P256PublicKey
    /// SHA-256 of the holder's statement, 32 bytes: evidence for the administrator's own statement.
    public let statementDigest: Bytes

    fileprivate init(digits: Bytes, signingKey: P256PublicKey, encryptionKey: P256PublicKey, statementDigest: Bytes) {
        self.digits = digits
        self.signingKey = signingKey
        self.encryptionKey = encryptionKey
        self.statementDigest = statementDigest
    }
}
