public import Encodings

/// A challenge with its server's signature, as it comes by push, as a link or as a QR code; nobody has checked it yet.
public struct UnverifiedOriginalChallenge: Sendable, Equatable {
    /// The longest dictionary that is read, in bytes.
    public static let maximumLength = 1 << 18

    /// The nine fields.
    public let challenge: OriginalChallenge
    /// The server's signature over the canonical bytes.
    public let signature: Bytes

    /// A challenge and the signature that came with it, or that was just made.
    public init(challenge: OriginalChallenge, signature: Bytes) {
        self.challenge = challenge
        self.signature = signature
    }

    /// Reads the push dictionary, JSON.
    ///
    /// Members that are not signed are ignored, `bencode` among them.
    /// - Throws: `malformed`.
    public static func parse(_ json: Bytes) throws(ApprovalError) -> UnverifiedOriginalChallenge {
        guard let message = try? JSON.parse(json, maximumLength: maximumLength, maximumDepth: 8),
            let aps = message["aps"], let alert = aps["alert"], let data = aps["additional_data"],
            let body = alert["body"]?.string, let category = aps["category"]?.string,
            let expiry = data["expiry"]?.integer, let messageID = data["message_id"]?.integer,
            let nonce = data["nonce"]?.string, let responseURL = data["response_url"]?.string,
            let shortTitle = data["short_title"]?.string, let subtitle = alert["subtitle"]?.string,
            let title = alert["title"]?.string, let base64 = data["signature"]?.string,
            let signature = Base64.decode(base64, .standard)
        else { throw .malformed }
        let challenge = try OriginalChallenge(
            body: body, category: category, expiry: expiry, messageID: messageID, nonce: nonce,
            responseURL: responseURL, shortTitle: shortTitle, subtitle: subtitle, title: title)
        return UnverifiedOriginalChallenge(challenge: challenge, signature: signature)
    }

    /// The challenge, if the server's signature covers it.
    ///
    /// - Throws: `invalidSignature`.
    public func verified<Suite: ApprovalCryptoSuite>(
        by key: OriginalServerKey, suite: Suite
    ) throws(ApprovalError) -> OriginalChallenge {
        guard
            suite.isValidRSAWithSHA384(
                signature, over: challenge.canonical(), modulus: key.modulus, exponent: key.exponent)
        else { throw .invalidSignature }
        return challenge
    }

    /// The push dictionary, byte for byte as the original's service writes it: compact, slashes escaped, everything
    /// else as it is.
    public func pushMessage() -> Bytes {
        var text: Bytes = []
        let json = dictionary().serialized()
        text.reserveCapacity(json.count + 64)
        for byte in json {
            if byte == 0x2F { text.append(0x5C) }
            text.append(byte)
        }
        return text
    }

    private func dictionary() -> JSON {
        let data: JSON = .members([
            ("bencode", .string(challenge.canonical())),
            ("expiry", .integer(challenge.expiry)),
            ("short_title", .string(challenge.shortTitle)),
            ("signature", .string(Base64.encode(signature, .standard))),
            ("message_id", .integer(challenge.messageID)),
            ("nonce", .string(challenge.nonce)),
            ("response_url", .string(challenge.responseURL)),
        ])
        let alert: JSON = .members([
            ("title", .string(challenge.title)), ("body", .string(challenge.body)),
            ("subtitle", .string(challenge.subtitle)),
        ])
        return .members([
            (
                "aps",
                .members([
                    ("alert", alert), ("badge", .integer(1)), ("sound", .text("default")),
                    ("content-available", .integer(1)), ("category", .string(challenge.category)),
                    ("additional_data", data),
                ])
            )
        ])
    }
}
