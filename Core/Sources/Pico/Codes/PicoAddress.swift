public import Encodings

/// Where a code says that the service, or the browser, waits: a channel (section 2.1).
public struct PicoAddress: Sendable, Equatable {
    /// How a channel is reached.
    public enum Scheme: Sendable, Equatable, CaseIterable {
        /// A rendezvous point over TLS.
        case https
        /// A rendezvous point without TLS. Everything on it is hostile (section 13, number 11).
        case http
        /// An RFCOMM stream over Bluetooth.
        case bluetooth
        /// A TCP stream.
        case tcp
    }

    /// How it is reached.
    public let scheme: Scheme
    /// The name or number of the host in lower case, to be shown to people; of Bluetooth the device, 12 hexadecimal
    /// digits.
    public let host: Bytes
    /// The port, or of Bluetooth the RFCOMM channel, 1 to 255; `nil` means the scheme's own.
    public let port: UInt16?
    /// The name of the channel at the rendezvous point; empty for a stream.
    public let channel: Bytes
    /// The address as it was written: a KP code signs these bytes.
    public let text: Bytes

    /// Reads an address of one of these schemes.
    ///
    /// Nothing may hide in it: no user, no query, no further segment, no escape. A host is a name of ASCII, an IPv4
    /// address or an IPv6 address in brackets. A channel is 1 to 64 characters of `0-9A-Za-z_-` (section 14).
    ///
    /// - Throws: `unsupportedAddress` for another scheme, `malformed`, or `tooLarge` above 1,024 bytes.
    public static func parse(_ text: Bytes, accepting schemes: [Scheme]) throws(PicoError) -> PicoAddress {
        guard text.count <= PicoLimits.address else { throw .tooLarge }
        for scheme in schemes {
            let prefix = scheme.prefix
            guard text.starts(with: prefix) else { continue }
            let rest = Array(text.dropFirst(prefix.count))
            guard let address = PicoAddress(rest, scheme, text) else { throw .malformed }
            return address
        }
        throw .unsupportedAddress
    }

    private init?(_ rest: Bytes, _ scheme: Scheme, _ text: Bytes) {
        self.scheme = scheme
        self.text = text
        switch scheme {
        case .https, .http:
            guard let parts = rest.split(at: 0x2F, maximum: 3), parts.count == 3, parts[1].equals("channel"),
                Self.isChannel(parts[2]), let (host, port) = Self.hostAndPort(parts[0])
            else { return nil }
            (self.host, self.port, channel) = (host, port, parts[2])
        case .tcp:
            guard let (host, port) = Self.hostAndPort(rest), let port else { return nil }
            (self.host, self.port, channel) = (host, port, [])
        case .bluetooth:
            guard let (device, port) = Self.device(rest) else { return nil }
            (self.host, self.port, channel) = (device, port, [])
        }
    }

    /// Whether a name is one that we use for channels.
    static func isChannel(_ name: Bytes) -> Bool {
        (1...64).contains(name.count) && name.allSatisfy { isAlphanumeric($0) || $0 == 0x2D || $0 == 0x5F }
    }

    private static func isAlphanumeric(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
    }

    private static func hostAndPort(_ text: Bytes) -> (Bytes, UInt16?)? {
        var end = text.count
        if text.first == 0x5B {
            guard let close = text.firstIndex(of: 0x5D) else { return nil }
            end = close + 1
        } else if let colon = text.firstIndex(of: 0x3A) {
            end = colon
        }
        let host = Array(text[0..<end]).map { (0x41...0x5A).contains($0) ? $0 + 0x20 : $0 }
        guard isHost(host) else { return nil }
        if end == text.count { return (host, nil) }
        guard text[end] == 0x3A, let number = parseDecimal(Array(text[(end + 1)...])), (1...65_535).contains(number)
        else { return nil }
        return (host, UInt16(number))
    }

    private static func isHost(_ host: Bytes) -> Bool {
        guard (1...253).contains(host.count) else { return false }
        if host[0] == 0x5B {
            let inside = host[1..<host.count - 1]
            return (2...45).contains(inside.count) && inside.contains(0x3A)
                && inside.allSatisfy { isHexadecimal($0) || $0 == 0x3A || $0 == 0x2E }
        }
        for label in host.split(at: 0x2E) {
            guard (1...63).contains(label.count), label[0] != 0x2D, label[label.count - 1] != 0x2D,
                label.allSatisfy({ isAlphanumeric($0) || $0 == 0x2D || $0 == 0x5F })
            else { return false }
        }
        return true
    }

    private static func isHexadecimal(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || (0x61...0x66).contains(byte)
    }

    /// A device, and perhaps a channel in hexadecimal: so jpico reads it and libpico prints it (section 12, number 10).
    private static func device(_ text: Bytes) -> (Bytes, UInt16?)? {
        guard text.count == 12 || text.count == 15, let device = Hex.decode(Array(text[0..<12])) else { return nil }
        if text.count == 12 { return (Hex.encode(device), nil) }
        guard text[12] == 0x3A, let port = Hex.decode(Array(text[13...])), port[0] > 0 else { return nil }
        return (Hex.encode(device), UInt16(port[0]))
    }
}

extension PicoAddress.Scheme {
    /// What an address of the scheme begins with.
    var prefix: Bytes {
        switch self {
        case .https: Bytes(text: "https://")
        case .http: Bytes(text: "http://")
        case .bluetooth: Bytes(text: "btspp://")
        case .tcp: Bytes(text: "tcp://")
        }
    }
}

extension [PicoAddress.Scheme] {
    /// What programs without Bluetooth use: both ways to a rendezvous point (section 12, number 14).
    public static var rendezvous: [PicoAddress.Scheme] { [.https, .http] }
}
