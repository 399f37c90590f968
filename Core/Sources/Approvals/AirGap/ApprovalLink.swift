public import Encodings

/// A message of version 2 as a link or as one QR code: `authreq:2:` and the message in base64url.
///
/// Programs register `authreq`; pages cannot, and register `web+authreq`.
public enum ApprovalLink {
    /// The largest message that one QR code carries; a larger one is sent in parts.
    public static let maximumWhole = 2_048
    /// The largest message there is.
    public static let maximumMessage = ApprovalReceipt.maximumLength

    static let scheme = Bytes(text: "authreq:2:")
    static let pageScheme = Bytes(text: "web+authreq:2:")

    /// The link for programs, or with `forPages` the one for pages.
    public static func encode(_ message: Bytes, forPages: Bool = false) -> Bytes {
        (forPages ? pageScheme : scheme) + Base64.encode(message, .url)
    }

    /// The message of a link of either scheme.
    ///
    /// - Throws: `malformed`.
    public static func parse(_ link: Bytes) throws(ApprovalError) -> Bytes {
        guard let text = body(link), text.count <= (maximumMessage + 2) / 3 * 4,
            let message = Base64.decode(text, .url), !message.isEmpty, message.count <= maximumMessage
        else { throw .malformed }
        return message
    }

    /// What follows either scheme.
    static func body(_ link: Bytes) -> Bytes? {
        for scheme in [scheme, pageScheme] where link.starts(with: scheme) {
            return Array(link.dropFirst(scheme.count))
        }
        return nil
    }
}
