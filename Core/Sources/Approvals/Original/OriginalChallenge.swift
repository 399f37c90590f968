public import Encodings

/// A challenge of the original's protocol: nine fields, all of them signed.
///
/// Text is signed as it came, without any normalisation, so it is bytes here.
public struct OriginalChallenge: Sendable, Equatable {
    /// The category of an ordinary challenge.
    public static let challengeCategory = Bytes(text: "challengecategory")
    /// The category of an enrolment.
    public static let enrolmentCategory = Bytes(text: "enrolmentcategory")
    /// The title that the original's service gives every challenge: a blue circle (U+1F535) and three words.
    public static let title = Bytes(text: "\u{1F535} New Signature Request")

    /// The full text for the user, UTF-8.
    public let body: Bytes
    /// `challengeCategory` or `enrolmentCategory`.
    public let category: Bytes
    /// Until when an answer counts, in seconds since 1970; this second still counts.
    public let expiry: Int64
    /// The number of the challenge.
    public let messageID: Int64
    /// What makes the challenge unique, UTF-8; usually 64 hexadecimal digits.
    public let nonce: Bytes
    /// Where the reply goes.
    public let responseURL: Bytes
    /// One line that says what it is about.
    public let shortTitle: Bytes
    /// The name of the service.
    public let subtitle: Bytes
    /// The first line of a notice.
    public let title: Bytes

    /// A challenge of these fields.
    ///
    /// - Throws: `malformed` when a text is not UTF-8, the category is neither of the two, or a number is out of the
    ///   range that JSON carries.
    public init(
        body: Bytes, category: Bytes, expiry: Int64, messageID: Int64, nonce: Bytes, responseURL: Bytes,
        shortTitle: Bytes, subtitle: Bytes, title: Bytes = OriginalChallenge.title
    ) throws(ApprovalError) {
        guard category == Self.challengeCategory || category == Self.enrolmentCategory,
            messageID >= 0, messageID <= JSON.safeInteger, expiry.magnitude <= UInt64(JSON.safeInteger),
            UTF8Text.isValid(body), UTF8Text.isValid(nonce), UTF8Text.isValid(responseURL),
            UTF8Text.isValid(shortTitle), UTF8Text.isValid(subtitle), UTF8Text.isValid(title)
        else { throw .malformed }
        self.body = body
        self.category = category
        self.expiry = expiry
        self.messageID = messageID
        self.nonce = nonce
        self.responseURL = responseURL
        self.shortTitle = shortTitle
        self.subtitle = subtitle
        self.title = title
    }

    /// Whether the answer enrols a device.
    public var isEnrolment: Bool { category == Self.enrolmentCategory }

    /// The bytes that server and device sign: one Bencode dictionary of the nine fields.
    public func canonical() -> Bytes {
        // Lengths have five digits at most, so all of it fits without a second buffer.
        var writer = BencodeWriter(
            capacity: 224 + body.count + nonce.count + responseURL.count + shortTitle.count + subtitle.count
                + title.count)
        writer.encoded("d4:body")
        writer.string(body)
        writer.encoded("8:category")
        writer.string(category)
        writer.encoded("6:expiry")
        writer.integer(expiry)
        writer.encoded("10:message_id")
        writer.integer(messageID)
        writer.encoded("5:nonce")
        writer.string(nonce)
        writer.encoded("12:response_url")
        writer.string(responseURL)
        writer.encoded("11:short_title")
        writer.string(shortTitle)
        writer.encoded("8:subtitle")
        writer.string(subtitle)
        writer.encoded("5:title")
        writer.string(title)
        writer.end()
        return writer.bytes
    }

    /// SHA-384 of the canonical bytes, 48 bytes.
    public var digest: Bytes { SHA384.hash(canonical()) }
}
