import Glibc

/// An address that everybody on the internet can reach; the server connects to no other on anyone's behalf.
struct PublicAddress: Hashable, Sendable, CustomStringConvertible {
    /// In its usual form, without brackets.
    let description: String

    /// Takes an address in its usual form.
    ///
    /// - Returns: `nil` when it is none, or one of this machine, of a local network, of a link, of many receivers, or
    ///   reserved (RFC 6890 and its registries). IPv6 addresses that carry one of IPv4 count as that one.
    init?(_ text: String) {
        var four = in_addr()
        var six = in6_addr()
        if unsafe inet_pton(AF_INET, text, &four) == 1 {
            guard Self.isPublic(unsafe withUnsafeBytes(of: &four) { unsafe Array($0) }) else { return nil }
        } else if unsafe inet_pton(AF_INET6, text, &six) == 1 {
            guard Self.isPublic6(unsafe withUnsafeBytes(of: &six) { unsafe Array($0) }) else { return nil }
        } else {
            return nil
        }
        description = text
    }

    private static func isPublic(_ bytes: [UInt8]) -> Bool {
        let (a, b, c) = (bytes[0], bytes[1], bytes[2])
        return switch a {
        case 0, 10, 127, 224...255: false
        case 100: !(64...127).contains(b)
        case 169: b != 254
        case 172: !(16...31).contains(b)
        case 192: !(b == 168 || b == 0 && (c == 0 || c == 2) || b == 88 && c == 99)
        case 198: !(b == 18 || b == 19 || b == 51 && c == 100)
        case 203: !(b == 0 && c == 113)
        default: true
        }
    }

    private static func isPublic6(_ bytes: [UInt8]) -> Bool {
        // Only 2000::/3 is given out to be reached by everybody; mapped and translated IPv4 is looked at as such.
        if bytes.starts(with: [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF]) { return isPublic(Array(bytes[12...])) }
        if bytes.starts(with: [0, 0x64, 0xFF, 0x9B, 0, 0, 0, 0, 0, 0, 0, 0]) { return isPublic(Array(bytes[12...])) }
        guard bytes[0] & 0xE0 == 0x20 else { return false }
        // 6to4 and Teredo lead to IPv4 addresses; 2001:db8::/32 and the rest of 2001::/23 are for documents and protocols.
        if bytes.starts(with: [0x20, 0x02]) { return false }
        if bytes.starts(with: [0x20, 0x01]), bytes[2] < 2 || bytes[2] == 0x0D && bytes[3] == 0xB8 { return false }
        return !bytes.starts(with: [0x3F, 0xFF])
    }
}
