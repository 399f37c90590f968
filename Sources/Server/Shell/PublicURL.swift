import Encodings

/// The address under which everybody knows the server: `https://sign.example.org` or `http://localhost:8080`.
///
/// It names the organisation in every certificate, statement and credential, and is fixed at set-up. So there is only
/// one spelling: scheme, host name in small letters, a port unless it is the scheme's own, and nothing after it.
package struct PublicURL: Sendable, Equatable {
    /// Why a text is not a public URL that we accept.
    enum Mistake: Error, Equatable {
        case scheme
        case insecure
        case afterHost
        case host
        case port
        case defaultPort
    }

    /// The one spelling.
    package let text: String
    /// Host name, with `:port` when the text has one.
    package let authority: String
    /// Whether it is https.
    package let isSecure: Bool

    /// Reads one.
    init(_ text: String) throws(Mistake) {
        let rest: Substring
        if text.hasPrefix("https://") {
            isSecure = true
            rest = text.dropFirst(8)
        } else if text.hasPrefix("http://") {
            isSecure = false
            rest = text.dropFirst(7)
        } else {
            throw .scheme
        }
        guard !rest.utf8.contains(where: { "/?#@\\".utf8.contains($0) }) else { throw .afterHost }
        let parts = rest.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        guard let host = parts.first, Self.isHostName(host) else { throw .host }
        guard isSecure || host == "localhost" else { throw .insecure }
        if parts.count == 2 {
            guard let port = parseDecimal(Bytes(parts[1].utf8)), 1...65_535 ~= port else { throw .port }
            guard port != (isSecure ? 443 : 80) else { throw .defaultPort }
        }
        self.text = text
        authority = String(rest)
    }

    /// A name of letters, digits and hyphens (RFC 1123) whose last label is not a number.
    ///
    /// Addresses are refused: passkeys are bound to it, and need a name.
    private static func isHostName(_ host: Substring) -> Bool {
        let labels = host.split(separator: ".", omittingEmptySubsequences: false)
        guard host.utf8.count <= 253, let last = labels.last else { return false }
        guard !last.utf8.allSatisfy({ 0x30...0x39 ~= $0 }) else { return false }
        return labels.allSatisfy { label in
            1...63 ~= label.utf8.count && !label.hasPrefix("-") && !label.hasSuffix("-")
                && label.utf8.allSatisfy { 0x61...0x7A ~= $0 || 0x30...0x39 ~= $0 || $0 == UInt8(ascii: "-") }
        }
    }
}
