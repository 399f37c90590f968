/// IPv6 addresses as networks.
enum IPv6Network {
    /// A name for the /64 network of an address, or the IPv4 address inside a mapped one.
    ///
    /// - Returns: `nil` when `text` is no IPv6 address (RFC 4291 section 2.2).
    static func prefix64(of text: String) -> String? {
        let address = text.prefix { $0 != "%" }
        if address.contains(".") {
            let mapped = "::ffff:"
            guard address.lowercased().hasPrefix(mapped) else { return nil }
            let inner = address.dropFirst(mapped.count)
            return isIPv4(inner) ? String(inner) : nil
        }
        guard let groups = groups(of: address) else { return nil }
        return groups.prefix(4).map { String($0, radix: 16) }.joined(separator: ":") + "::/64"
    }

    /// Whether a text is four decimal numbers of a byte each, in their shortest form, with dots between them.
    static func isIPv4(_ text: some StringProtocol) -> Bool {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 4 && parts.allSatisfy { part in UInt8(part).map { String($0) == part } ?? false }
    }

    private static func groups(of address: Substring) -> [UInt16]? {
        guard let gap = address.firstRange(of: "::") else {
            guard let groups = list(address), groups.count == 8 else { return nil }
            return groups
        }
        guard let before = list(address[..<gap.lowerBound]), let after = list(address[gap.upperBound...]),
            before.count + after.count < 8
        else { return nil }
        return before + Array(repeating: 0, count: 8 - before.count - after.count) + after
    }

    /// Groups with one colon between them, 1 to 4 hexadecimal digits each; none in an empty text.
    private static func list(_ text: Substring) -> [UInt16]? {
        guard !text.isEmpty else { return [] }
        var groups: [UInt16] = []
        for part in text.split(separator: ":", omittingEmptySubsequences: false) {
            guard (1...4).contains(part.utf8.count), part.utf8.first != UInt8(ascii: "+"),
                let group = UInt16(part, radix: 16)
            else { return nil }
            groups.append(group)
        }
        return groups
    }
}
