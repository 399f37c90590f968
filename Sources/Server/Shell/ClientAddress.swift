import HTTPTypes
import Hummingbird
import Workers

/// The address that a request counts for.
enum ClientAddress {
    /// The peer on the socket.
    ///
    /// Behind a trusted proxy, the last address of `X-Forwarded-For`, which the proxy itself added; the client may have
    /// written the ones before it.
    static func of(_ request: Request, peer: String?, trustsProxy: Bool) -> String {
        let peer = peer ?? "unknown"
        guard trustsProxy, let name = HTTPField.Name("X-Forwarded-For"),
            let last = request.headers[values: name].last?.split(separator: ",").last
        else { return peer }
        let address = last.filter { $0 != " " && $0 != "\t" }
        return isAddress(address) ? address : peer
    }

    /// The part of an address that counts as one client: for IPv6 the whole /64, which one host can use at will.
    static func network(of address: String) -> String {
        guard address.utf8.contains(UInt8(ascii: ":")) else { return address }
        return IPv6Network.prefix64(of: address) ?? address
    }

    private static func isAddress(_ text: String) -> Bool {
        guard 2...45 ~= text.utf8.count else { return false }
        if text.utf8.contains(UInt8(ascii: ":")) { return IPv6Network.prefix64(of: text) != nil }
        return IPv6Network.isIPv4(text)
    }
}

extension WorkOwner {
    /// A caller who is not signed in.
    init(address: String) { self = .address(ClientAddress.network(of: address)) }
}
