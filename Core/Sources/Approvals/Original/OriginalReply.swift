public import Encodings

/// A device's reply to an original challenge; nobody has checked the signature yet.
public struct OriginalReply: Sendable, Equatable {
    /// The longest body that is read, in bytes.
    public static let maximumLength = 1 << 16
    /// The longest push token, in hexadecimal digits; the original's has 64.
    public static let maximumToken = 512

    /// The number of the challenge.
    public let messageID: Int64
    /// The signature: r and s, 32 bytes each.
    public let signature: Bytes
    /// The device's key in PEM, as it was sent; it counts in enrolments only.
    public let publicKey: Bytes
    /// The push token in hexadecimal digits, or empty.
    public let token: Bytes

    /// Reads the body of a reply, with any content type.
    ///
    /// - Throws: `malformed`: no JSON object, a member of the wrong type, or a signature that is not DER in hexadecimal.
    public static func parse(_ body: Bytes) throws(ApprovalError) -> OriginalReply {
        guard let json = try? JSON.parse(body, maximumLength: maximumLength, maximumDepth: 4, maximumCount: 256),
            let messageID = json["message_id"]?.integer, messageID >= 0,
            let hex = json["signature"]?.string, let publicKey = json["publickey"]?.string,
            let der = Hex.decode(hex), let signature = try? ECDSASignature.raw(fromDER: der)
        else { throw .malformed }
        // A device without a token may leave the member out.
        var token: Bytes = []
        if let sent = json["token"] {
            guard let text = sent.string, text.count <= maximumToken, Hex.decode(text) != nil else {
                throw .malformed
            }
            token = text
        }
        return OriginalReply(messageID: messageID, signature: signature, publicKey: publicKey, token: token)
    }

    /// The body of a reply, as the app sends it.
    ///
    /// - Parameter signature: r and s, 32 bytes each.
    /// - Throws: `malformed` when the signature has another length or a zero in it.
    public static func body(
        messageID: Int64, signature: Bytes, publicKey: P256PublicKey, token: Bytes
    ) throws(ApprovalError) -> Bytes {
        guard let der = ECDSASignature.der(fromRaw: signature) else { throw .malformed }
        return JSON.members([
            ("message_id", .integer(messageID)), ("signature", .string(Hex.encode(der))),
            ("publickey", .string(OriginalDeviceKey.pem(publicKey))), ("token", .string(token)),
        ]).serialized()
    }

    /// Checks the reply against its challenge.
    ///
    /// - Parameters:
    ///   - challenge: the stored challenge of this number, if there is one.
    ///   - device: the key stored for the account that was asked; `nil` while none is.
    ///   - serverKeys: the server's own keys, none of which a device may have: it would sign what the server signs.
    /// - Throws: `unknownChallenge`, `unknownDevice`, `unsupportedKey` or `invalidSignature`.
    public func verified<Suite: ApprovalCryptoSuite>(
        for challenge: OriginalChallenge?, device: P256PublicKey?, serverKeys: [P256PublicKey], suite: Suite
    ) throws(ApprovalError) -> VerifiedOriginalReply {
        guard let challenge, challenge.messageID == messageID else { throw .unknownChallenge }
        let key: P256PublicKey
        if let device {
            key = device
        } else {
            guard challenge.isEnrolment else { throw .unknownDevice }
            key = try OriginalDeviceKey.parse(publicKey, suite: suite)
        }
        guard !serverKeys.contains(key) else { throw .unsupportedKey }
        guard suite.isValidP256WithSHA384(signature, over: challenge.canonical(), publicKey: key.x963) else {
            throw .invalidSignature
        }
        return VerifiedOriginalReply(key: key, token: token)
    }
}

/// A reply whose signature is good: the device allows what the challenge says.
public struct VerifiedOriginalReply: Sendable, Equatable {
    /// The key that signed.
    public let key: P256PublicKey
    /// The device's push token, or empty.
    public let token: Bytes
}
