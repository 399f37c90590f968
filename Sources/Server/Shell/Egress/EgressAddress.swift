import Interface

/// An address on another server to which this one sends something: an administrator or a browser has given it.
package struct EgressAddress: Sendable, Equatable {
    /// The whole address, with a path.
    package let text: String
    /// The name of the server, or its address if that is allowed.
    let host: String
    /// Most bytes of an address.
    package static let length = 1...1_024

    /// Takes `https://` with the name of a domain; a port, a path and a query may follow.
    ///
    /// - Parameter allowsPrivate: the operator also allows plain http, addresses in numbers, and names that only a local
    ///   network knows.
    /// - Parameter allowsPlain: plain http, for what is sealed and trusts nobody on its way.
    /// - Returns: `nil` for anything else: a user, a fragment, letters beyond ASCII, capitals in the name.
    package init?(_ text: String, allowsPrivate: Bool, allowsPlain: Bool = false) {
        guard Self.length.contains(text.utf8.count), text.utf8.allSatisfy(Self.mayContain) else { return nil }
        let scheme = text.hasPrefix("https://") ? "https://" : "http://"
        guard text.hasPrefix(scheme), scheme == "https://" || allowsPrivate || allowsPlain else { return nil }
        let rest = text.dropFirst(scheme.count)
        let authority = rest.prefix { $0 != "/" && $0 != "?" }
        let parts = authority.split(separator: ":", omittingEmptySubsequences: false)
        guard let host = parts.first.map({ String($0) }), parts.count <= 2, Self.isHost(host, allowsPrivate) else {
            return nil
        }
        if parts.count == 2 {
            guard let port = UInt16(parts[1]), port > 0, parts[1] == "\(port)" else { return nil }
        }
        let path = rest.dropFirst(authority.count)
        self.text = "\(scheme)\(authority)\(path.hasPrefix("/") ? "" : "/")\(path)"
        self.host = host
    }

    private static func isHost(_ host: String, _ allowsPrivate: Bool) -> Bool {
        if let domain = DomainName(host) { return domain.text == host }
        return allowsPrivate && !host.isEmpty
            && host.utf8.allSatisfy {
                (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || ".-".utf8.contains($0)
            }
    }

    /// The characters of RFC 3986, without those of a fragment and of addresses of IPv6.
    private static func mayContain(_ byte: UInt8) -> Bool {
        (0x61...0x7A).contains(byte) || (0x41...0x5A).contains(byte) || (0x30...0x39).contains(byte)
            || "-._~:/?@!$&'()*+,;=%".utf8.contains(byte)
    }
}
