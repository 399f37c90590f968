public import Encodings

/// What one Pico hands to a browser or to another Pico: a login that was made (section 9.3).
///
/// We read and write the form, so that what an old app has stored can be taken apart; nothing here signs in anywhere.
public enum PicoAuthToken: Sendable, Equatable {
    /// Cookies and where to go with them.
    case browser(BrowserToken)
    /// A text, UTF-8.
    case simple(Bytes)

    /// A login to a web site.
    public struct BrowserToken: Sendable, Equatable {
        /// The cookies, at most 256.
        public let cookies: [Cookie]
        /// Where the login form was.
        public let loginURL: Bytes
        /// Where the browser goes on.
        public let redirectURL: Bytes
        /// What the site answered.
        public let responseBody: Bytes

        /// A login.
        public init(cookies: [Cookie], loginURL: Bytes, redirectURL: Bytes, responseBody: Bytes) {
            self.cookies = cookies
            self.loginURL = loginURL
            self.redirectURL = redirectURL
            self.responseBody = responseBody
        }
    }

    /// A cookie: each text is UTF-8 of at most 1,024 bytes.
    public struct Cookie: Sendable, Equatable {
        /// Where it was set.
        public let url: Bytes
        /// The value of Set-Cookie.
        public let line: Bytes
        /// The line with the date.
        public let date: Bytes

        /// A cookie.
        public init(url: Bytes, line: Bytes, date: Bytes) {
            self.url = url
            self.line = line
            self.date = date
        }
    }

    /// The most cookies of a token.
    public static let maximumCookies = 256
    /// The longest token in bytes: a Lens message is at most 200 KiB (section 14).
    public static let maximumLength = 204_800
    private static let maximumLine = 1_024

    /// Reads a token.
    ///
    /// - Throws: `malformed` or `tooLarge`.
    public static func parse(_ bytes: Bytes) throws(PicoError) -> PicoAuthToken {
        guard bytes.count <= maximumLength else { throw .tooLarge }
        var elements = PicoElements(bytes)
        switch try elements.byte() {
        case 1: return .browser(try browser(&elements))
        case 2:
            let text = elements.rest()
            guard UTF8Text.isValid(text) else { throw .malformed }
            return .simple(text)
        default: throw .malformed
        }
    }

    private static func browser(_ elements: inout PicoElements) throws(PicoError) -> BrowserToken {
        let count = try elements.number()
        guard count <= UInt32(maximumCookies) else { throw .tooLarge }
        var cookies: [Cookie] = []
        for _ in 0..<count {
            cookies.append(
                Cookie(
                    url: try text(&elements, maximumLine), line: try text(&elements, maximumLine),
                    date: try text(&elements, maximumLine)))
        }
        let token = BrowserToken(
            cookies: cookies, loginURL: try text(&elements, maximumLine), redirectURL: try text(&elements, maximumLine),
            responseBody: try text(&elements, maximumLength))
        try elements.finish()
        return token
    }

    private static func text(_ elements: inout PicoElements, _ maximum: Int) throws(PicoError) -> Bytes {
        let text = try elements.next(maximum)
        guard UTF8Text.isValid(text) else { throw .malformed }
        return text
    }

    /// The bytes of the token.
    public func encoded() -> Bytes {
        switch self {
        case .simple(let text): return [2] + text
        case .browser(let token):
            var bytes: Bytes = [1] + PicoElements.length(token.cookies.count)
            for cookie in token.cookies {
                for text in [cookie.url, cookie.line, cookie.date] { bytes += PicoElements.write(text) }
            }
            for text in [token.loginURL, token.redirectURL, token.responseBody] { bytes += PicoElements.write(text) }
            return bytes
        }
    }
}
