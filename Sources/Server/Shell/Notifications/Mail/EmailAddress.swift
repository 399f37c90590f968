import Interface

/// An e-mail address that cannot mean anything else in a header or a command of SMTP.
///
/// Letters, digits and a few signs before the at sign, a domain of ASCII behind it. No quotes, comments or addresses in
/// numbers (RFC 5321 section 4.1.2 allows more): no one gets mail there.
struct EmailAddress: Sendable, Equatable {
    let text: String

    init?(_ typed: String) {
        let parts = typed.split(separator: "@", omittingEmptySubsequences: false)
        guard typed.utf8.count <= 254, parts.count == 2, let domain = DomainName(String(parts[1])),
            domain.text == parts[1].lowercased(), (1...64).contains(parts[0].utf8.count),
            parts[0].utf8.first != 0x2E, parts[0].utf8.last != 0x2E, !parts[0].contains(".."),
            parts[0].utf8.allSatisfy(Self.isLocal)
        else { return nil }
        text = "\(parts[0])@\(domain.text)"
    }

    /// What most likely is one mailbox, to count by: no capitals, and no tag behind a plus sign.
    var mailbox: String {
        let parts = text.lowercased().split(separator: "@")
        return "\(parts[0].prefix { $0 != "+" })@\(parts[1])"
    }

    /// The characters of an atom, and the dot (RFC 5322 section 3.2.3).
    private static func isLocal(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
        default: ".!#$%&'*+-/=?^_`{|}~".utf8.contains(byte)
        }
    }
}
