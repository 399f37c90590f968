/// IPv6 addresses as networks.
enum IPv6Network {
    /// A name for the /64 network of an address, or the IPv4 address inside a mapped one.
    ///
    /// - Returns: `nil` when `text` is no IPv6 address (RFC 4291 section 2.2).
    static func prefix64(of text: String) -> String? {
        let address = text.prefix { $0 != "%" }
        var groups: [UInt16] = []
        var gap: Int?
        var parts = address.split(separator: ":", omittingEmptySubsequences: false)[...]
        if let last = parts.last, last.contains(".") {
            guard address.lowercased().hasPrefix("::ffff:") else { return nil }
            return String(last)
        }
        // A leading or trailing "::" gives one empty part more than a "::" in the middle.
        if address.hasPrefix("::") { parts = parts.dropFirst() }
        if address.hasSuffix("::") { parts = parts.dropLast() }
        for part in parts {
            if part.isEmpty {
                guard gap == nil else { return nil }
                gap = groups.count
            } else {
                guard part.utf8.count <= 4, let group = UInt16(part, radix: 16) else { return nil }
                groups.append(group)
            }
        }
        if let gap {
            guard groups.count < 8 else { return nil }
            groups.insert(contentsOf: repeatElement(0, count: 8 - groups.count), at: gap)
        }
        guard groups.count == 8 else { return nil }
        return groups.prefix(4).map { String($0, radix: 16) }.joined(separator: ":") + "::/64"
    }
}
