/// Where a server is: `https://HOST[:PORT]`, or plain `http` on this machine only.
package struct ServerAddress: Sendable, Equatable {
    /// Scheme, host and port, without a slash at the end.
    package let text: String
    /// Whether it is this machine.
    package let isLoopback: Bool

    /// Checks an address; a slash at the end is dropped.
    ///
    /// - Throws: `unacceptableAddress` for another scheme, plain http to another machine, user names, paths, queries.
    package init(_ text: String) throws(WalletError) {
        var rest = text.utf8[...]
        if rest.last == UInt8(ascii: "/") { rest = rest.dropLast() }
        let trimmed = String(decoding: rest, as: UTF8.self)
        let isSecure = trimmed.hasPrefix("https://")
        guard isSecure || trimmed.hasPrefix("http://"), text.utf8.count <= 512 else {
            throw .unacceptableAddress(text)
        }
        let authority = trimmed.dropFirst(isSecure ? 8 : 7)
        guard let host = Self.host(of: authority) else { throw .unacceptableAddress(text) }
        isLoopback = host == "localhost" || host == "127.0.0.1" || host == "[::1]"
        guard isSecure || isLoopback else { throw .unacceptableAddress(text) }
        self.text = trimmed
    }

    private static func host(of authority: Substring) -> Substring? {
        let isAllowed = authority.utf8.allSatisfy { byte in
            (0x61...0x7A).contains(byte) || (0x30...0x39).contains(byte) || ".-:[]".utf8.contains(byte)
        }
        guard isAllowed, !authority.isEmpty else { return nil }
        if authority.hasPrefix("[") {
            guard let end = authority.firstIndex(of: "]") else { return nil }
            let host = authority[...end]
            return isPort(authority[authority.index(after: end)...]) ? host : nil
        }
        let parts = authority.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        guard let host = parts.first, !host.isEmpty, !host.contains("["), !host.contains("]") else { return nil }
        guard parts.count == 1 || isPort(":" + parts[1]) else { return nil }
        return host
    }

    /// Nothing, or a colon and a number.
    private static func isPort(_ text: some StringProtocol) -> Bool {
        guard !text.isEmpty else { return true }
        guard text.hasPrefix(":"), let number = UInt16(text.dropFirst()) else { return false }
        return number > 0
    }
}
